"""From plans to cubins: the jobs of the modules, each in three phases.

Each phase is an action. Bazel compares contents, so it stops after the cheap import phase if an
edit elsewhere does not reach a module. Weft's own cache is off, because it would be an input that
no action declares.
"""

load(":run.bzl", "run")

def stage_imports(actions, toolchain, name, plans_folder, folder, module_map, inputs, outputs):
    """Copies the bitcode that each plan imports from into one file.

    A plan names the modules that its import reads, but Bazel needs to know the inputs before the
    plan exists. With these files every import declares three inputs and reads all of them.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program and architecture in messages
      plans_folder: string, the path of the folder that the plans are in
      folder: string, the path of the folder that the outputs are in
      module_map: File, lines of module id, tab, path of the bitcode
      inputs: list of Files, all plans and all bitcode
      outputs: list of Files to write, `<module id>.imports` in the folder
    """
    args = actions.args()
    args.add("stage")
    args.add("--plans", plans_folder)
    args.add("--module-map", module_map)
    args.add("-o", folder)
    run(
        actions,
        executable = toolchain.backend_job,
        arguments = [args],
        inputs = inputs + [module_map],
        outputs = outputs,
        mnemonic = "WeftStage",
        progress_message = "Staging imports of %s" % name,
    )

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
    args.add("--plan", plan)
    args.add("--module", bitcode)
    args.add("--staged", staged)
    args.add("-o", linked)
    run(
        actions,
        executable = toolchain.backend_job,
        arguments = [args],
        inputs = [plan, bitcode, staged],
        outputs = [linked],
        mnemonic = "WeftImport",
        progress_message = "Importing into %s" % name,
    )

def generate_code(actions, toolchain, name, options, linked, ptx):
    """Optimizes a linked module and emits PTX.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the module and architecture in messages
      options: list of strings, options of `backend-job codegen`
      linked: File, the linked module
      ptx: File to write
    """
    args = actions.args()
    args.add("codegen")
    args.add("--no-cache")
    args.add_all(options)
    args.add(linked)
    args.add("-o", ptx)
    run(
        actions,
        executable = toolchain.backend_job,
        arguments = [args],
        inputs = [linked],
        outputs = [ptx],
        mnemonic = "WeftCodegen",
        is_job = True,
        progress_message = "Generating code of %s" % name,
    )

def assemble(actions, toolchain, name, options, ptx, cubin):
    """Assembles PTX into machine code.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
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
        is_job = True,
        progress_message = "Assembling %s" % name,
    )
