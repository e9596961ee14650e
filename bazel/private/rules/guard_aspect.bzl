"""The guard for programs of the rules for C++, as an aspect on the command line.

Their link is not Weft's, so no action of theirs can look at the linked file. The aspect does, for
each program and shared library that links a device image.
"""

load("//private/actions:guard.bzl", "guard_program")
load("//private/providers:weft_info.bzl", "WeftImageInfo")
load(":attributes.bzl", "TOOLCHAIN_TYPE")
load(":cc.bzl", "CcInfo", "linked_files")
load(":units.bzl", "has_tools", "output_file", "toolchain_of")
load(":units_aspect.bzl", "LINKED_KINDS", "LINKING_ATTRIBUTES", "targets_of")

_ImagesInfo = provider(
    doc = "The images that a file links which is linked with a target.",
    fields = {"images": "depset of WeftImageInfo"},
)

_PROGRAM_KINDS = ["cc_binary", "cc_shared_library", "cc_test"]

def _weft_guard_impl(target, ctx):
    deps = targets_of(ctx, LINKING_ATTRIBUTES)
    images = depset(
        [target[WeftImageInfo]] if WeftImageInfo in target else [],
        transitive = [dep[_ImagesInfo].images for dep in deps if _ImagesInfo in dep],
    )
    guarded = []

    # A program may load a shared library, or embed another program, that has an image of its own.
    passed_on = depset() if ctx.rule.kind in LINKED_KINDS else images
    if ctx.rule.kind in _PROGRAM_KINDS and has_tools(ctx):
        guarded = _guard(target, ctx, deps, images.to_list())
    return [_ImagesInfo(images = passed_on), OutputGroupInfo(weft_guard = depset(guarded))]

def _guard(target, ctx, deps, images):
    if not images:
        return []
    if len(images) > 1:
        fail("%s: it links the images %s and %s, and a linked file has one" % (
            ctx.label,
            images[0].label,
            images[1].label,
        ))

    # The rules for C++ have this output group for the objects of a target's own sources.
    static = []
    if OutputGroupInfo in target and hasattr(target[OutputGroupInfo], "compilation_outputs"):
        objects = target[OutputGroupInfo].compilation_outputs.to_list()
        static.extend([file for file in objects if file.extension == "o"])
    for dep in deps:
        if CcInfo in dep:
            static.extend(linked_files(dep[CcInfo].linking_context).static)
    program = output_file(ctx, "guarded")
    guard_program(
        ctx.actions,
        toolchain_of(ctx),
        name = str(ctx.label),
        linked = target.files.to_list()[0],
        objects = depset(static).to_list(),
        fatbin = images[0].fatbin,
        manifests = [link.manifest for link in images[0].links],
        program = program,
    )
    return [program]

weft_guard = aspect(
    implementation = _weft_guard_impl,
    doc = "Has the output group `weft_guard` fail where a program registers kernels or variables " +
          "that its device image lacks.",
    attr_aspects = LINKING_ATTRIBUTES,
    toolchains = [TOOLCHAIN_TYPE],
)
