"""From host objects to the program."""

def link_program(actions, toolchain, name, objects, linkopts, program):
    """Links the program.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program in messages
      objects: list of Files, the units' and the one that registers the device image
      linkopts: depset of strings
      program: File to write
    """
    files = actions.args()
    files.add_all(objects)
    files.use_param_file("@%s")
    files.set_param_file_format("multiline")
    args = actions.args()
    args.add("--driver-mode=g++")
    args.add("-resource-dir", toolchain.clang_resource_folder)
    args.add(toolchain.linker, format = "--ld-path=%s")
    args.add("-o", program)
    options = actions.args()
    options.add_all(toolchain.cuda_libraries)
    options.add_all(linkopts)
    options.add_all(toolchain.linkopts)
    actions.run(
        executable = toolchain.clang,
        arguments = [args, files, options],
        inputs = depset(
            objects + toolchain.cuda_libraries,
            transitive = [toolchain.clang_files],
        ),
        tools = [toolchain.linker],
        outputs = [program],
        mnemonic = "WeftLink",
        progress_message = "Linking %s" % name,
    )
