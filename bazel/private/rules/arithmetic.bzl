"""What the options of one target say about the compilation of its units."""

# The code shows the values of these; it does not show that approximate square roots are meant.
_SHOWN_BY_CODE = [("ftz", "0"), ("ftz", "1"), ("prec-sqrt", "1")]
_NUMBERS = {"": "1", "false": "0", "true": "1"}

# Options that nvcc has by the same names, and that its units show.
_FLAGS_OF_NVCC = ["ftz", "prec-div", "prec-sqrt", "fmad"]
_NAMES_OF_VALUES = {"0": "false", "1": "true"}

def arithmetic_of_nvcc(unit):
    """Returns the options with which a target's units are compiled by nvcc and summarized.

    Args:
      unit: dict of names of options, such as `ftz`, to values, as `sorted_options` returns

    Returns:
      An immutable struct of lists of strings: `copts` for nvcc, `summarize` for summarize.
    """
    values = {name: _NUMBERS.get(value, value) for name, value in unit.items()}
    copts = []
    rest = []
    for name in sorted(values):
        if name in _FLAGS_OF_NVCC:
            copts.append("--%s=%s" % (name, _NAMES_OF_VALUES[values[name]]))
        elif name == "generate-line-info":
            copts.append("--generate-line-info")
        elif name == "maxrregcount":
            copts.append("--maxrregcount=" + values[name])
        else:
            rest.append("--option=%s=%s" % (name, values[name]))
    return struct(copts = copts, summarize = rest)

def arithmetic_of(unit, clang_major):
    """Returns the options with which a target's units are compiled and summarized.

    An option of arithmetic that is not given keeps clang's default, which is nvcc's except for
    square roots, or the value that the target's `copts` set. clang knows three of the four.
    `--prec-div` concerns only the code generator, so the unit's summary states it, as it states
    `--fmad`: libdevice's instructions have no license to be fused until the thin link knows of that
    option. The summary states the options that are not about arithmetic, too, so that the thin link
    can compare the units.

    Args:
      unit: dict of names of options, such as `ftz`, to values, as `sorted_options` returns
      clang_major: int, the compiler's version

    Returns:
      An immutable struct of lists of strings: `copts` for clang, `summarize` for summarize.
    """
    values = {name: _NUMBERS.get(value, value) for name, value in unit.items()}
    copts = []
    if clang_major >= 21:
        # Before, no option has `sqrtf` rounded.
        copts.append("-mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT=%s" % values.get("prec-sqrt", "1"))
    if "ftz" in values:
        copts.append("-f%sgpu-flush-denormals-to-zero" % ("" if values["ftz"] == "1" else "no-"))
    if "fmad" in values:
        copts.append("-ffp-contract=" + ("fast" if values["fmad"] == "1" else "off"))
    if "generate-line-info" in values:
        copts.append("-gline-tables-only")
    return struct(
        copts = [word for copt in copts for word in ["-Xarch_device", copt]],
        summarize = [
            "--option=%s=%s" % (name, values[name])
            for name in sorted(values)
            if (name, values[name]) not in _SHOWN_BY_CODE
        ],
    )
