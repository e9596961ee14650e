"""`weft_cuda_binary` and `weft_cuda_test`: a program with its device code linked."""

load("//private/actions:image.bzl", "compile_registration", "pack_images", "wrap_image")
load("//private/actions:link.bzl", "guard_program", "link_program")
load("//private/actions:report.bzl", "list_products", "write_report")
load(":architectures.bzl", "architectures_of")
load(":attributes.bzl", "COMPILE_ATTRIBUTES", "PROGRAM_ATTRIBUTES", "TOOLCHAIN_TYPE")
load(":device_link.bzl", "link_device_code")
load(":units.bzl", "compile_target", "output_file", "toolchain_of")

def _weft_cuda_program_impl(ctx):
    info = compile_target(ctx).info

    # Only here do the units become a list: from here on, each module has its own actions.
    units = _checked(ctx, info.units.to_list())
    linked = [
        link_device_code(ctx, architecture, units)
        for architecture in architectures_of(ctx)
    ]
    program = ctx.actions.declare_file(ctx.label.name)
    objects = [unit.object for unit in units if unit.object]
    fatbin = None
    if any([unit.modules for unit in units]):
        fatbin = output_file(ctx, "image.fatbin")
        images = {link.architecture: link.image for link in linked}
        objects.append(_registration(ctx, images, fatbin))
    unguarded = output_file(ctx, "unguarded")
    link_program(
        ctx.actions,
        toolchain_of(ctx),
        name = str(ctx.label),
        objects = objects,
        has_image = fatbin != None,
        linkopts = info.linkopts,
        program = unguarded,
    )
    guard_program(
        ctx.actions,
        toolchain_of(ctx),
        name = str(ctx.label),
        linked = unguarded,
        objects = objects,
        fatbin = fatbin,
        manifests = [link.manifest for link in linked],
        program = program,
    )
    text, page = _reports(ctx, linked)
    return [
        DefaultInfo(
            executable = program,
            files = depset([program]),
            runfiles = ctx.runfiles(files = ctx.files.data),
        ),
        OutputGroupInfo(
            weft_cubins = depset([file for link in linked for file in link.cubins]),
            weft_image = depset([link.image for link in linked if link.image]),
            weft_manifest = depset([link.manifest for link in linked]),
            weft_ptx = depset([file for link in linked for file in link.ptx]),
            weft_report = depset([text]),
            weft_report_page = depset([page]),
        ),
    ]

def _checked(ctx, units):
    """Returns the units without repetitions; fails if two units have the same module id.

    Two targets may bring the same file, which counts as one unit: a library that two
    `weft_cc_deps` reach, or prebuilt device code that two targets import.
    """
    known = {}
    for unit in units:
        first = known.setdefault(unit.module_id, unit)
        if (first.object, first.opaque) != (unit.object, unit.opaque):
            fail("%s: %s is in %s and in %s, and a program takes a unit once" % (
                ctx.label,
                unit.module_id,
                first.owner,
                unit.owner,
            ))
    return known.values()

def _registration(ctx, images, fatbin):
    toolchain = toolchain_of(ctx)
    name = str(ctx.label)
    pack_images(ctx.actions, toolchain, name, images, fatbin)
    registration = output_file(ctx, "registration.bc")
    wrap_image(ctx.actions, toolchain, name, fatbin, registration)
    object = output_file(ctx, "registration.o")
    compile_registration(ctx.actions, toolchain, name, registration, object)
    return object

def _reports(ctx, linked):
    """Declares the text and the page, which only builds of their output groups make."""
    lists = [output_file(ctx, link.architecture, "products.tsv") for link in linked]
    for link, file in zip(linked, lists):
        list_products(ctx.actions, link, file)
    reports = []
    for option, file_name in [("-o", "report.txt"), ("--html", "report.html")]:
        report = output_file(ctx, file_name)
        write_report(
            ctx.actions,
            toolchain_of(ctx),
            name = str(ctx.label),
            title = ctx.label.name,
            links = linked,
            lists = lists,
            option = option,
            report = report,
        )
        reports.append(report)
    return reports

def _program_rule(doc, **kwargs):
    return rule(
        implementation = _weft_cuda_program_impl,
        doc = doc,
        attrs = dict(list(COMPILE_ATTRIBUTES.items()) + list(PROGRAM_ATTRIBUTES.items())),
        toolchains = [TOOLCHAIN_TYPE],
        **kwargs
    )

weft_cuda_binary = _program_rule(
    doc = "A program. Device code of its units and of all its deps is linked as one.",
    executable = True,
)

weft_cuda_test = _program_rule(
    doc = "A program that `bazel test` runs; it passes if it exits with 0.",
    test = True,
)
