"""`weft_cuda_binary` and `weft_cuda_test`: a program with its device code linked."""

load("//private/actions:guard.bzl", "guard_program")
load("//private/actions:run.bzl", "rule_groups")
load(
    "//private/providers:weft_info.bzl",
    "WeftImageInfo",
    "WeftInfo",
    "WeftUnitsInfo",
    "has_device_code",
)
load(":architectures.bzl", "CHOICE_ATTRIBUTES", "architectures_transition")
load(
    ":attributes.bzl",
    "ARCHITECTURES_ATTRIBUTES",
    "COMPILE_ATTRIBUTES",
    "LINK_ATTRIBUTES",
    "TOOLCHAIN_TYPE",
)
load(
    ":cc.bzl",
    "CC_ATTRIBUTES",
    "CC_TOOLCHAIN_TYPE",
    "CcInfo",
    "cc_common",
    "cc_infos",
    "link_program",
    "linked_files",
)
load(":coverage.bzl", "COVERAGE_ATTRIBUTES", "coverage_infos", "instrumented_files")
load(":cudart.bzl", "CUDART_ATTRIBUTES", "runtime_of")
load(":host_link.bzl", "host_link_options")
load(":image.bzl", "IMAGE_ASPECTS", "distinct_units", "make_image")
load(":options.bzl", "options_of", "sorted_options")
load(":outputs.bzl", "image_output_groups")
load(":units.bzl", "compile_target", "expanded", "runfiles_of", "toolchain_of")

def _weft_cuda_program_impl(ctx):
    compiled = compile_target(ctx)
    linked_already, image = _image(ctx, compiled.units)
    objects = [unit.object for unit in compiled.units]
    if image.registration and not linked_already:
        objects.append(image.registration)
    infos = cc_infos(ctx.attr.deps) + coverage_infos(ctx) + [
        CcInfo(linking_context = runtime_of(ctx)),
    ]
    linked = link_program(
        ctx,
        name = ctx.label.name + ".unguarded",
        objects = objects,
        user_link_flags = expanded(ctx, ctx.attr.linkopts),
        linking_contexts = [info.linking_context for info in infos],
        additional_inputs = ctx.files.additional_linker_inputs,
    )
    files = linked_files(cc_common.merge_cc_infos(cc_infos = infos).linking_context)
    program = ctx.actions.declare_file(ctx.label.name)
    guard_program(
        ctx.actions,
        toolchain_of(ctx),
        name = str(ctx.label),
        linked = linked,
        objects = objects + files.static,
        fatbin = image.fatbin,
        manifests = [link.manifest for link in image.links],
        program = program,
    )
    return [
        DefaultInfo(
            executable = program,
            files = depset([program]),
            runfiles = runfiles_of(ctx, files.dynamic),
        ),
        OutputGroupInfo(**image_output_groups(ctx, image)),

        # From Bazel 5.3 on this is a RunEnvironmentInfo, which Bazel 4 does not know by that name.
        testing.TestEnvironment({
            name: ctx.expand_make_variables(
                "env",
                ctx.expand_location(value, ctx.attr.data + ctx.attr.srcs),
                {},
            )
            for name, value in ctx.attr.env.items()
        }),
        instrumented_files(ctx, ["srcs"], compiled.notes),
    ]

def _image(ctx, own_units):
    """Returns whether the deps link the program's image already, and the image."""
    shared = depset(transitive = [dep[WeftUnitsInfo].images for dep in ctx.attr.deps]).to_list()
    if shared:
        for name in ["feedback", "keep", "libraries", "options", "ptxasopts"]:
            if getattr(ctx.attr, name):
                fail("%s: its deps link the image %s, which is to name the `%s`" % (
                    ctx.label,
                    shared[0].label,
                    name,
                ))
        return True, _checked(ctx, shared, _all_units(ctx, own_units))
    named = host_link_options(
        ctx.fragments.cpp.linkopts + expanded(ctx, ctx.attr.linkopts),
        [info.linking_context for info in cc_infos(ctx.attr.deps)],
    )
    chosen = [named, ctx.attr.keep, ctx.file.feedback, ctx.files.libraries]
    changes_link = any(chosen) or _changes_link(ctx)
    if not (changes_link or any([unit.modules for unit in own_units])):
        image = _image_of_dep(ctx)
        if image:
            return False, image
    keep = ["--keep=" + symbol for symbol in ctx.attr.keep]
    linked = cc_common.merge_cc_infos(cc_infos = cc_infos(ctx.attr.deps)).linking_context
    dynamic = linked_files(linked).dynamic
    shared = ["--shared-library=" + library.basename for library in dynamic]
    return False, make_image(
        ctx,
        _all_units(ctx, own_units),
        options_of(ctx),
        ["--has-global-host-info"] + named + shared + keep,
        ctx.file.feedback,
    )

def _all_units(ctx, own_units):
    return distinct_units(ctx.label, depset(
        own_units,
        transitive = [dep[WeftUnitsInfo].units for dep in ctx.attr.deps],
        order = "topological",
    ).to_list())

def _checked(ctx, images, units):
    """Returns the only image; fails if there is another one, or a unit whose code it lacks."""
    if len(images) > 1:
        fail("%s: its deps link the images %s and %s, and a program of Weft has one" % (
            ctx.label,
            images[0].label,
            images[1].label,
        ))
    for unit in units:
        if has_device_code(unit) and unit.module_id not in images[0].module_ids:
            fail("%s: the image %s, which its deps link, lacks %s" % (
                ctx.label,
                images[0].label,
                unit.module_id,
            ))
    return images[0]

def _image_of_dep(ctx):
    """Returns the image of a dep that has the device code of all deps; None if there is none."""
    others = []
    images = []
    for dep in ctx.attr.deps:
        if WeftImageInfo in dep:
            images.append(dep[WeftImageInfo])
            others.append(dep[WeftUnitsInfo].units)
        elif any([has_device_code(unit) for unit in dep[WeftUnitsInfo].units.to_list()]):
            return None
    if len(images) < 2:
        return images[0] if images else None

    # The image of a dep holds units of the program only, so as many are all of them.
    units = depset(transitive = others, order = "topological").to_list()
    count = len({unit.module_id: True for unit in units if has_device_code(unit)})
    for image in images:
        if len(image.module_ids) == count:
            return image
    return None

def _changes_link(ctx):
    options = sorted_options(ctx.label, options_of(ctx))
    return options.thinlink or options.codegen or options.assemble

def _program_rule(doc, attrs = {}, **kwargs):
    return rule(
        implementation = _weft_cuda_program_impl,
        doc = doc,
        attrs = dict(
            list(ARCHITECTURES_ATTRIBUTES.items()) + list(COMPILE_ATTRIBUTES.items()) +
            list(LINK_ATTRIBUTES.items()) + list(CC_ATTRIBUTES.items()) +
            list(CHOICE_ATTRIBUTES.items()) + list(CUDART_ATTRIBUTES.items()) +
            list(attrs.items()),
            deps = attr.label_list(
                doc = "Libraries: weft_cuda_library, weft_cuda_import, cc_library, cc_import and " +
                      "others, compiled for the program's architectures.",
                aspects = IMAGE_ASPECTS,
                cfg = architectures_transition,
                providers = [[WeftInfo], [CcInfo]],
            ),
            env = attr.string_dict(
                doc = "Variables of the environment that the program runs in; `$(rootpath)` " +
                      "and variables are expanded. Bazel 4 sets them for tests only.",
            ),
        ),
        fragments = ["cpp"],
        toolchains = [TOOLCHAIN_TYPE, CC_TOOLCHAIN_TYPE],
        **dict(rule_groups(), **kwargs)
    )

weft_cuda_binary = _program_rule(
    doc = "A program. Device code of its units and of all its deps is linked as one.",
    executable = True,
)

weft_cuda_test = _program_rule(
    doc = "A program that `bazel test` runs; it passes if it exits with 0.",
    attrs = COVERAGE_ATTRIBUTES,
    test = True,
)
