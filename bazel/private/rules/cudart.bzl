"""The form of CUDA's runtime that programs are linked with: a build setting."""

load(":units.bzl", "toolchain_of")

WeftCudartInfo = provider(
    doc = "The value of the build setting.",
    fields = {"form": "string: `static`, `shared` or `none`"},
)

_FORMS = ["static", "shared", "none"]

CUDART_ATTRIBUTES = {
    "_cudart": attr.label(default = "//:cudart"),
}

def _cudart_setting_impl(ctx):
    form = ctx.build_setting_value
    if form not in _FORMS:
        fail("%s: there is no form %r of CUDA's runtime; known are %s" % (
            ctx.label,
            form,
            ", ".join(_FORMS),
        ))
    return [WeftCudartInfo(form = form)]

cudart_setting = rule(
    implementation = _cudart_setting_impl,
    doc = "The form of CUDA's runtime: `static`, `shared`, or `none` where targets bring it.",
    build_setting = config.string(flag = True),
)

def runtime_of(ctx):
    """Returns what a program with CUDA code is linked with besides its own libraries.

    Args:
      ctx: the context of a rule with CUDART_ATTRIBUTES

    Returns:
      A LinkingContext.
    """
    toolchain = toolchain_of(ctx)
    form = ctx.attr._cudart[WeftCudartInfo].form
    if form not in toolchain.runtimes:
        fail("%s: the toolchain has no %s runtime of CUDA for %s" % (
            ctx.label,
            form,
            toolchain.host_triple,
        ))
    return toolchain.runtimes[form]
