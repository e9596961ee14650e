"""How the units of one target compute, in nvcc's words."""

_NAMES = ["ftz", "prec-div", "prec-sqrt", "fmad"]
_VALUES = {"0": False, "1": True, "false": False, "true": True}

def arithmetic_of(options):
    """Takes nvcc's four options of arithmetic out of a target's options.

    What is not among them is as clang has it, which is nvcc's default but for square roots, and as
    the target's `copts` say. clang knows three of the four. `--prec-div` concerns only what makes
    code of the unit, so its summary tells it, as that of `--fmad` does: libdevice's instructions
    have no license to be fused until the thin link knows of it.

    Args:
      options: list of strings such as `--ftz=1`, with 0, 1, false or true

    Returns:
      An immutable struct of lists of strings: `copts`, for clang; `summarize`, for summarize;
      `others`, the options that are none of the four.
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
