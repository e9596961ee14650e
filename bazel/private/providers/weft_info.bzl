"""The providers by which CUDA units and device images serve the targets that depend on them."""

WeftInfo = provider(
    doc = "Compiled and summarized units, for rules beside `CcInfo`, which has all the rest.",
    fields = {
        "units": "depset of structs that `unit` returns: units of this target and of its deps",
    },
)

WeftUnitsInfo = provider(
    doc = "What an aspect finds behind any target: units of Weft, and libraries of other rules.",
    fields = {
        "images": "depset of WeftImageInfo: device images of `weft_device_image` targets",
        "units": "depset of structs that `unit` returns",
    },
)

WeftImageInfo = provider(
    doc = "A linked device image, with the object that registers it.",
    fields = {
        "fatbin": "File: the images of all architectures",
        "label": "Label of the target whose units the image is made of",
        "links": "list of structs that `link_device_code` returns, one for each architecture",
        "module_ids": "list of strings: the units with device code that the image holds",
        "registration": "File: the host object that holds the image and registers it",
    },
)

def unit(module_id, owner, object = None, modules = [], summary = None, opaque = None):
    """Returns a translation unit, compiled and summarized, or a file of prebuilt device code.

    Args:
      module_id: string, the unit's stable name: its source path relative to the workspace
      owner: Label of the target that compiled it
      object: File, the host object, which holds the device bitcode of a CUDA unit, too; None for
        prebuilt device code
      modules: list of structs that `module` returns, one for each architecture of a CUDA unit
      summary: File, the one summary of a host-only unit or of prebuilt device code
      opaque: File, prebuilt device code, which the device linker takes unchanged

    Returns:
      An immutable struct with these fields, fit for a depset.
    """
    return struct(
        module_id = module_id,
        owner = owner,
        object = object,
        modules = tuple(modules),
        summary = summary,
        opaque = opaque,
    )

def module(architecture, summary, bitcode):
    """Returns the device code of one unit for one architecture.

    Args:
      architecture: string, such as `sm_90`
      summary: File, the input of the thin link
      bitcode: File, the input of the jobs

    Returns:
      An immutable struct with these fields.
    """
    return struct(architecture = architecture, summary = summary, bitcode = bitcode)

def has_device_code(unit):
    """Returns whether a device image is to hold code of the unit."""
    return bool(unit.modules or unit.opaque)
