"""A program's `options`, sorted by the executable that takes each."""

load(":arithmetic.bzl", "arithmetic_of")

# What an option starts with; what follows `=` must not be empty.
_THINLINK = [
    "--closure-growth=",
    "--closure-limit=",
    "--import-instr-evolution-factor=",
    "--import-instr-limit=",
]
_THINLINK_FLAGS = [
    "--close-modules=false",
    "--close-modules=true",
    "--optimize-unused-variables",
]
_CODEGEN = ["-Ofast-compile=", "--inline-"]
_CODEGEN_FLAGS = [
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "--aggressive-inline",
    "--disable-inlined-alloca-merging",
    "--disable-inlining",
    "--nv-inline-all",
    "--unroll-loops",
]
_PTXAS = "-Xptxas="

def sorted_options(label, options):
    """Sorts options; ends the analysis at an unknown one.

    Args:
      label: Label of the target, for messages
      options: list of strings, in the form of the attribute `options`

    Returns:
      An immutable struct of lists of strings: `thinlink` and `codegen`, options for thinlink and
      for `backend-job codegen`; `ptxas`, options for ptxas.
    """
    thinlink = []
    codegen = []
    ptxas = []
    for option in arithmetic_of(options).others:
        if option in _THINLINK_FLAGS or _starts_with(option, _THINLINK):
            thinlink.append(option)
        elif option in _CODEGEN_FLAGS or _starts_with(option, _CODEGEN):
            codegen.append(option)
        elif _starts_with(option, [_PTXAS]):
            ptxas.append(option[len(_PTXAS):])
        else:
            fail("%s: there is no option %r; known are %s and %sOPTION" % (
                label,
                option,
                ", ".join([
                    "-O0 to -O3",
                    "-Ofast-compile=LEVEL",
                    "the --inline-... options",
                    "--unroll-loops",
                ] + [prefix + "N" for prefix in _THINLINK] + _THINLINK_FLAGS + [
                    "--ftz=BOOL",
                    "--prec-div=BOOL",
                    "--prec-sqrt=BOOL",
                    "--fmad=BOOL",
                ]),
                _PTXAS,
            ))
    return struct(thinlink = thinlink, codegen = codegen, ptxas = ptxas)

def _starts_with(option, prefixes):
    for prefix in prefixes:
        if option.startswith(prefix) and option != prefix:
            return True
    return False
