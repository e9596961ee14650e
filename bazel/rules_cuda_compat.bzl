"""The names of rules_cuda over Weft's rules: a package moves by changing its `load`.

rules_cuda.md in this folder says what differs.
"""

load(
    ":defs.bzl",
    "weft_cuda_binary",
    "weft_cuda_library",
    "weft_cuda_test",
)

def _attributes(name, attributes, is_program):
    """Returns the attributes of Weft's rules for those of rules_cuda."""
    attributes = dict(attributes)

    # Weft always links device code across units, so both values of `rdc` give the same.
    attributes.pop("rdc", None)
    ptxasopts = attributes.pop("ptxasopts", [])
    if ptxasopts and not is_program:
        fail("%s: ptxas runs after the program's device link: give ptxasopts to the program" % name)
    if ptxasopts:
        options = ["-Xptxas=" + option for option in ptxasopts]
        attributes["options"] = attributes.get("options", []) + options
    host_copts = ["-D" + macro for macro in attributes.pop("host_local_defines", [])]
    host_defines = attributes.pop("host_defines", [])
    if host_defines:
        fail("%s: macros of dependents are for host and device code: give them to defines" % name)
    if host_copts:
        attributes["host_copts"] = attributes.get("host_copts", []) + host_copts
    host_linkopts = attributes.pop("host_linkopts", [])
    if host_linkopts:
        attributes["linkopts"] = attributes.get("linkopts", []) + host_linkopts
    return attributes

def cuda_library(name, **attributes):
    """A library of CUDA units.

    Args:
      name: string, the name of the target
      **attributes: attributes of rules_cuda's rule
    """
    weft_cuda_library(name = name, **_attributes(name, attributes, is_program = False))

def cuda_objects(name, **attributes):
    """CUDA units that a `cuda_library` of rules_cuda would link; here a library like others.

    Args:
      name: string, the name of the target
      **attributes: attributes of rules_cuda's rule
    """
    cuda_library(name = name, **attributes)

def cuda_binary(name, **attributes):
    """A program.

    Args:
      name: string, the name of the target
      **attributes: attributes of rules_cuda's macro
    """
    weft_cuda_binary(name = name, **_attributes(name, attributes, is_program = True))

def cuda_test(name, **attributes):
    """A test.

    Args:
      name: string, the name of the target
      **attributes: attributes of rules_cuda's macro
    """
    weft_cuda_test(name = name, **_attributes(name, attributes, is_program = True))
