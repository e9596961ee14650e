"""From a source file to a host object."""

load(":run.bzl", "run")

# Start of the name of the symbol that a unit's host object refers to; the module id follows. The
# name serves as the message of a linker that does not find the symbol.
UNIT_SYMBOL = "weft_did_not_link_the_device_code_of:"

def compile_settings(
        headers,
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
        host_copts = [
            word
            for copt in _counters(notes) + settings.host_copts
            for word in ["-Xarch_host", copt]
        ],
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

    # nvcc has no folders for quotes alone.
    _add_settings(args, toolchain, settings, quote_option = "-I")
    args.add_all(_counters(notes) + settings.host_copts, format_each = "-Xcompiler=%s")
    args.add_all(["-x", "cu", "-c", source, "-o", object])
    run(
        actions,
        executable = toolchain.nvcc,
        arguments = [args],
        inputs = depset([source, reference], transitive = [settings.headers]),
        tools = toolchain.nvcc_files,
        outputs = [object] + ([notes] if notes else []),

        # nvcc finds the compiler of host code on the search path.
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
        host_copts = _counters(notes) + settings.host_copts,
        module_id = module_id,
        source = source,
        object = object,
        notes = notes,
        mnemonic = "WeftHostCompile",
    )

def _add_settings(args, toolchain, settings, quote_option):
    args.add_all(settings.quote_includes, before_each = quote_option)
    args.add_all(settings.includes, before_each = "-I")
    args.add_all(settings.defines, format_each = "-D%s")
    args.add_all(settings.local_defines, format_each = "-D%s")
    args.add_all(toolchain.copts)
    args.add_all(settings.copts)

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
        host_copts,
        module_id,
        source,
        object,
        notes,
        mnemonic):
    _add_settings(args, toolchain, settings, quote_option = "-iquote")
    args.add_all(host_copts)
    args.add("-x", language)
    args.add("-c", source)
    args.add("-o", object)
    run(
        actions,
        executable = toolchain.clang,
        arguments = [args],
        inputs = depset([source], transitive = [settings.headers, toolchain_files]),
        outputs = [object] + ([notes] if notes else []),

        # The object names its file of counters by this folder, which the processes that collect
        # the counters strip, and not by that of a sandbox.
        env = {"PWD": "/proc/self/cwd"} if notes else {},
        mnemonic = mnemonic,
        progress_message = "Compiling %s" % module_id,

        # The rules for C++ hand on folders of headers as strings.
        maps_paths = False,
    )
