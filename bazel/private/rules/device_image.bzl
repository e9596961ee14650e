"""`weft_device_image`: a device image that programs of any rule share."""

load("//private/actions:run.bzl", "rule_groups")
load("//private/providers:weft_info.bzl", "WeftImageInfo", "WeftUnitsInfo")
load(":architectures.bzl", "CHOICE_ATTRIBUTES", "architectures_transition")
load(":attributes.bzl", "ARCHITECTURES_ATTRIBUTES", "LINK_ATTRIBUTES", "TOOLCHAIN_TYPE")
load(
    ":cc.bzl",
    "CC_ATTRIBUTES",
    "CC_TOOLCHAIN_TYPE",
    "CcInfo",
    "cc_common",
    "cc_infos",
    "link_library",
)
load(":host_link.bzl", "host_link_options")
load(":image.bzl", "distinct_units", "make_image")
load(":options.bzl", "options_of", "sorted_options")
load(":outputs.bzl", "image_output_groups")
load(":units_aspect.bzl", "weft_units_aspect")

def _weft_device_image_impl(ctx):
    sorted_options(ctx.label, options_of(ctx), is_image = True)
    units = depset(
        transitive = [dep[WeftUnitsInfo].units for dep in ctx.attr.deps],
        order = "topological",
    )

    if ctx.attr.complete and ctx.attr.exported:
        fail("%s: `complete` says that nothing else launches kernels, and `exported` that what " %
             ctx.label + "links the shared library does: give one of them")

    # Which programs link the image is not known, so what their host code could refer to stays.
    host_info = ["--has-global-host-info"]
    if ctx.attr.exported:
        host_info.append("--exports-host-symbols")
    elif not ctx.attr.complete:
        host_info.append("--ignore-host-info")
    contexts = [info.linking_context for info in cc_infos(ctx.attr.deps)]
    host_info += host_link_options(ctx.fragments.cpp.linkopts, contexts)
    image = make_image(
        ctx,
        distinct_units(ctx.label, units.to_list()),
        options_of(ctx),
        host_info + ["--keep=" + symbol for symbol in ctx.attr.keep],
        ctx.file.feedback,
    )
    if not image.registration:
        fail("%s: no target of `deps` has device code" % ctx.label)

    # With architectures of its own, the image's deps are configured for it alone. Their host code
    # is not linked, as the program has that of its own deps.
    infos = [] if ctx.attr.architectures else cc_infos(ctx.attr.deps)
    library = link_library(
        ctx,
        name = ctx.label.name,
        objects = [image.registration],
        alwayslink = True,
        user_link_flags = [],
        linking_contexts = [info.linking_context for info in infos],
    )
    compilation_context = cc_common.merge_cc_infos(cc_infos = infos).compilation_context
    return [
        DefaultInfo(files = depset([image.fatbin])),
        CcInfo(
            compilation_context = compilation_context,
            linking_context = library.linking_context,
        ),
        image,
        OutputGroupInfo(**image_output_groups(ctx, image)),
    ]

weft_device_image = rule(
    implementation = _weft_device_image_impl,
    doc = "Links the device code of `deps`. Programs and shared libraries of any rule that have " +
          "this target in their `deps` share the image.",
    attrs = dict(
        list(ARCHITECTURES_ATTRIBUTES.items()) + list(LINK_ATTRIBUTES.items()) +
        list(CC_ATTRIBUTES.items()) + list(CHOICE_ATTRIBUTES.items()),
        complete = attr.bool(
            doc = "Whether `deps` are all host code that launches kernels: then kernels that " +
                  "nothing launches are removed.",
        ),
        exported = attr.bool(
            doc = "For a shared library: whether `deps` are all of its host code that launches " +
                  "kernels. Then kernels and variables that this code does not use are removed " +
                  "if their host symbols are hidden, so that no other file can use them.",
        ),
        deps = attr.label_list(
            doc = "weft_cuda_library and weft_cuda_import targets, and targets of any rule that " +
                  "depend on some.",
            aspects = [weft_units_aspect],
            cfg = architectures_transition,
            mandatory = True,
        ),
    ),
    fragments = ["cpp"],
    provides = [CcInfo, WeftImageInfo],
    toolchains = [TOOLCHAIN_TYPE, CC_TOOLCHAIN_TYPE],
    **rule_groups()
)
