"""The readable report on a program's device code."""

def write_report(actions, toolchain, name, links, lists, report):
    """Writes the kernels with their resources, the imports and the removed symbols.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program in messages
      links: list of structs as `link_device_code` returns
      lists: list of Files to write, one for each link, with its modules and their cubins
      report: File to write
    """
    args = actions.args()
    inputs = list(lists)
    for link, file in zip(links, lists):
        lines = actions.args()
        lines.set_param_file_format("multiline")
        lines.add_all(link.modules, map_each = _line)
        actions.write(file, lines)
        args.add("--manifest", link.manifest)
        inputs.extend([link.manifest] + link.cubins)
    args.add("-o", report)
    args.add_all(lists)
    actions.run(
        executable = toolchain.backend_job,
        arguments = ["report", args],
        inputs = inputs,
        outputs = [report],
        mnemonic = "WeftReport",
        progress_message = "Reporting on %s" % name,
    )

def _line(module):
    return "%s\t%s" % (module.module_id, module.cubin.path)
