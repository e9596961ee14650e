"""The reports on a program's device code."""

load(":run.bzl", "run")

def write_report(actions, toolchain, name, title, links, lists, option, report):
    """Writes the kernels with their resources, the imports and the removed symbols.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program in messages
      title: string, the title of the report
      links: list of structs as `link_device_code` returns
      lists: list of Files as `list_products` writes
      option: string, `-o` for a text, `--html` for a page
      report: File to write
    """
    args = actions.args()
    args.add_all([link.manifest for link in links], before_each = "--manifest")
    images = [link.image for link in links if link.image]
    args.add_all(images, before_each = "--image")
    args.add("--title", title)
    args.add(option, report)
    args.add_all(lists)
    run(
        actions,
        executable = toolchain.backend_job,
        arguments = ["report", args],
        inputs = depset(lists + images, transitive = [link.report_inputs for link in links]),
        outputs = [report],
        mnemonic = "WeftReport",
        progress_message = "Reporting on %s" % name,
    )

def list_products(actions, link, file):
    """Writes the modules of a link with the PTX and the cubin of each.

    Args:
      actions: the rule's `ctx.actions`
      link: struct as `link_device_code` returns
      file: File to write
    """
    lines = actions.args()
    lines.set_param_file_format("multiline")
    lines.add_all(link.modules, map_each = _lines)
    actions.write(file, lines)

def _lines(module):
    return ["%s\t%s" % (module.module_id, file.path) for file in [module.ptx, module.cubin]]
