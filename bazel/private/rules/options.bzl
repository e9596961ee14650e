"""A program's `options`, sorted by the executable that takes each."""

load(":arithmetic.bzl", "arithmetic_of")

# Prefixes of options. The value after `=` must not be empty.
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
_ASSEMBLE_FLAGS = [
    "--clone-functions=false",
    "--clone-functions=true",
    "--whole-kernels=false",
    "--whole-kernels=true",
]
_PTXAS = "-Xptxas="

def sorted_options(label, options):
    """Sorts options by the executable that takes them; fails for an unknown option.

    Args:
      label: Label of the target, for messages
      options: list of strings, in the form of the attribute `options`

    Returns:
      An immutable struct of lists of strings: `thinlink` and `codegen`, options for thinlink and
      for `backend-job codegen`; `assemble`, options for `backend-job assemble`.
    """
    thinlink = []
    codegen = []
    assemble = []
    for option in arithmetic_of(options).others:
        if option in _THINLINK_FLAGS or _starts_with(option, _THINLINK):
            thinlink.append(option)
        elif option in _CODEGEN_FLAGS or _starts_with(option, _CODEGEN):
            codegen.append(option)
        elif _starts_with(option, [_PTXAS]):
            assemble.append("--Xptxas=" + option[len(_PTXAS):])
        elif option in _ASSEMBLE_FLAGS:
            assemble.append(option)
        else:
            fail("%s: there is no option %r; known are %s and %sOPTION" % (
                label,
                option,
                ", ".join([
                    "-O0 to -O3",
                    "-Ofast-compile=LEVEL",
                    "the --inline-... options",
                    "--unroll-loops",
                ] + [prefix + "N" for prefix in _THINLINK] + _THINLINK_FLAGS + _ASSEMBLE_FLAGS + [
                    "--ftz=BOOL",
                    "--prec-div=BOOL",
                    "--prec-sqrt=BOOL",
                    "--fmad=BOOL",
                ]),
                _PTXAS,
            ))
    return struct(thinlink = thinlink, codegen = codegen, assemble = assemble)

def _starts_with(option, prefixes):
    for prefix in prefixes:
        if option.startswith(prefix) and option != prefix:
            return True
    return False
