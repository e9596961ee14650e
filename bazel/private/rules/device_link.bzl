"""The device link of a program for one architecture: thin link, jobs, image."""

load("//private/actions:image.bzl", "link_image")
load(
    "//private/actions:jobs.bzl",
    "assemble",
    "generate_code",
    "import_module",
    "stage_imports",
)
load("//private/actions:thinlink.bzl", "thinlink")
load(":options.bzl", "sorted_options")
load(":units.bzl", "output_file", "toolchain_of")

def link_device_code(ctx, architecture, units, options, thinlink_options):
    """Links the device code of all units for one architecture.

    Args:
      ctx: the context of a rule or aspect
      architecture: string such as `sm_90`
      units: list of units, including host-only units
      options: list of strings, in the form of the attribute `options`
      thinlink_options: list of strings, more options of thinlink

    Returns:
      A struct of `architecture`; `image`, the linked File, or None if no unit has device code;
      `manifest`, a File; `modules`, a list of structs that `_module_with_job` returns; `ptx` and
      `cubins`, lists of Files; `report_inputs`, a depset of the Files that a report reads.
    """
    toolchain = toolchain_of(ctx)
    name = "%s for %s" % (ctx.label, architecture)
    options = sorted_options(ctx.label, options)
    summaries = [unit.summary for unit in units if unit.summary]
    modules = []
    opaque = []

    # Units are sorted by module id, so that the image does not depend on the target that compiles a
    # unit.
    for unit in sorted(units, key = _module_id):
        for module in unit.modules:
            if module.architecture == architecture:
                summaries.append(module.summary)
                modules.append(_module(ctx, architecture, unit.module_id, module.bitcode))
        if unit.opaque:
            opaque.append(unit.opaque)
    manifest = output_file(ctx, architecture, "plans", "manifest.json")
    decisions = output_file(ctx, architecture, "plans", "decisions.weft")
    plans = [module.plan for module in modules]
    thinlink(
        ctx.actions,
        toolchain,
        name = name,
        options = thinlink_options + options.thinlink,
        folder = manifest.dirname,
        link_order = _link_order(ctx, architecture, units),
        summaries = summaries,
        plans = plans,
        manifest = manifest,
        decisions = decisions,
    )
    if not modules:
        return struct(
            architecture = architecture,
            image = None,
            manifest = manifest,
            modules = [],
            ptx = [],
            cubins = [],
            report_inputs = depset([manifest, decisions]),
        )
    _stage(ctx, architecture, name, manifest.dirname, modules)
    modules = [
        _module_with_job(ctx, architecture, options, module)
        for module in _first_of_jobs(modules, options.full)
    ]
    image = output_file(ctx, architecture, "image.cubin")
    cubins = [module.cubin for module in modules]
    link_image(ctx.actions, toolchain, name, architecture, cubins + opaque, image)
    ptx = [module.ptx for module in modules]
    return struct(
        architecture = architecture,
        image = image,
        manifest = manifest,
        modules = modules,
        ptx = ptx,
        cubins = cubins,
        # `backend-job report` finds the decisions and the plans beside the manifest.
        report_inputs = depset([manifest, decisions] + plans + ptx + cubins),
    )

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

def _map_line(module):
    return "%s\t%s" % (module.module_id, module.bitcode.path)

def _stage(ctx, architecture, name, plans_folder, modules):
    module_map = output_file(ctx, architecture, "modules.tsv")
    lines = ctx.actions.args()
    lines.set_param_file_format("multiline")
    lines.add_all(modules, map_each = _map_line)
    ctx.actions.write(module_map, lines)
    bitcode = [module.bitcode for module in modules]
    plans = [module.plan for module in modules]
    first = modules[0]
    stage_imports(
        ctx.actions,
        toolchain_of(ctx),
        name = name,
        plans_folder = plans_folder,
        folder = first.staged.path[:-len(first.module_id + ".imports") - 1],
        module_map = module_map,
        inputs = bitcode + plans,
        outputs = [module.staged for module in modules],
    )

def _module_with_job(ctx, architecture, options, module):
    """Declares the job of a module, and returns the module's id with the files that it makes."""
    toolchain = toolchain_of(ctx)
    linked = output_file(ctx, architecture, "jobs", module.module_id + ".linked.bc")
    ptx = output_file(ctx, architecture, "jobs", module.module_id + ".ptx")
    cubin = output_file(ctx, architecture, "jobs", module.module_id + ".cubin")
    import_module(
        ctx.actions,
        toolchain,
        name = module.name,
        plan = module.plan,
        bitcode = module.bitcode,
        staged = module.staged,
        linked = linked,
    )
    generate_code(
        ctx.actions,
        toolchain,
        name = module.name,
        options = options.codegen,
        linked = linked,
        ptx = ptx,
    )
    assemble(
        ctx.actions,
        toolchain,
        name = module.name,
        options = options.assemble,
        ptx = ptx,
        cubin = cubin,
    )
    return struct(module_id = module.module_id, ptx = ptx, cubin = cubin)
