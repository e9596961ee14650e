"""A device image: the device link for each architecture, and the object that registers all."""

load(
    "//private/actions:image.bzl",
    "compile_registration",
    "define_units",
    "pack_images",
    "wrap_image",
)
load("//private/actions:run.bzl", "ASPECTS_HAVE_GROUPS", "RULES_HAVE_GROUPS", "aspect_groups")
load("//private/providers:weft_info.bzl", "WeftImageInfo", "WeftUnitsInfo", "has_device_code")
load(":architectures.bzl", "architectures_of")
load(":attributes.bzl", "ARCHITECTURES_ATTRIBUTES", "TOOLCHAIN_TYPE")
load(":device_link.bzl", "link_device_code")
load(":options.bzl", "sorted_options")
load(":units.bzl", "output_file", "toolchain_of")
load(":units_aspect.bzl", "weft_units_aspect")

def make_image(
        ctx,
        units,
        options,
        thinlink_options,
        feedback = None,
        has_groups = RULES_HAVE_GROUPS):
    """Declares the actions that link the device code of units.

    Args:
      ctx: the context of a rule or an aspect, to whose target the actions belong
      units: list of units, as `distinct_units` returns
      options: list of strings, in the form of the attribute `options`
      thinlink_options: list of strings, more options of thinlink
      feedback: File, what earlier builds said about kernels, or None
      has_groups: bool, whether the rule or aspect has execution groups

    Returns:
      A WeftImageInfo, whose `registration` and `fatbin` are None if no unit has device code.
    """
    links = [
        link_device_code(
            ctx,
            architecture,
            units,
            options,
            thinlink_options,
            feedback,
            has_groups,
        )
        for architecture in architectures_of(ctx)
    ]
    module_ids = [unit.module_id for unit in units if has_device_code(unit)]
    registration = None
    fatbin = None
    if any([unit.modules for unit in units]):
        fatbin = output_file(ctx, "image.fatbin")
        objects = [unit.opaque for unit in units if unit.opaque]
        if toolchain_of(ctx).nvcc:
            objects.extend([unit.object for unit in units if unit.modules])
        registration = _register(ctx, links, options, fatbin, module_ids, objects)
    return WeftImageInfo(
        fatbin = fatbin,
        label = ctx.label,
        links = links,
        module_ids = module_ids,
        registration = registration,
    )

def _register(ctx, links, options, fatbin, module_ids, objects):
    toolchain = toolchain_of(ctx)
    name = str(ctx.label)
    options = sorted_options(ctx.label, options).fatbinary
    pack_images(ctx.actions, toolchain, name, links, options, fatbin)
    wrapped = output_file(ctx, "registration.c")
    wrap_image(ctx.actions, toolchain, name, fatbin, objects, wrapped)
    definitions = output_file(ctx, "units.s")
    define_units(ctx.actions, module_ids, definitions)
    object = output_file(ctx, "registration.o")
    compile_registration(ctx.actions, toolchain, name, wrapped, fatbin, definitions, object)
    return object

def distinct_units(label, units):
    """Returns the units without repetitions; fails if two units have the same module id.

    Two targets may bring the same file, which counts as one unit, such as prebuilt device code that
    two targets import.

    Args:
      label: Label of the target, for messages
      units: list of units

    Returns:
      A list of units.
    """
    known = {}
    for unit in units:
        first = known.setdefault(unit.module_id, unit)
        if (first.object, first.opaque) != (unit.object, unit.opaque):
            fail("%s: %s is in %s and in %s, and a program takes a unit once" % (
                label,
                unit.module_id,
                first.owner,
                unit.owner,
            ))
    return known.values()

def _weft_image_aspect_impl(target, ctx):
    units = target[WeftUnitsInfo].units.to_list()
    if WeftImageInfo in target or not any([unit.modules for unit in units]):
        return []
    return [make_image(
        ctx,
        distinct_units(ctx.label, units),
        options = [],
        thinlink_options = ["--has-global-host-info"],
        has_groups = ASPECTS_HAVE_GROUPS,
    )]

weft_image_aspect = aspect(
    implementation = _weft_image_aspect_impl,
    doc = "Makes the device image of a program's dep. It belongs to the dep, so all programs " +
          "which add no device code of their own share it.",
    attrs = ARCHITECTURES_ATTRIBUTES,
    required_aspect_providers = [WeftUnitsInfo],
    toolchains = [TOOLCHAIN_TYPE],
    **aspect_groups()
)

IMAGE_ASPECTS = [weft_units_aspect, weft_image_aspect]
