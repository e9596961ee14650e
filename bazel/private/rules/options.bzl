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
_CODEGEN = ["-Ofast-compile=", "--inline-", "--inlinecold-", "--inlinehint-"]
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
    "--search",
    "--whole-kernels=false",
    "--whole-kernels=true",
]

# Before an option of codegen that is not listed here.
_ANY_CODEGEN = "-Xcodegen="
_PTXAS = "-Xptxas="
_FULL = "--full"

def sorted_options(label, options):
    """Sorts options by the executable that takes them; fails for an unknown option.

    Args:
      label: Label of the target, for messages
      options: list of strings, in the form of the attribute `options`

    Returns:
      An immutable struct of lists of strings: `thinlink` and `codegen`, options for thinlink and
      for `backend-job codegen`; `assemble`, options for `backend-job assemble`; and of `full`, the
      number of jobs, or 0 for a job of each module.
    """
    thinlink = []
    codegen = []
    assemble = []
    full = 0
    for option in arithmetic_of(options).others:
        if option in _THINLINK_FLAGS or _starts_with(option, _THINLINK):
            thinlink.append(option)
        elif option == _FULL:
            full = 1
        elif _number_of_jobs(option):
            full = _number_of_jobs(option)
        elif option in _CODEGEN_FLAGS or _starts_with(option, _CODEGEN):
            codegen.append(option)
        elif _starts_with(option, [_ANY_CODEGEN]):
            codegen.append(option[len(_ANY_CODEGEN):])
        elif _starts_with(option, [_PTXAS]):
            assemble.append("--Xptxas=" + option[len(_PTXAS):])
        elif option in _ASSEMBLE_FLAGS:
            assemble.append(option)
        else:
            fail("%s: there is no option %r; known are %s, %sOPTION and %sOPTION" % (
                label,
                option,
                ", ".join([
                    "-O0 to -O3",
                    "-Ofast-compile=LEVEL",
                    "the --inline-... options",
                    "--unroll-loops",
                    "--full=N",
                ] + [prefix + "N" for prefix in _THINLINK] + _THINLINK_FLAGS + _ASSEMBLE_FLAGS + [
                    "--ftz=BOOL",
                    "--prec-div=BOOL",
                    "--prec-sqrt=BOOL",
                    "--fmad=BOOL",
                ]),
                _ANY_CODEGEN,
                _PTXAS,
            ))
    if full:
        # Actions are declared before the thin link runs, so it gets the number in any case.
        thinlink.append("%s=%d" % (_FULL, full))
    return struct(thinlink = thinlink, codegen = codegen, assemble = assemble, full = full)

def _number_of_jobs(option):
    """Returns N of `--full=N`, or 0 for another option."""
    number = option[len(_FULL) + 1:] if option.startswith(_FULL + "=") else ""
    return int(number) if number.isdigit() else 0

def _starts_with(option, prefixes):
    for prefix in prefixes:
        if option.startswith(prefix) and option != prefix:
            return True
    return False
