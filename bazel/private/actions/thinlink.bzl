"""From all summaries to one plan per module."""

def thinlink(actions, toolchain, name, keep, folder, summaries, plans, manifest):
    """Decides for all modules of a program at once.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program and architecture in messages
      keep: list of strings, symbols that stay
      folder: string, the path of the folder that the plans are in
      summaries: list of Files, of every unit of the program, so that the host's references are
        complete
      plans: list of Files to write, `<module id>.plan` in the folder
      manifest: File to write, `manifest.json` in the folder
    """
    options = actions.args()
    options.add("--has-global-host-info")
    options.add_all(keep, format_each = "--keep=%s")
    options.add("-o", folder)
    files = actions.args()
    files.add_all(summaries)
    files.use_param_file("@%s", use_always = True)
    files.set_param_file_format("multiline")
    actions.run(
        executable = toolchain.thinlink,
        arguments = [options, files],
        inputs = summaries,
        outputs = plans + [manifest],
        mnemonic = "WeftThinLink",
        progress_message = "Planning %s" % name,
    )
