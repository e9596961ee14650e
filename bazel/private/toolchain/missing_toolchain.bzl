"""`weft_missing_toolchain`: a toolchain for machines without CUDA."""

def _weft_missing_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(missing = ctx.attr.message)]

weft_missing_toolchain = rule(
    implementation = _weft_missing_toolchain_impl,
    doc = "Takes the place of tools that a machine lacks, so that only targets which need them " +
          "fail.",
    attrs = {
        "message": attr.string(doc = "What is missing.", mandatory = True),
    },
)
