"""The provider by which a library of CUDA units serves the targets that depend on it."""

WeftInfo = provider(
    doc = "Compiled and summarized units, and the settings for targets that include their headers.",
    fields = {
        "units": "depset of structs that `unit` returns: units of this target and of its deps",
        "headers": "depset of Files: headers of this target and of its deps",
        "includes": "depset of strings: include folders, searched by both forms of `#include`",
        "quote_includes": "depset of strings: include folders for `#include \"...\"` only",
        "defines": "depset of strings: macros `NAME` or `NAME=VALUE` for this target's dependents",
        "linkopts": "depset of strings: options for the link of the program",
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
