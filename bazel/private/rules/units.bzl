"""Compilation and summaries of the units of one target."""

load("//private/actions:compile.bzl", "compile_cuda_unit", "compile_host_unit", "compile_settings")
load("//private/actions:summarize.bzl", "summarize_cuda_unit", "summarize_host_unit")
load("//private/providers:weft_info.bzl", "module", "unit")
load(":architectures.bzl", "architectures_of")
load(":arithmetic.bzl", "arithmetic_of", "arithmetic_of_nvcc")
load(":attributes.bzl", "CUDA_EXTENSIONS", "HEADER_EXTENSIONS", "TOOLCHAIN_TYPE")
load(":cc.bzl", "CcInfo", "cc_common", "cc_infos", "compile_options", "host_compiler")
load(":compile_options.bzl", "sorted_options_of_cc")
load(":includes.bzl", "include_folders", "moved_headers", "quote_include_folders")
load(":misread_options.bzl", "check_options")
load(":options.bzl", "options_of", "sorted_options")

# Device code of `-c dbg` is optimized like any other, and tells the line of each instruction.
_DEBUG_OPTIONS = [("generate-line-info", "")]

def toolchain_of(ctx):
    """Returns the tools of the target's actions; fails on a machine without CUDA.

    Args:
      ctx: the context of a rule or an aspect

    Returns:
      A WeftToolchainInfo.
    """
    toolchain = ctx.toolchains[TOOLCHAIN_TYPE]
    if not hasattr(toolchain, "weft"):
        fail("%s needs CUDA, which is not set up here: %s" % (ctx.label, toolchain.missing))
    return toolchain.weft

def tools_of_group(ctx, group, has_groups):
    """Returns the tools of an execution group, whose workers may be other ones.

    Args:
      ctx: the context of a rule or an aspect
      group: string, the name of the group
      has_groups: bool, whether the rule or aspect has execution groups

    Returns:
      A struct of `toolchain`, a WeftToolchainInfo, and `group`, None where Bazel has no groups.
    """
    if not has_groups:
        return struct(toolchain = toolchain_of(ctx), group = None)
    return struct(toolchain = ctx.exec_groups[group].toolchains[TOOLCHAIN_TYPE].weft, group = group)

def has_tools(ctx):
    """Returns whether CUDA is set up here."""
    return hasattr(ctx.toolchains[TOOLCHAIN_TYPE], "weft")

def output_file(ctx, *names):
    """Declares an output in the target's own folder."""
    return ctx.actions.declare_file("/".join(["_weft", ctx.label.name] + list(names)))

def compile_target(ctx):
    """Compiles and summarizes the target's sources.

    Args:
      ctx: the context of a rule with the attributes of attributes.bzl

    Returns:
      A struct of `compilation_context`, the CompilationContext for the target's dependents;
      `units`, a list of the target's own units; and `notes`, a list of the Files that the compiler
      writes about counters of host code, which only instrumented targets have.
    """
    private_headers = [file for file in ctx.files.srcs if _is_header(file)]
    moved = moved_headers(ctx)
    own_context = cc_common.create_compilation_context(
        headers = depset(
            getattr(ctx.files, "hdrs", []) + getattr(ctx.files, "textual_hdrs", []) + moved.files,
        ),
        includes = depset(moved.folders + include_folders(ctx)),
        quote_includes = depset(quote_include_folders(ctx)),
        defines = depset(expanded(ctx, ctx.attr.defines)),
    )
    own = [CcInfo(compilation_context = own_context)]
    exported_context = _merged(own + cc_infos(ctx.attr.deps))
    compilation_context = _merged(own + cc_infos(deps_of(ctx)))
    options = sorted_options(ctx.label, options_of(ctx))
    debug = ctx.var["COMPILATION_MODE"] == "dbg"
    unit_options = dict((_DEBUG_OPTIONS if debug else []) + options.unit.items())
    toolchain = toolchain_of(ctx)
    if toolchain.nvcc:
        arithmetic = arithmetic_of_nvcc(unit_options)
    else:
        clang_major = toolchain.clang_major if _has_cuda_unit(ctx) else 0
        arithmetic = arithmetic_of(unit_options, clang_major)
        check_options(ctx.label, {
            "copts": expanded(ctx, ctx.attr.copts),
            "copts of the toolchain": toolchain.copts if _has_cuda_unit(ctx) else [],
            "host_copts": expanded(ctx, ctx.attr.host_copts),
            "linkopts": expanded(ctx, ctx.attr.linkopts),
        })
    compiler = host_compiler(ctx)
    by_language = {
        language: sorted_options_of_cc(
            compile_options(ctx, language),
            toolchain_is_foreign = not (toolchain.nvcc or compiler.is_clang),
        )
        for language in ["c", "c++"]
    }
    settings = compile_settings(
        headers = depset(private_headers, transitive = [compilation_context.headers]),
        host_compiler = compiler,
        by_language = by_language,
        includes = depset(transitive = [
            compilation_context.includes,
            compilation_context.system_includes,
        ]),
        quote_includes = compilation_context.quote_includes,
        defines = compilation_context.defines,
        local_defines = expanded(ctx, ctx.attr.local_defines),
        copts = expanded(ctx, ctx.attr.copts),
        cuda_copts = arithmetic.copts,
        host_copts = (["-g"] if debug else []) + expanded(ctx, ctx.attr.host_copts) +
                     ["-D" + macro for macro in expanded(ctx, ctx.attr.host_local_defines)],
    )
    units = []
    all_notes = []
    for source in ctx.files.srcs:
        if _is_header(source):
            continue
        notes = None
        if ctx.coverage_instrumented():
            notes = output_file(ctx, _unit_id(ctx, source) + ".gcno")
            all_notes.append(notes)
        if is_cuda(source):
            summarize_options = arithmetic.summarize + options.summarize
            units.append(_cuda_unit(ctx, settings, summarize_options, source, notes))
        else:
            units.append(_host_unit(ctx, settings, source, notes))
    return struct(compilation_context = exported_context, units = units, notes = all_notes)

def deps_of(ctx):
    """Returns the targets that the target is linked with.

    Args:
      ctx: the context of a rule with the attributes of attributes.bzl and `deps`

    Returns:
      A list of Targets.
    """
    return ctx.attr.deps + getattr(ctx.attr, "implementation_deps", [])

def _merged(infos):
    return cc_common.merge_cc_infos(cc_infos = infos).compilation_context

def is_cuda(file):
    """Returns whether a file is a CUDA unit.

    Args:
      file: File

    Returns:
      A bool.
    """
    for extension in CUDA_EXTENSIONS:
        if file.basename.endswith("." + extension):
            return True
    return False

def _has_cuda_unit(ctx):
    return any([is_cuda(source) for source in ctx.files.srcs])

def _is_header(file):
    return file.extension in HEADER_EXTENSIONS

def expanded(ctx, options):
    """Returns options as the rules for C and C++ read them.

    `$(location)` and variables are expanded, and an option is divided at spaces outside of quotes.

    Args:
      ctx: the context of a rule with the attributes of attributes.bzl
      options: list of strings

    Returns:
      A list of strings.
    """
    targets = ctx.attr.srcs + ctx.attr.data + ctx.attr.additional_linker_inputs
    for name in ["hdrs", "textual_hdrs"]:
        targets = targets + getattr(ctx.attr, name, [])
    words = []
    for option in options:
        option = ctx.expand_location(option, targets)
        words.extend(ctx.tokenize(ctx.expand_make_variables("options", option, {})))
    return words

def runfiles_of(ctx, files = []):
    """Returns the files that are there when the program runs: of `data`, and of all deps.

    Args:
      ctx: the context of a rule with the attributes of attributes.bzl
      files: list of more Files

    Returns:
      The runfiles.
    """
    runfiles = ctx.runfiles(files = ctx.files.data + files)
    for target in ctx.attr.data + deps_of(ctx) + ctx.attr.srcs:
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles)
    return runfiles

def _cuda_unit(ctx, settings, summarize_options, source, notes):
    toolchain = toolchain_of(ctx)
    architectures = [architecture.name for architecture in architectures_of(ctx)]
    module_id = _unit_id(ctx, source)
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
        notes = notes,
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

def _host_unit(ctx, settings, source, notes):
    toolchain = toolchain_of(ctx)
    module_id = _unit_id(ctx, source)
    object = output_file(ctx, module_id + ".o")
    compile_host_unit(
        ctx.actions,
        toolchain,
        settings,
        module_id = module_id,
        source = source,
        object = object,
        notes = notes,
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

def _unit_id(ctx, source):
    variant = ctx.attr.variant
    return module_id_of(source) + ("@" + variant if variant else "")

def module_id_of(source):
    """Returns a file's path relative to the workspace, which no configuration changes.

    Args:
      source: File

    Returns:
      A string.
    """
    path = source.short_path
    if path.startswith("../"):
        return "external/" + path[len("../"):]
    return path
