"""From all summaries to one plan per module."""

load(":run.bzl", "folder_above", "path_of_folder", "run")

def thinlink(
        actions,
        toolchain,
        name,
        options,
        link_order,
        feedback,
        summaries,
        libraries,
        plans,
        manifest,
        decisions):
    """Runs the thin link, which makes the decisions for all modules of a program.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program and architecture in messages
      options: list of strings, options of thinlink
      link_order: File, the module ids in the order in which the program's units are linked
      feedback: File, what earlier builds said about kernels, or None
      summaries: list of Files, the summaries of all units of the program, so that the host's
        references are complete
      libraries: list of Files, the summaries of libraries of device bitcode
      plans: list of Files to write, `<module id>.plan` in the folder of `manifest`
      manifest: File to write, `manifest.json`
      decisions: File to write, `decisions.weft` in the same folder, which no job reads
    """
    args = actions.args()
    args.add_all(options)
    folder = folder_above(manifest, "manifest.json")
    args.add_all("-o", [folder], map_each = path_of_folder)
    args.add("--link-order", link_order)
    if feedback:
        args.add("--feedback", feedback)
    args.add_all(libraries, before_each = "--library")
    files = actions.args()
    files.add_all(summaries)
    files.use_param_file("@%s", use_always = True)
    files.set_param_file_format("multiline")
    run(
        actions,
        executable = toolchain.thinlink,
        arguments = [args, files],
        inputs = summaries + libraries + [link_order] + ([feedback] if feedback else []),
        outputs = plans + [manifest, decisions],
        mnemonic = "WeftThinLink",
        progress_message = "Planning %s" % name,
    )
