"""From a source file to a host object."""

load(":run.bzl", "run")

# Start of the name of the symbol that a unit's host object refers to; the module id follows. The
# name serves as the message of a linker that does not find the symbol.
UNIT_SYMBOL = "weft_did_not_link_the_device_code_of:"

# Compilers of host code that nvcc finds on the search path by itself.
_FOUND_BY_NVCC = ["/usr/bin/gcc", "/usr/bin/g++"]

def compile_settings(
        headers,
        host_compiler,
        by_language,
        includes,
        quote_includes,
        defines,
        local_defines,
        copts,
        cuda_copts,
        host_copts):
    """Returns the settings that the units of one target share.

    Args:
      headers: depset of Files
      host_compiler: the struct of `host_compiler`, the compiler of the rules for C++
      by_language: dict from `c` and `c++` to the struct of `sorted_options_of_cc`, options of all
        targets, which precede the target's own
      includes: depset of strings, folders for both forms of `#include`
      quote_includes: depset of strings, folders for the form with quotes
      defines: depset of strings `NAME` or `NAME=VALUE`
      local_defines: list of strings in the same form, for this target only
      copts: list of strings, the target's own options
      cuda_copts: list of strings, options of CUDA units, which precede `copts`
      host_copts: list of strings, options for host code, which follow `copts`

    Returns:
      An immutable struct with these fields.
    """
    return struct(
        headers = headers,
        host_compiler = host_compiler,
        by_language = by_language,
        includes = includes,
        quote_includes = quote_includes,
        defines = defines,
        local_defines = local_defines,
        copts = copts,
        cuda_copts = cuda_copts,
        host_copts = host_copts,
    )

def compile_cuda_unit(
        actions,
        toolchain,
        settings,
        reference,
        module_id,
        architectures,
        source,
        object,
        notes):
    """Compiles a CUDA unit to a host object that holds its device code for each architecture.

    The device code is bitcode of clang or, where the toolchain has nvcc, LTO IR.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      settings: the struct of `compile_settings`
      reference: File, the header that refers to the unit's symbol
      module_id: string, from which clang derives a suffix for the names of the unit's locals;
        without it, clang would use the source's absolute path
      architectures: list of strings such as `sm_90`
      source: File, the source
      object: File to write
      notes: File to write, `x.gcno` beside `x.o`, if host code is to count how often its lines run;
        None otherwise
    """
    if toolchain.nvcc:
        _compile_by_nvcc(
            actions,
            toolchain,
            settings,
            reference,
            module_id,
            architectures,
            source,
            object,
            notes,
        )
        return
    args = _start(actions, toolchain)
    args.add_all(architectures, format_each = "--cuda-gpu-arch=%s")
    args.add(toolchain.cuda_folder, format = "--cuda-path=%s")
    args.add(toolchain.cuda_folder, format = "-I%s/include/cccl")
    args.add_all(["-fgpu-rdc", "--offload-new-driver", "-foffload-lto"])

    # With virtual tables of the whole program, virtual calls whose classes are all known become
    # direct.
    args.add_all(["-Xarch_device", "-fwhole-program-vtables"])

    # nvcc does not conclude from the types of two pointers that they point to different places.
    args.add_all(["-Xarch_device", "-fno-strict-aliasing"])

    # These limits of clang, at -O3 and below, leave the unrolling of loops to ptxas.
    for level in ["aggressive", "default"]:
        args.add_all(["-Xarch_device", "-mllvm=-unroll-threshold-%s=1" % level])
    args.add_all(settings.cuda_copts)

    # The header makes the link of a program with the unit's host code fail unless an image with
    # the unit's device code is linked, too.
    args.add("-Xarch_host")
    args.add(reference, format = "-include%s")
    args.add_all(["-Xarch_host", "-DWEFT_UNIT=\"%s%s\"" % (UNIT_SYMBOL, module_id)])
    args.add("-Wno-unknown-cuda-version")
    if toolchain.clang_major < 20:
        # Earlier drivers pass `-cuid` on to no compilation of the new driver.
        args.add("-Xclang")
    args.add(module_id, format = "-cuid=%s")
    _run(
        actions,
        toolchain,
        args,
        settings,
        toolchain_files = depset([reference], transitive = [toolchain.cuda_compile_files]),
        language = "cuda",
        module_id = module_id,
        source = source,
        object = object,
        notes = notes,
        mnemonic = "WeftCompile",
    )

def _compile_by_nvcc(
        actions,
        toolchain,
        settings,
        reference,
        module_id,
        architectures,
        source,
        object,
        notes):
    args = actions.args()
    args.add_all(["-O3", "-rdc=true", "-Xcompiler=-fPIC", "-forward-unknown-to-host-compiler"])
    for architecture in architectures:
        number = architecture[len("sm_"):]
        args.add("-gencode=arch=compute_%s,code=lto_%s" % (number, number))

    # The header makes the link of a program with the unit's host code fail unless an image with
    # the unit's device code is linked, too.
    args.add("-include", reference)
    args.add("-DWEFT_UNIT=\"%s%s\"" % (UNIT_SYMBOL, module_id))
    args.add_all(settings.cuda_copts)

    compiler = settings.host_compiler
    if compiler.executable not in _FOUND_BY_NVCC:
        args.add(compiler.executable, format = "-ccbin=%s")

    # nvcc has no folders for quotes alone.
    _add_settings(args, toolchain, settings, notes, "c++", _for_host_of_nvcc, "-I")
    args.add_all(["-x", "cu", "-c", source, "-o", object])
    run(
        actions,
        executable = toolchain.nvcc,
        arguments = [args],
        inputs = depset([source, reference], transitive = [settings.headers, compiler.files]),
        tools = toolchain.nvcc_files,
        outputs = [object] + ([notes] if notes else []),

        # The compiler of host code finds its own programs on the search path.
        use_default_shell_env = True,
        mnemonic = "WeftCompile",
        progress_message = "Compiling %s" % module_id,
        maps_paths = False,
    )

def compile_host_unit(actions, toolchain, settings, module_id, source, object, notes):
    """Compiles a unit without device code.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      settings: the struct of `compile_settings`
      module_id: string, the unit's name in messages
      source: File, the source
      object: File to write
      notes: File to write, `x.gcno` beside `x.o`, if host code is to count how often its lines run;
        None otherwise
    """
    args = _start(actions, toolchain)
    args.add(toolchain.cuda_folder, format = "-I%s/include")
    args.add(toolchain.cuda_folder, format = "-I%s/include/cccl")
    _run(
        actions,
        toolchain,
        args,
        settings,
        toolchain_files = toolchain.host_compile_files,
        language = "c" if source.extension == "c" else "c++",
        module_id = module_id,
        source = source,
        object = object,
        notes = notes,
        mnemonic = "WeftHostCompile",
    )

def _add_settings(args, toolchain, settings, notes, language, of_host, quote_option):
    options = settings.by_language[language]
    args.add_all(options.both)
    args.add_all(of_host(options.host))
    args.add_all(settings.quote_includes, before_each = quote_option)
    args.add_all(settings.includes, before_each = "-I")
    args.add_all(settings.defines, format_each = "-D%s")
    args.add_all(settings.local_defines, format_each = "-D%s")
    args.add_all(toolchain.copts)
    args.add_all(settings.copts)
    args.add_all(of_host(_counters(notes) + settings.host_copts))

def _for_host_of_nvcc(words):
    # nvcc divides what is for the host compiler at commas.
    return ["-Xcompiler=" + word.replace(",", "\\,") for word in words]

def _for_host_of_clang(words):
    return [part for word in words for part in ["-Xarch_host", word]]

def _unchanged(words):
    return words

def _counters(notes):
    return ["--coverage"] if notes else []

def _start(actions, toolchain):
    args = actions.args()
    args.add("--driver-mode=g++")
    args.add(toolchain.host_triple, format = "--target=%s")
    args.add("-resource-dir", toolchain.clang_resource_folder)

    # Debug information names this folder instead of the absolute path of the exec root.
    args.add("-ffile-compilation-dir=.")
    args.add("-O3")
    args.add("-fPIC")
    return args

def _run(
        actions,
        toolchain,
        args,
        settings,
        toolchain_files,
        language,
        module_id,
        source,
        object,
        notes,
        mnemonic):
    if language == "cuda":
        _add_settings(args, toolchain, settings, notes, "c++", _for_host_of_clang, "-iquote")
    else:
        _add_settings(args, toolchain, settings, notes, language, _unchanged, "-iquote")
    args.add("-x", language)
    args.add("-c", source)
    args.add("-o", object)
    run(
        actions,
        executable = toolchain.clang,
        arguments = [args],
        inputs = depset(
            [source],
            transitive = [settings.headers, settings.host_compiler.files, toolchain_files],
        ),
        outputs = [object] + ([notes] if notes else []),

        # The object names its file of counters by this folder, which the processes that collect
        # the counters strip, and not by that of a sandbox.
        env = {"PWD": "/proc/self/cwd"} if notes else {},
        mnemonic = mnemonic,
        progress_message = "Compiling %s" % module_id,

        # The rules for C++ hand on folders of headers as strings.
        maps_paths = False,
    )
