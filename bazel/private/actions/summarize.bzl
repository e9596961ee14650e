"""From a host object to the summary that the thin link reads."""

load(":nvlink.bzl", "add_nvlink", "nvlink_tools")
load(":run.bzl", "run")

def summarize_cuda_unit(
        actions,
        toolchain,
        module_id,
        architecture,
        options,
        object,
        summary,
        bitcode):
    """Summarizes a CUDA unit for one architecture and extracts its device bitcode or LTO IR.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      module_id: string, the unit's stable name
      architecture: string such as `sm_90`
      options: list of strings, options for summarize
      object: File, the host object
      summary: File to write
      bitcode: File to write
    """
    args = actions.args()
    args.add("--arch", architecture)
    args.add("--bitcode", bitcode)
    if toolchain.nvcc:
        # Other device code of such a unit would be in no link.
        args.add("--lto-ir=required")
        add_nvlink(args, toolchain)
    args.add_all(options)
    _run(
        actions,
        toolchain,
        args,
        module_id,
        object,
        summary,
        outputs = [summary, bitcode],
        progress_message = "Summarizing %s for %s" % (module_id, architecture),
        tools = nvlink_tools(toolchain),
    )

def summarize_library(actions, toolchain, module_id, architecture, file, summary):
    """Summarizes a library of device bitcode.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      module_id: string, the file's stable name
      architecture: string such as `sm_90`
      file: File, device bitcode
      summary: File to write
    """
    args = actions.args()
    args.add("--arch", architecture)
    _run(
        actions,
        toolchain,
        args,
        module_id,
        file,
        summary,
        outputs = [summary],
        progress_message = "Summarizing %s for %s" % (module_id, architecture),
    )

def summarize_host_unit(actions, toolchain, module_id, object, summary):
    """Summarizes a unit without device code, whose host code may name kernels and variables.

    Device bitcode in the file is an error, as it would not be linked.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      module_id: string, the unit's stable name
      object: File, the host object
      summary: File to write
    """
    args = actions.args()
    args.add("--host-only")
    _run(
        actions,
        toolchain,
        args,
        module_id,
        object,
        summary,
        outputs = [summary],
        progress_message = "Summarizing %s" % module_id,
    )

def summarize_opaque(actions, toolchain, module_id, file, summary):
    """Summarizes prebuilt device code: the symbols that it defines and needs.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      module_id: string, the file's stable name
      file: File, device code without bitcode
      summary: File to write
    """
    args = actions.args()
    args.add("--opaque")
    _run(
        actions,
        toolchain,
        args,
        module_id,
        file,
        summary,
        outputs = [summary],
        progress_message = "Summarizing %s" % module_id,
    )

def _run(
        actions,
        toolchain,
        args,
        module_id,
        object,
        summary,
        outputs,
        progress_message,
        tools = []):
    args.add("--module-id", module_id)
    args.add("-o", summary)
    args.add(object)
    run(
        actions,
        executable = toolchain.summarize,
        arguments = [args],
        inputs = [object],
        tools = tools,
        outputs = outputs,
        mnemonic = "WeftSummarize",
        progress_message = progress_message,
    )
