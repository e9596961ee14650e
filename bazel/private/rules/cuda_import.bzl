"""`weft_cuda_import`: prebuilt device code."""

load("//private/actions:summarize.bzl", "summarize_opaque")
load("//private/providers:weft_info.bzl", "WeftInfo", "unit")
load(":attributes.bzl", "OPAQUE_EXTENSIONS", "TOOLCHAIN_TYPE")
load(":cc.bzl", "CcInfo")
load(":units.bzl", "module_id_of", "output_file", "toolchain_of")

def _weft_cuda_import_impl(ctx):
    return [
        DefaultInfo(files = depset(ctx.files.srcs)),
        WeftInfo(units = depset([_unit(ctx, file) for file in ctx.files.srcs])),
        CcInfo(),
    ]

def _unit(ctx, file):
    module_id = module_id_of(file)
    summary = output_file(ctx, module_id + ".summary")
    summarize_opaque(
        ctx.actions,
        toolchain_of(ctx),
        module_id = module_id,
        file = file,
        summary = summary,
    )
    return unit(module_id, ctx.label, summary = summary, opaque = file)

weft_cuda_import = rule(
    implementation = _weft_cuda_import_impl,
    doc = "Prebuilt device code without bitcode, which is linked into the device image " +
          "unchanged. Symbols of the program's units that it needs are kept. Host code in it " +
          "is not linked.",
    attrs = {
        "srcs": attr.label_list(
            doc = "Relocatable cubins, fat binaries, and objects and static libraries of nvcc.",
            allow_empty = False,
            allow_files = ["." + extension for extension in OPAQUE_EXTENSIONS],
            mandatory = True,
        ),
    },
    provides = [CcInfo, WeftInfo],
    toolchains = [TOOLCHAIN_TYPE],
)
