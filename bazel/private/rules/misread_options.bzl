"""Compiler options that clang would refuse or misread."""

load(":nvcc_options.bzl", "NVCC_OPTIONS")

# The word behind one of these is for another program.
_FOR_OTHERS = [
    "-Xassembler",
    "-Xclang",
    "-Xcuda-fatbinary",
    "-Xcuda-ptxas",
    "-Xlinker",
    "-Xoffload-linker",
    "-Xpreprocessor",
    "-mllvm",
]

def check_options(label, places):
    """Fails for options of nvcc, and for a limit of registers that the compiler would ignore.

    Args:
      label: Label of the target, for messages
      places: dict from the name of an attribute to its list of options, divided into words
    """
    faults = {}
    for place, words in places.items():
        for fault, remedy in _misread(words):
            faults["%s (%s). Instead: %s" % (fault, place, remedy)] = True
    if faults:
        fail("%s has options that its compiler, clang, would refuse or misread:\n  %s" % (
            label,
            "\n  ".join(faults.keys()),
        ))

def _misread(words):
    """Returns the options of a list that clang would misread, each with the remedy."""
    faults = []
    last = ""
    for position in range(len(words)):
        word = words[position]
        before, last = last, word
        if before == "-Xcuda-ptxas" and word.lstrip("-").partition("=")[0] == "maxrregcount":
            faults.append((before + " " + word, "%s, as the compiler runs no ptxas for units" % (
                "`options` --maxrregcount=N"
            )))
        if before in _FOR_OTHERS:
            last = ""
            continue
        name, equals, value = word.partition("=")
        if name not in NVCC_OPTIONS and name.rstrip("0123456789") in NVCC_OPTIONS:
            name = name.rstrip("0123456789")
            if not NVCC_OPTIONS[name].startswith("number|"):
                continue
        if name not in NVCC_OPTIONS:
            continue
        form, choices, remedy = NVCC_OPTIONS[name].split("|")
        if form == "values":
            following = words[position + 1] if position + 1 < len(words) else ""
            given = (value if equals else following).partition(",")[0]
            if given in choices.split(","):
                faults.append((word if equals else word + " " + following, remedy))
        elif form not in ["joined", "alone"] or (form == "joined") == bool(equals):
            faults.append((word, remedy))
    return faults
