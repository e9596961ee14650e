"""What Weft's rules take from the rules for C and C++: the only file that loads it.

Bazel 9 has `CcInfo` and `cc_common` in rules_cc only, and Bazel 4 fetches rules_cc in any case.
"""

load("@rules_cc//cc:defs.bzl", _CcInfo = "CcInfo", _cc_common = "cc_common")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cpp_toolchain")

CcInfo = _CcInfo
cc_common = _cc_common

CC_TOOLCHAIN_TYPE = "@bazel_tools//tools/cpp:toolchain_type"

CC_ATTRIBUTES = {
    "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
}

def _tools(ctx):
    cc_toolchain = find_cpp_toolchain(ctx)
    return struct(
        cc_toolchain = cc_toolchain,
        feature_configuration = cc_common.configure_features(
            ctx = ctx,
            cc_toolchain = cc_toolchain,
            requested_features = ctx.features,
            unsupported_features = ctx.disabled_features,
        ),
    )

def compile_options(ctx, language):
    """Returns what `cc_library` compiles the units of a language with, apart from its own options.

    Args:
      ctx: the context of a rule with CC_ATTRIBUTES and the fragment `cpp`
      language: string, `c` or `c++`

    Returns:
      A struct of `toolchain`, a list of strings: the options of the toolchain's features for the
      compilation mode and `--features`; and `command_line`, a list of strings: those of `--copt`,
      `--conlyopt` and `--cxxopt`.
    """
    tools = _tools(ctx)
    cpp = ctx.fragments.cpp
    return struct(
        toolchain = cc_common.get_memory_inefficient_command_line(
            feature_configuration = tools.feature_configuration,
            action_name = language + "-compile",
            variables = cc_common.create_compile_variables(
                feature_configuration = tools.feature_configuration,
                cc_toolchain = tools.cc_toolchain,
            ),
        ),
        command_line = cpp.copts + (cpp.conlyopts if language == "c" else cpp.cxxopts),
    )

def host_compiler(ctx):
    """Returns the compiler of the rules for C++.

    Args:
      ctx: the context of a rule with CC_ATTRIBUTES

    Returns:
      A struct of `executable`, a string; `is_clang`, a bool; and `files`, a depset of Files.
    """
    cc_toolchain = find_cpp_toolchain(ctx)
    path = cc_toolchain.compiler_executable
    return struct(
        executable = path,
        is_clang = "clang" in cc_toolchain.compiler or "clang" in path.split("/")[-1],
        files = cc_toolchain.all_files,
    )

def _outputs(objects):
    # Units are compiled as position-independent code, which programs and shared libraries take.
    files = depset(objects)
    return cc_common.create_compilation_outputs(objects = files, pic_objects = files)

def link_library(
        ctx,
        name,
        objects,
        alwayslink,
        user_link_flags,
        linking_contexts,
        additional_inputs = []):
    """Makes a static library of objects.

    Args:
      ctx: the context of a rule with CC_ATTRIBUTES
      name: string, the library's name without prefix and extension
      objects: list of Files; may be empty
      alwayslink: bool, whether programs link all of the objects
      user_link_flags: list of strings, options for the link of programs
      linking_contexts: list of the deps' LinkingContexts
      additional_inputs: list of Files that the options name

    Returns:
      A struct of `linking_context`, and `files`, a list of the static libraries.
    """
    tools = _tools(ctx)
    linking_context, outputs = cc_common.create_linking_context_from_compilation_outputs(
        actions = ctx.actions,
        name = name,
        feature_configuration = tools.feature_configuration,
        cc_toolchain = tools.cc_toolchain,
        compilation_outputs = _outputs(objects),
        user_link_flags = user_link_flags,
        linking_contexts = linking_contexts,
        additional_inputs = additional_inputs,
        alwayslink = alwayslink,
        disallow_dynamic_library = True,
    )
    library = outputs.library_to_link
    archive = static_library_of(library) if library else None
    return struct(linking_context = linking_context, files = [archive] if archive else [])

def link_program(ctx, name, objects, user_link_flags, linking_contexts, additional_inputs = []):
    """Links a program.

    Args:
      ctx: the context of a rule with CC_ATTRIBUTES
      name: string, the program's name
      objects: list of Files
      user_link_flags: list of strings
      linking_contexts: list of the deps' LinkingContexts
      additional_inputs: list of Files that the options name

    Returns:
      The File of the program.
    """
    tools = _tools(ctx)
    return cc_common.link(
        actions = ctx.actions,
        name = name,
        feature_configuration = tools.feature_configuration,
        cc_toolchain = tools.cc_toolchain,
        compilation_outputs = _outputs(objects),
        user_link_flags = user_link_flags,
        linking_contexts = linking_contexts,
        additional_inputs = additional_inputs,
    ).executable

def static_library_of(library):
    """Returns the archive of a LibraryToLink that a program is linked with; None if there is none.

    Args:
      library: a LibraryToLink

    Returns:
      A File or None.
    """
    return library.static_library or library.pic_static_library

def cc_infos(deps):
    """Returns the CcInfo of those targets that have one."""
    return [dep[CcInfo] for dep in deps if CcInfo in dep]

def linked_files(linking_context):
    """Returns the libraries of a LinkingContext.

    Args:
      linking_context: a LinkingContext

    Returns:
      A struct of `static` and `dynamic`, lists of Files.
    """
    static = []
    dynamic = []
    for linker_input in linking_context.linker_inputs.to_list():
        for library in linker_input.libraries:
            archive = static_library_of(library)
            if archive:
                static.append(archive)
            elif library.dynamic_library:
                dynamic.append(library.dynamic_library)
    return struct(static = static, dynamic = dynamic)
