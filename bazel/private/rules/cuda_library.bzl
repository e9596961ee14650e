"""`weft_cuda_library`: a library of units for programs."""

load("//private/actions:run.bzl", "rule_groups")
load("//private/providers:weft_info.bzl", "WeftInfo", "WeftUnitsInfo")
load(
    ":attributes.bzl",
    "ARCHITECTURES_ATTRIBUTES",
    "COMPILE_ATTRIBUTES",
    "HEADER_EXTENSIONS",
    "TOOLCHAIN_TYPE",
)
load(":cc.bzl", "CC_ATTRIBUTES", "CC_TOOLCHAIN_TYPE", "CcInfo", "cc_infos", "link_library")
load(":coverage.bzl", "coverage_infos", "instrumented_files")
load(":cudart.bzl", "CUDART_ATTRIBUTES", "runtime_of")
load(":options.bzl", "sorted_options")
load(":units.bzl", "compile_target", "deps_of", "expanded", "runfiles_of")
load(":units_aspect.bzl", "weft_units_aspect")

def _weft_cuda_library_impl(ctx):
    sorted_options(ctx.label, ctx.attr.options, is_library = True)
    compiled = compile_target(ctx)
    library = link_library(
        ctx,
        name = ctx.label.name,
        objects = [unit.object for unit in compiled.units],
        alwayslink = ctx.attr.alwayslink,
        user_link_flags = expanded(ctx, ctx.attr.linkopts),
        additional_inputs = ctx.files.additional_linker_inputs,
        linking_contexts = [info.linking_context for info in cc_infos(deps_of(ctx))] +
                           [info.linking_context for info in coverage_infos(ctx)] +
                           [runtime_of(ctx)],
    )
    return [
        DefaultInfo(files = depset(library.files), runfiles = runfiles_of(ctx)),
        CcInfo(
            compilation_context = compiled.compilation_context,
            linking_context = library.linking_context,
        ),
        WeftInfo(units = depset(
            compiled.units,
            transitive = [dep[WeftUnitsInfo].units for dep in deps_of(ctx)],
            order = "topological",
        )),
        instrumented_files(ctx, ["srcs", "hdrs"], compiled.notes),
    ]

weft_cuda_library = rule(
    implementation = _weft_cuda_library_impl,
    doc = "Compiles and summarizes units. Their device code is linked with that of the program.",
    attrs = dict(
        list(ARCHITECTURES_ATTRIBUTES.items()) + list(COMPILE_ATTRIBUTES.items()) +
        list(CC_ATTRIBUTES.items()) + list(CUDART_ATTRIBUTES.items()),
        alwayslink = attr.bool(
            doc = "Whether programs link the host code of all units, even if they refer to none.",
        ),
        deps = attr.label_list(
            doc = "Libraries: weft_cuda_library, weft_cuda_import, cc_library, cc_import and " +
                  "others.",
            aspects = [weft_units_aspect],
            providers = [[WeftInfo], [CcInfo]],
        ),
        hdrs = attr.label_list(
            doc = "Headers for this target and its dependents.",
            allow_files = ["." + extension for extension in HEADER_EXTENSIONS],
        ),
        implementation_deps = attr.label_list(
            doc = "Libraries like those of `deps`, whose headers the target's dependents do not " +
                  "see.",
            aspects = [weft_units_aspect],
            providers = [[WeftInfo], [CcInfo]],
        ),
        include_prefix = attr.string(
            doc = "A folder that the paths of `hdrs` begin with in `#include`.",
        ),
        options = attr.string_list(
            doc = "Options about the compilation of this target's units: nvcc's `--ftz=BOOL`, " +
                  "`--prec-div=BOOL`, `--prec-sqrt=BOOL` and `--fmad=BOOL`, and what the thin " +
                  "link compares, such as `--maxrregcount=N`.",
        ),
        strip_include_prefix = attr.string(
            doc = "A folder that the paths of `hdrs` lose in `#include`, relative to the package " +
                  "or, with `/` before it, to the workspace.",
        ),
        textual_hdrs = attr.label_list(
            doc = "Files of any name that units of this target and its dependents include.",
            allow_files = True,
        ),
    ),
    fragments = ["cpp"],
    provides = [CcInfo, WeftInfo],
    toolchains = [TOOLCHAIN_TYPE, CC_TOOLCHAIN_TYPE],

    # The library's image is made by an aspect, to whose actions the target's properties apply.
    **rule_groups()
)
