"""The device link of a program for one architecture: thin link, jobs, image."""

load("//private/actions:image.bzl", "link_image")
load(
    "//private/actions:jobs.bzl",
    "assemble",
    "combine",
    "generate_code",
    "import_module",
    "stage_imports",
)
load("//private/actions:run.bzl", "ASSEMBLE_GROUP", "CODEGEN_GROUP")
load("//private/actions:summarize.bzl", "summarize_library")
load("//private/actions:thinlink.bzl", "thinlink")
load(":options.bzl", "sorted_options")
load(":units.bzl", "module_id_of", "output_file", "toolchain_of", "tools_of_group")

def link_device_code(ctx, architecture, units, options, thinlink_options, feedback, has_groups):
    """Links the device code of all units for one architecture.

    Args:
      ctx: the context of a rule or aspect
      architecture: struct that `architectures_of` returns
      units: list of units, including host-only units
      options: list of strings, in the form of the attribute `options`
      thinlink_options: list of strings, more options of thinlink
      feedback: File, what earlier builds said about kernels, or None
      has_groups: bool, whether the rule or aspect has execution groups

    Returns:
      A struct of `architecture`, a string; `image`, the linked machine code, and `ptx_image`, the
      PTX of all units, Files or None; `manifest`, a File; `modules`, a list of structs that
      `_module_with_job` returns; `ptx` and `cubins`, lists of Files; `report_inputs`, a depset of
      the Files that a report reads.
    """
    toolchain = toolchain_of(ctx)
    if toolchain.nvcc and architecture.has_ptx:
        fail(("%s: the PTX of an image is made of clang's bitcode alone, and nvcc compiles CUDA " +
              "units here: leave out compute_*") % ctx.label)
    folder = architecture.name
    name = "%s for %s" % (ctx.label, folder)
    options = sorted_options(ctx.label, options)
    summaries = [unit.summary for unit in units if unit.summary]
    modules = []
    opaque = []

    # Units are sorted by module id, so that the image does not depend on the target that compiles a
    # unit.
    for unit in sorted(units, key = _module_id):
        for module in unit.modules:
            if module.architecture == folder:
                summaries.append(module.summary)
                modules.append(_module(ctx, folder, unit.module_id, module.bitcode))
        if unit.opaque:
            opaque.append(unit.opaque)
    libraries = []
    for file in _libraries(ctx, folder) if modules else []:
        module_id = module_id_of(file)
        summary = output_file(ctx, folder, module_id + ".summary")
        summarize_library(ctx.actions, toolchain, module_id, folder, file, summary)
        libraries.append(summary)
        modules.append(_module(ctx, folder, module_id, file))
    manifest = output_file(ctx, folder, "plans", "manifest.json")
    decisions = output_file(ctx, folder, "plans", "decisions.weft")
    plans = [module.plan for module in modules]
    thinlink(
        ctx.actions,
        toolchain,
        name = name,
        options = thinlink_options + options.thinlink,
        link_order = _link_order(ctx, folder, units),
        feedback = feedback,
        summaries = summaries,
        libraries = libraries,
        plans = plans,
        manifest = manifest,
        decisions = decisions,
    )
    image = None
    ptx_image = None
    if modules:
        stage_imports(ctx.actions, toolchain, name, modules)
        modules = [
            _module_with_job(ctx, architecture, options, module, has_groups)
            for module in _first_of_jobs(modules, options.full)
        ]
    cubins = [module.cubin for module in modules if module.cubin]
    if cubins:
        image = output_file(ctx, folder, "image.cubin")
        link_image(ctx.actions, toolchain, name, folder, cubins + opaque, options.nvlink, image)
    if modules and architecture.has_ptx:
        if opaque:
            fail("%s: it is to have PTX for compute_%s, and %s is prebuilt and has none" % (
                ctx.label,
                folder[len("sm_"):],
                opaque[0].short_path,
            ))
        tools = tools_of_group(ctx, CODEGEN_GROUP, has_groups)
        ptx_image = _ptx_image(ctx, architecture, name, options, modules, tools)
    ptx = [module.ptx for module in modules if module.ptx]
    return struct(
        architecture = folder,
        image = image,
        ptx_image = ptx_image,
        manifest = manifest,
        modules = modules,
        ptx = ptx,
        cubins = cubins,
        # `weft report` finds the decisions and the plans beside the manifest.
        report_inputs = depset([manifest, decisions] + plans + ptx + cubins),
    )

def _libraries(ctx, architecture):
    """Returns the Files of the attribute `libraries` that are for an architecture."""
    files = sorted(getattr(ctx.files, "libraries", []), key = module_id_of)
    return [file for file in files if _named_architecture(file) in ["", architecture]]

def _named_architecture(file):
    """Returns the architecture that a file's name has, such as `sm_90`, or an empty string."""
    _, _, rest = file.basename.partition("sm_")
    if not rest[:1].isdigit():
        return ""
    for length in range(len(rest)):
        if not rest[length].isalnum():
            return "sm_" + rest[:length]
    return "sm_" + rest

def _ptx_image(ctx, architecture, name, options, modules, tools):
    """Declares the actions that make PTX of all modules.

    The driver compiles PTX for newer processors, but links none, so it must be in one piece. Each
    module is optimized before, and for both forms once.
    """
    program = output_file(ctx, architecture.name, "program.bc")
    optimized = [module.optimized for module in modules]
    combine(ctx.actions, toolchain_of(ctx), name, optimized, program)
    image = output_file(ctx, architecture.name, "image.ptx")
    generate_code(
        ctx.actions,
        tools.toolchain,
        tools.group,
        name = name,
        options = options.codegen,
        linked = program,
        ptx = image,
    )
    return image

def _link_order(ctx, architecture, units):
    """Writes the order of the host linker, in which the first of different definitions prevails."""
    order = output_file(ctx, architecture, "link-order.txt")
    lines = ctx.actions.args()
    lines.set_param_file_format("multiline")
    lines.add_all([
        unit.module_id
        for unit in units
        if [module for module in unit.modules if module.architecture == architecture]
    ])
    ctx.actions.write(order, lines)
    return order

def _module(ctx, architecture, module_id, bitcode):
    """Returns a module with the files that its job reads."""
    return struct(
        name = "%s for %s" % (module_id, architecture),
        module_id = module_id,
        bitcode = bitcode,
        plan = output_file(ctx, architecture, "plans", module_id + ".plan"),
        staged = output_file(ctx, architecture, "imports", module_id + ".imports"),
    )

def _first_of_jobs(modules, full):
    """Returns the modules with a job: all, or the first of each of `full` jobs.

    The thin link divides the modules in the same way.
    """
    if not full or full >= len(modules):
        return modules
    firsts = []
    last = None
    for position, module in enumerate(sorted(modules, key = _id_of_module)):
        job = position * full // len(modules)
        if job != last:
            firsts.append(module)
        last = job
    return firsts

def _id_of_module(module):
    return module.module_id

def _module_id(unit):
    return unit.module_id

def _module_with_job(ctx, architecture, options, module, has_groups):
    """Declares the job of a module, and returns the module's id with the files that it makes."""
    path = [ctx, architecture.name, "jobs"]
    linked = _product(path, module, "linked.bc")
    ptx = _product(path, module, "ptx") if architecture.has_code else None
    cubin = _product(path, module, "cubin") if architecture.has_code else None
    optimized = _product(path, module, "opt.bc") if architecture.has_ptx else None
    import_module(
        ctx.actions,
        toolchain_of(ctx),
        name = module.name,
        plan = module.plan,
        bitcode = module.bitcode,
        staged = module.staged,
        linked = linked,
    )
    tools = tools_of_group(ctx, CODEGEN_GROUP, has_groups)
    generate_code(
        ctx.actions,
        tools.toolchain,
        tools.group,
        name = module.name,
        options = options.codegen,
        linked = linked,
        ptx = ptx,
        optimized = optimized,
    )
    if cubin:
        tools = tools_of_group(ctx, ASSEMBLE_GROUP, has_groups)
        assemble(
            ctx.actions,
            tools.toolchain,
            tools.group,
            name = module.name,
            options = options.assemble,
            ptx = ptx,
            cubin = cubin,
        )
    return struct(module_id = module.module_id, ptx = ptx, cubin = cubin, optimized = optimized)

def _product(path, module, extension):
    return output_file(*(path + [module.module_id + "." + extension]))
