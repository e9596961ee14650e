"""`weft_cuda_library`: a library of units for programs."""

load("//private/providers:weft_info.bzl", "WeftInfo")
load(
    ":attributes.bzl",
    "COMPILE_ATTRIBUTES",
    "HEADER_EXTENSIONS",
    "LIBRARY_DEPS_ATTRIBUTE",
    "TOOLCHAIN_TYPE",
)
load(":arithmetic.bzl", "arithmetic_of")
load(":units.bzl", "compile_target")

def _weft_cuda_library_impl(ctx):
    for option in arithmetic_of(ctx.attr.options).others:
        fail("%s: there is no option %r of a library; known are --ftz=BOOL, --prec-div=BOOL, " % (
            ctx.label,
            option,
        ) + "--prec-sqrt=BOOL and --fmad=BOOL")
    compiled = compile_target(ctx)
    return [
        DefaultInfo(files = depset([unit.object for unit in compiled.units])),
        compiled.info,
    ]

weft_cuda_library = rule(
    implementation = _weft_cuda_library_impl,
    doc = "Compiles and summarizes units. Their device code is linked with that of the program.",
    attrs = dict(
        list(COMPILE_ATTRIBUTES.items()) + list(LIBRARY_DEPS_ATTRIBUTE.items()),
        hdrs = attr.label_list(
            doc = "Headers for this target and its dependents.",
            allow_files = ["." + extension for extension in HEADER_EXTENSIONS],
        ),
        options = attr.string_list(
            doc = "nvcc's options of floating-point arithmetic: `--ftz=BOOL`, `--prec-div=BOOL`, " +
                  "`--prec-sqrt=BOOL`, `--fmad=BOOL`.",
        ),
    ),
    provides = [WeftInfo],
    toolchains = [TOOLCHAIN_TYPE],
)
