"""The reports on a program's device code."""

load(":run.bzl", "run")

def write_report(actions, toolchain, name, title, links, option, report):
    """Writes the kernels with their resources, the imports and the removed symbols.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program in messages
      title: string, the title of the report
      links: list of structs as `link_device_code` returns
      option: string, `-o` for a text, `--html` for a page
      report: File to write
    """
    args = actions.args()
    args.add_all([link.manifest for link in links], before_each = "--manifest")
    images = [link.image for link in links if link.image]
    args.add_all(images, before_each = "--image")
    args.add("--title", title)
    args.add(option, report)
    run(
        actions,
        executable = toolchain.weft,
        arguments = ["report", args] + [_products(actions, link) for link in links],
        inputs = depset(images, transitive = [link.report_inputs for link in links]),
        outputs = [report],
        mnemonic = "WeftReport",
        progress_message = "Reporting on %s" % name,
    )

def _products(actions, link):
    """Returns a list of the modules of a link with the PTX and the cubin of each, as a file."""
    lines = actions.args()
    lines.add_all(link.modules, map_each = _lines)
    lines.use_param_file("%s", use_always = True)
    lines.set_param_file_format("multiline")
    return lines

def _lines(module):
    files = [module.ptx, module.cubin]
    return ["%s\t%s" % (module.module_id, file.path) for file in files if file]
