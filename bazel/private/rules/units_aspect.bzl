"""The aspect that finds units behind the targets of any rule.

A `cc_library` between a program and a CUDA library knows nothing of Weft. The aspect follows the
attributes that a link follows, and checks the libraries that other rules made: their host code may
launch kernels, and device bitcode in them would be lost.
"""

load("//private/actions:summarize.bzl", "summarize_host_unit")
load("//private/providers:weft_info.bzl", "WeftImageInfo", "WeftInfo", "WeftUnitsInfo", "unit")
load(":attributes.bzl", "TOOLCHAIN_TYPE")
load(":cc.bzl", "CcInfo", "static_library_of")
load(":units.bzl", "has_tools", "module_id_of", "output_file", "toolchain_of")

# Attributes of the rules for C and C++ by which a target is linked with another one.
LINKING_ATTRIBUTES = ["deps", "implementation_deps", "interface_deps", "srcs", "static_library"]

# Rules of the files that the host linker wrote: each has an image of its own.
LINKED_KINDS = ["cc_binary", "cc_shared_library", "cc_test", "weft_cuda_binary", "weft_cuda_test"]

def _weft_units_aspect_impl(target, ctx):
    if ctx.rule.kind in LINKED_KINDS:
        return [WeftUnitsInfo(units = depset(), images = depset())]
    deps = targets_of(ctx, LINKING_ATTRIBUTES)
    images = [dep[WeftUnitsInfo].images for dep in deps if WeftUnitsInfo in dep]
    own_image = [target[WeftImageInfo]] if WeftImageInfo in target else []
    if WeftInfo in target:
        units = target[WeftInfo].units
    elif own_image and ctx.rule.attr.architectures:
        # The image's deps are configured for it alone, and the program has deps of its own.
        units = depset()
    else:
        units = depset(
            _own_units(target, ctx, deps),
            transitive = [dep[WeftUnitsInfo].units for dep in deps if WeftUnitsInfo in dep],
            order = "topological",
        )
    return [WeftUnitsInfo(units = units, images = depset(own_image, transitive = images))]

def targets_of(ctx, names):
    """Returns the targets in attributes of the rule that an aspect looks at.

    Args:
      ctx: the context of an aspect
      names: list of strings, attributes, of which the rule may lack some

    Returns:
      A list of Targets.
    """
    targets = []
    for name in names:
        value = getattr(ctx.rule.attr, name, None)
        elements = value if type(value) == "list" else [value]
        targets.extend([element for element in elements if type(element) == "Target"])
    return targets

def _own_units(target, ctx, deps):
    """Returns the static libraries of the target itself as units."""
    if CcInfo not in target or not has_tools(ctx):
        return []

    # A target may pass on the library of a CUDA target that is among its sources.
    known = [file for dep in deps if WeftInfo in dep for file in dep[DefaultInfo].files.to_list()]
    archives = []
    for linker_input in target[CcInfo].linking_context.linker_inputs.to_list():
        if linker_input.owner == ctx.label:
            for library in linker_input.libraries:
                archive = static_library_of(library)
                if archive and archive not in known:
                    archives.append(archive)
    return [_unit(ctx, archive) for archive in archives]

def _unit(ctx, archive):
    module_id = module_id_of(archive)
    summary = output_file(ctx, module_id + ".summary")
    summarize_host_unit(
        ctx.actions,
        toolchain_of(ctx),
        module_id = module_id,
        object = archive,
        summary = summary,
    )
    return unit(module_id, ctx.label, object = archive, summary = summary)

weft_units_aspect = aspect(
    implementation = _weft_units_aspect_impl,
    doc = "Finds the units that a program is linked with, through targets of any rule.",
    attr_aspects = LINKING_ATTRIBUTES,
    provides = [WeftUnitsInfo],
    toolchains = [TOOLCHAIN_TYPE],
)
