"""Counters of host code for `bazel coverage`; device code has none."""

load("//private/actions:run.bzl", "REPORTS_COVERAGE")
load(":cc.bzl", "CcInfo")
load(":units.bzl", "toolchain_of")

# Attributes of test rules.
COVERAGE_ATTRIBUTES = {
    "_lcov_merger": attr.label(
        default = configuration_field(fragment = "coverage", name = "output_generator"),
        executable = True,
        cfg = "exec",
    ) if REPORTS_COVERAGE else attr.label(
        default = "//private/rules:no_coverage_report.sh",
        allow_single_file = True,
        executable = True,
        cfg = "exec",
    ),
}

def coverage_infos(ctx):
    """Returns the CcInfo with the library that writes the counters of the target's own units.

    Args:
      ctx: the context of a rule

    Returns:
      A list of one CcInfo, or of none if the target is not instrumented.
    """
    if not ctx.coverage_instrumented():
        return []
    toolchain = toolchain_of(ctx)
    if not toolchain.profile_runtime:
        fail("%s: coverage needs clang's library libclang_rt.profile for %s, which is missing" % (
            ctx.label,
            toolchain.host_triple,
        ))
    return [CcInfo(linking_context = toolchain.profile_runtime)]

def instrumented_files(ctx, source_attributes, notes):
    """Returns the InstrumentedFilesInfo of a target.

    Args:
      ctx: the context of a rule with `deps` and `data`
      source_attributes: list of strings, attributes with sources
      notes: list of Files, the compiler's notes about the counters of the target's own units

    Returns:
      An InstrumentedFilesInfo.
    """
    return coverage_common.instrumented_files_info(
        ctx,
        source_attributes = source_attributes,
        dependency_attributes = ["deps", "data"],
        **({"metadata_files": notes} if REPORTS_COVERAGE else {})
    )
