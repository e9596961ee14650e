"""From host objects to the program."""

# Units compiled for Weft refer to this symbol, as weft_reference.h explains. It must be defined
# somewhere, and the table of entries exists if the image's registration does.
_DEFINITION = "-Wl,--defsym=weft_did_not_link_the_device_code_of_this_program=" + \
              "__start_llvm_offload_entries"

def link_program(actions, toolchain, name, objects, has_image, linkopts, program):
    """Links the program.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program in messages
      objects: list of Files, the units' objects and the one that registers the device image
      has_image: bool, whether the device image is among the objects
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
    if has_image:
        args.add(_DEFINITION)
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

def guard_program(actions, toolchain, name, linked, objects, fatbin, manifests, program):
    """Copies the linked file to the program, unless its host code registers symbols without images.

    The guard is a separate action, as only the linker knows which members of an archive it took.
    The program is a copy, so that an incomplete program is never an output.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program in messages
      linked: File, the output of `link_program`
      objects: list of Files, the objects of that link
      fatbin: File, the packed images; None if no unit has device code
      manifests: list of Files, the manifests of the thin links
      program: File to write
    """
    args = actions.args()
    args.add("guard")
    args.add("--advice-for", "bazel")
    if fatbin:
        args.add("--image", fatbin)
    args.add_all(manifests, before_each = "--manifest")
    args.add("-o", program)
    args.add(linked)
    files = actions.args()
    files.add_all(objects)
    files.use_param_file("@%s")
    files.set_param_file_format("multiline")
    actions.run(
        executable = toolchain.backend_job,
        arguments = [args, files],
        inputs = [linked] + objects + manifests + ([fatbin] if fatbin else []),
        outputs = [program],
        mnemonic = "WeftGuard",
        progress_message = "Checking the device code of %s" % name,
    )
