"""`bitcode_units`: units whose device bitcode is there already, so that no compiler runs."""

load("@weft//:defs.bzl", "WeftInfo")
load("@weft//private/actions:summarize.bzl", "summarize_cuda_unit")
load("@weft//private/providers:weft_info.bzl", "module", "unit")

_ARCHITECTURE = "sm_90"
_TOOLCHAIN_TYPE = "@weft//:toolchain_type"

def _bitcode_units_impl(ctx):
    units = []
    for file in ctx.files.srcs:
        # The Makefile of the same program names its units so, too.
        module_id = file.short_path[:-len(".bc")]
        summary = ctx.actions.declare_file(module_id + ".summary")
        bitcode = ctx.actions.declare_file(module_id + ".device.bc")
        summarize_cuda_unit(
            ctx.actions,
            ctx.toolchains[_TOOLCHAIN_TYPE].weft,
            module_id = module_id,
            architecture = _ARCHITECTURE,
            options = [],
            object = file,
            summary = summary,
            bitcode = bitcode,
        )
        modules = [module(_ARCHITECTURE, summary, bitcode)]
        units.append(unit(module_id, ctx.label, modules = modules))
    return [WeftInfo(units = depset(units)), CcInfo()]

bitcode_units = rule(
    implementation = _bitcode_units_impl,
    attrs = {"srcs": attr.label_list(allow_files = [".bc"])},
    toolchains = [_TOOLCHAIN_TYPE],
)
