"""From plans to cubins: the jobs of the modules, each in three phases.

Each phase is an action. Bazel compares contents, so it stops after the cheap import phase if an
edit elsewhere does not reach a module. Weft's own cache is off, because it would be an input that
no action declares.
"""

load(":nvlink.bzl", "add_nvlink", "nvlink_tools")
load(":run.bzl", "folder_above", "path_of_folder", "run")

def stage_imports(actions, toolchain, name, modules):
    """Copies the bitcode that each plan imports from into one file.

    A plan names the modules that its import reads, but Bazel needs to know the inputs before the
    plan exists. With these files every import declares three inputs and reads all of them.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program and architecture in messages
      modules: list of structs of `module_id`, a string, and of Files: `bitcode`; `plan`,
        `<module id>.plan` in a folder of all plans; and `staged` to write, `<module id>.imports` in
        another folder
    """
    first = modules[0]
    args = actions.args()
    args.add("stage")
    for option, file, extension in [
        ("--plans", first.plan, ".plan"),
        ("-o", first.staged, ".imports"),
    ]:
        folder = folder_above(file, first.module_id + extension)
        args.add_all(option, [folder], map_each = path_of_folder)
    module_map = actions.args()
    module_map.add_all(modules, map_each = _line_of_map)
    module_map.use_param_file("--module-map=%s", use_always = True)
    module_map.set_param_file_format("multiline")
    run(
        actions,
        executable = toolchain.backend_job,
        arguments = [args, module_map],
        inputs = [file for module in modules for file in [module.bitcode, module.plan]],
        outputs = [module.staged for module in modules],
        mnemonic = "WeftStage",
        progress_message = "Staging imports of %s" % name,
    )

def _line_of_map(module):
    return "%s\t%s" % (module.module_id, module.bitcode.path)

def import_module(actions, toolchain, name, plan, bitcode, staged, linked):
    """Carries out a plan and writes the linked module.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the module and architecture in messages
      plan: File, the module's plan
      bitcode: File, the module
      staged: File, the imported bitcode that `stage_imports` wrote
      linked: File to write
    """
    args = actions.args()
    args.add("import")
    if toolchain.nvcc:
        add_nvlink(args, toolchain)
    args.add("--plan", plan)
    args.add("--module", bitcode)
    args.add("--staged", staged)
    args.add("-o", linked)
    run(
        actions,
        executable = toolchain.backend_job,
        arguments = [args],
        inputs = [plan, bitcode, staged],
        tools = nvlink_tools(toolchain),
        outputs = [linked],
        mnemonic = "WeftImport",
        progress_message = "Importing into %s" % name,
    )

def generate_code(actions, toolchain, group, name, options, linked, ptx = None, optimized = None):
    """Optimizes a linked module and emits PTX, bitcode or both.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo of the execution group
      group: string, the execution group, or None
      name: string, the module and architecture in messages
      options: list of strings, options of `backend-job codegen`
      linked: File, the linked module
      ptx: File to write, if it is wanted
      optimized: File to write, if it is wanted: the bitcode of the optimized module
    """
    args = actions.args()
    args.add("codegen")
    args.add("--no-cache")
    if toolchain.newest_ptx:
        args.add(toolchain.newest_ptx, format = "--newest-ptx=%s")
    args.add_all(options)
    tools = []
    if "--codegen=libnvvm" in options:
        if not toolchain.libnvvm:
            fail("%s: option --codegen=libnvvm, and the toolchain has no libnvvm" % name)
        tools = [toolchain.libnvvm]
        args.add("--libnvvm", toolchain.libnvvm)
    args.add(linked)
    if optimized:
        args.add("--emit", "ptx,bc" if ptx else "bc")
    outputs = [file for file in [ptx, optimized] if file]

    # Of several products, the option names the first one, and `x.opt.bc` is beside `x.ptx`.
    args.add("-o", outputs[0])
    run(
        actions,
        executable = toolchain.backend_job,
        arguments = [args],
        inputs = [linked],
        tools = tools,
        outputs = outputs,
        mnemonic = "WeftCodegen",
        group = group,
        is_job = True,
        progress_message = "Generating code of %s" % name,
    )

def assemble(actions, toolchain, group, name, options, ptx, cubin):
    """Assembles PTX into machine code.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo of the execution group
      group: string, the execution group, or None
      name: string, the module and architecture in messages
      options: list of strings, options of `backend-job assemble`
      ptx: File, the PTX
      cubin: File to write
    """
    args = actions.args()
    args.add("assemble")
    args.add("--no-cache")
    args.add("--ptxas", toolchain.ptxas)
    args.add_all(options)
    args.add(ptx)
    args.add("-o", cubin)
    run(
        actions,
        executable = toolchain.backend_job,
        arguments = [args],
        inputs = [ptx],
        tools = [toolchain.ptxas],
        outputs = [cubin],
        mnemonic = "WeftAssemble",
        group = group,
        is_job = True,
        progress_message = "Assembling %s" % name,
    )

def combine(actions, toolchain, name, optimized, program):
    """Makes one module of a program's optimized modules.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program and architecture in messages
      optimized: list of Files, the bitcode of the optimized modules
      program: File to write
    """
    args = actions.args()
    args.add("combine")
    args.add("-o", program)
    files = actions.args()
    files.add_all(optimized)
    files.use_param_file("@%s", use_always = True)
    files.set_param_file_format("multiline")
    run(
        actions,
        executable = toolchain.backend_job,
        arguments = [args, files],
        inputs = optimized,
        outputs = [program],
        mnemonic = "WeftCombine",
        progress_message = "Combining %s" % name,
    )
