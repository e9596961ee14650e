"""The names of rules_cuda over Weft's rules: a package moves by changing its `load`.

rules_cuda.md in this folder says what differs. Every attribute may be a `select()`, so nothing here
looks into one.
"""

load(
    ":defs.bzl",
    "weft_cuda_binary",
    "weft_cuda_library",
    "weft_cuda_test",
)

def _attributes(name, attributes):
    """Returns the attributes of Weft's rules for those of rules_cuda."""
    attributes = dict(attributes)

    # Weft always links device code across units, so both values of `rdc` give the same. `linkopts`
    # is for the device link there, and for the host's is `host_linkopts`.
    attributes.pop("rdc", None)
    attributes.pop("linkstatic", None)
    if "host_defines" in attributes:
        fail("%s: macros of dependents are for host and device code: give them to defines" % name)
    if "linkopts" in attributes:
        fail("%s: linkopts is for rules_cuda's device link: give `-Xnvlink=OPTION` to the " % name +
             "options of the program, and the host link's to host_linkopts")
    attributes["linkopts"] = attributes.pop("host_linkopts", [])
    return attributes

def _attributes_of_program(name, attributes):
    attributes = _attributes(name, attributes)
    if attributes.pop("linkshared", False):
        fail("%s: a shared library is a cc_binary with linkshared and a weft_device_image" % name)

    # A program links all of its own units.
    attributes.pop("alwayslink", None)
    attributes["srcs"] = attributes.get("srcs", []) + attributes.pop("hdrs", [])
    return attributes

def cuda_library(name, **attributes):
    """A library of CUDA units.

    Args:
      name: string, the name of the target
      **attributes: attributes of rules_cuda's rule
    """
    if "ptxasopts" in attributes:
        fail("%s: ptxas runs after the program's device link: give ptxasopts to the program" % name)
    weft_cuda_library(name = name, **_attributes(name, attributes))

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
    weft_cuda_binary(name = name, **_attributes_of_program(name, attributes))

def cuda_test(name, **attributes):
    """A test.

    Args:
      name: string, the name of the target
      **attributes: attributes of rules_cuda's macro
    """
    weft_cuda_test(name = name, **_attributes_of_program(name, attributes))
