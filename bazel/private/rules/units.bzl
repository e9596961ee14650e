"""Compilation and summaries of the units of one target."""

load("//private/actions:compile.bzl", "compile_cuda_unit", "compile_host_unit", "compile_settings")
load("//private/actions:summarize.bzl", "summarize_cuda_unit", "summarize_host_unit")
load("//private/providers:weft_info.bzl", "WeftInfo", "module", "unit")
load(":architectures.bzl", "architectures_of")
load(":arithmetic.bzl", "arithmetic_of")
load(":attributes.bzl", "CUDA_EXTENSIONS", "HEADER_EXTENSIONS", "TOOLCHAIN_TYPE")

def toolchain_of(ctx):
    """Returns the WeftToolchainInfo of the target's actions."""
    return ctx.toolchains[TOOLCHAIN_TYPE].weft

def output_file(ctx, *names):
    """Declares an output in the target's own folder."""
    return ctx.actions.declare_file("/".join(["_weft", ctx.label.name] + list(names)))

def compile_target(ctx):
    """Compiles and summarizes the target's sources.

    Args:
      ctx: the context of a rule with the attributes of attributes.bzl

    Returns:
      A struct of `info`, the WeftInfo of the target with its deps, and `units`, a list of the
      target's own units.
    """
    infos = [dep[WeftInfo] for dep in ctx.attr.deps]
    public_headers = getattr(ctx.files, "hdrs", [])
    private_headers = [file for file in ctx.files.srcs if file.extension in HEADER_EXTENSIONS]
    headers = depset(public_headers, transitive = [info.headers for info in infos])
    includes = depset(_includes(ctx), transitive = [info.includes for info in infos])
    quote_includes = depset(
        _quote_includes(ctx),
        transitive = [info.quote_includes for info in infos],
    )
    defines = depset(ctx.attr.defines, transitive = [info.defines for info in infos])
    arithmetic = arithmetic_of(ctx.attr.options)
    settings = compile_settings(
        headers = depset(private_headers, transitive = [headers]),
        includes = includes,
        quote_includes = quote_includes,
        defines = defines,
        local_defines = ctx.attr.local_defines,
        copts = ctx.attr.copts,
        cuda_copts = arithmetic.copts,
    )
    units = []
    for source in ctx.files.srcs:
        if source.extension in CUDA_EXTENSIONS:
            units.append(_cuda_unit(ctx, settings, arithmetic.summarize, source))
        elif source.extension not in HEADER_EXTENSIONS:
            units.append(_host_unit(ctx, settings, source))
    info = WeftInfo(
        units = depset(units, transitive = [info.units for info in infos]),
        headers = headers,
        includes = includes,
        quote_includes = quote_includes,
        defines = defines,
        linkopts = depset(ctx.attr.linkopts, transitive = [info.linkopts for info in infos]),
    )
    return struct(info = info, units = units)

def _cuda_unit(ctx, settings, summarize_options, source):
    toolchain = toolchain_of(ctx)
    architectures = architectures_of(ctx)
    module_id = module_id_of(source)
    object = output_file(ctx, module_id + ".o")
    compile_cuda_unit(
        ctx.actions,
        toolchain,
        settings,
        reference = ctx.file._reference,
        module_id = module_id,
        architectures = architectures,
        source = source,
        object = object,
    )
    modules = []
    for architecture in architectures:
        summary = output_file(ctx, architecture, module_id + ".summary")
        bitcode = output_file(ctx, architecture, module_id + ".bc")
        summarize_cuda_unit(
            ctx.actions,
            toolchain,
            module_id = module_id,
            architecture = architecture,
            options = summarize_options,
            object = object,
            summary = summary,
            bitcode = bitcode,
        )
        modules.append(module(architecture, summary, bitcode))
    return unit(module_id, ctx.label, object = object, modules = modules)

def _host_unit(ctx, settings, source):
    toolchain = toolchain_of(ctx)
    module_id = module_id_of(source)
    object = output_file(ctx, module_id + ".o")
    compile_host_unit(
        ctx.actions,
        toolchain,
        settings,
        module_id = module_id,
        source = source,
        object = object,
    )
    summary = output_file(ctx, module_id + ".summary")
    summarize_host_unit(
        ctx.actions,
        toolchain,
        module_id = module_id,
        object = object,
        summary = summary,
    )
    return unit(module_id, ctx.label, object = object, summary = summary)

def module_id_of(source):
    """Returns the file's path relative to the workspace, which no configuration changes."""
    path = source.short_path
    if path.startswith("../"):
        return "external/" + path[len("../"):]
    return path

def _join(*parts):
    return "/".join([part for part in parts if part and part != "."]) or "."

def _includes(ctx):
    """Returns the target's include folders, among the sources and among generated files."""
    folders = []
    for include in ctx.attr.includes:
        if include.startswith("/") or ".." in include.split("/"):
            fail("%s: the include folder %r is not below the package" % (ctx.label, include))
        folder = _join(ctx.label.workspace_root, ctx.label.package, include)
        folders.extend([folder, _join(ctx.bin_dir.path, folder)])
    return folders

def _quote_includes(ctx):
    root = ctx.label.workspace_root
    return [_join(root), _join(ctx.bin_dir.path, root)]
