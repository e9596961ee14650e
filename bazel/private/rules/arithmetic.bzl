"""Floating-point arithmetic of one target's units, by nvcc's options."""

_NAMES = ["ftz", "prec-div", "prec-sqrt", "fmad"]
_VALUES = {"0": False, "1": True, "false": False, "true": True}

def arithmetic_of(options):
    """Separates nvcc's four options of floating-point arithmetic from a target's other options.

    An option that is not given keeps clang's default, which is nvcc's except for square roots, or
    the value that the target's `copts` set. clang knows three of the four. `--prec-div` concerns
    only the code generator, so the unit's summary records it, as it records `--fmad`: libdevice's
    instructions have no license to be fused until the thin link knows of that option.

    Args:
      options: list of strings such as `--ftz=1`, with 0, 1, false or true

    Returns:
      An immutable struct of lists of strings: `copts` for clang, `summarize` for summarize, and
      `others`, the remaining options.
    """
    values = {}
    others = []
    for option in options:
        name, _, value = option.partition("=")
        if name[2:] in _NAMES and name.startswith("--") and value in _VALUES:
            values[name[2:]] = _VALUES[value]
        else:
            others.append(option)
    rounds_roots = 1 if values.get("prec-sqrt", True) else 0
    copts = ["-mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT=%d" % rounds_roots]
    if "ftz" in values:
        copts.append("-f%sgpu-flush-denormals-to-zero" % ("" if values["ftz"] else "no-"))
    if "fmad" in values:
        copts.append("-ffp-contract=" + ("fast" if values["fmad"] else "off"))
    stated = [name for name in ["prec-div", "fmad"] if name in values]
    return struct(
        copts = [word for copt in copts for word in ["-Xarch_device", copt]],
        summarize = ["--option=%s=%d" % (name, 1 if values[name] else 0) for name in stated],
        others = others,
    )
