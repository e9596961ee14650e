"""From the linked file to the program."""

load(":run.bzl", "run")

def guard_program(actions, toolchain, name, linked, objects, fatbin, manifests, program):
    """Copies the linked file to the program, unless its host code registers symbols without images.

    The guard is a separate action, as only the linker knows which members of an archive it took.
    The program is a copy, so that an incomplete program is never an output.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program in messages
      linked: File, the program as the linker made it
      objects: list of Files, objects and static libraries of that link
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
    run(
        actions,
        executable = toolchain.weft,
        arguments = [args, files],
        inputs = [linked] + objects + manifests + ([fatbin] if fatbin else []),
        outputs = [program],
        mnemonic = "WeftGuard",
        progress_message = "Checking the device code of %s" % name,
    )
