"""`weft_cc_deps`: outputs of the rules for C and C++, for targets of Weft to depend on."""

load("//private/actions:summarize.bzl", "summarize_host_unit")
load("//private/providers:weft_info.bzl", "WeftInfo", "unit")
load(":attributes.bzl", "TOOLCHAIN_TYPE")
load(":units.bzl", "module_id_of", "output_file", "toolchain_of")

def _weft_cc_deps_impl(ctx):
    merged = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps])
    compilation = merged.compilation_context
    inputs = merged.linking_context.linker_inputs.to_list()
    linkopts = [option for input in inputs for option in input.user_link_flags]
    libraries = [library for input in inputs for library in input.libraries]
    return [
        DefaultInfo(),
        WeftInfo(
            units = depset([_unit(ctx, library) for library in libraries]),
            headers = compilation.headers,
            includes = depset(transitive = [
                compilation.includes,
                compilation.system_includes,
            ]),
            quote_includes = compilation.quote_includes,
            defines = compilation.defines,
            linkopts = depset(linkopts),
        ),
    ]

def _unit(ctx, library):
    """Returns a static library as a unit, summarized because its host code may launch kernels."""
    archive = library.pic_static_library or library.static_library
    if not archive:
        shared = library.resolved_symlink_dynamic_library or library.dynamic_library
        fail("%s: %s is a shared library, and programs of Weft link static ones only" % (
            ctx.label,
            shared.short_path,
        ))
    if library.alwayslink:
        fail("%s: %s is to be linked as a whole (alwayslink), which programs of Weft cannot" % (
            ctx.label,
            archive.short_path,
        ))
    module_id = module_id_of(archive)
    summary = output_file(ctx, module_id + ".summary")
    summarize_host_unit(
        ctx.actions,
        toolchain_of(ctx),
        module_id = module_id,
        object = archive,
        summary = summary,
    )
    return unit(module_id, ctx.label, object = archive, summary = summary)

weft_cc_deps = rule(
    implementation = _weft_cc_deps_impl,
    doc = "Headers and static libraries of `cc_library` targets and of their dependencies.",
    attrs = {
        "deps": attr.label_list(
            doc = "cc_library targets.",
            allow_empty = False,
            mandatory = True,
            providers = [CcInfo],
        ),
    },
    provides = [WeftInfo],
    toolchains = [TOOLCHAIN_TYPE],
)
