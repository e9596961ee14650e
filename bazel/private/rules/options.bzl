"""A target's `options`, sorted by the steps that take each."""

load(":known_options.bzl", "KNOWN_OPTIONS", "REFUSED_OPTIONS")

# Before an option of a step that needs no entry in the list.
_STEPS = ["summarize", "thinlink", "codegen", "assemble", "nvlink", "fatbinary"]
_PTXAS = "-Xptxas="

# Options of ptxas by which it reads files.
_FILES_OF_PTXAS = ["--apply-controls", "--options-file", "-optf"]

_FULL = "--full"

def options_of(ctx):
    """Returns a target's options.

    Args:
      ctx: the context of a rule with the attribute `options`

    Returns:
      A list of strings, in the form of that attribute.
    """
    return ctx.attr.options + [
        _PTXAS + option
        for option in getattr(ctx.attr, "ptxasopts", [])
    ]

def sorted_options(label, options, is_library = False, is_image = False):
    """Sorts options by the steps that take them; fails for an option that no step takes.

    Args:
      label: Label of the target, for messages
      options: list of strings, in the form of the attribute `options`
      is_library: bool, whether the target is a library, which has no device link
      is_image: bool, whether the target is an image of other targets' units, which has none itself

    Returns:
      An immutable struct of lists of strings: `summarize`, `thinlink`, `codegen`, `assemble`,
      `nvlink` and `fatbinary`, options for these steps, the first for the target's own units; of
      `unit`, a dict of names that `summarize --option` knows to values, with which the target's
      units are compiled; and of `full`, the number of jobs, or 0 for a job of each module.
    """
    by_step = {step: [] for step in _STEPS}
    unit = {}
    full = 0
    for option in options:
        name, form, steps, value = _found(label, option)
        if form == "of_tool":
            by_step[steps[0]].append(value)
        elif name == _FULL:
            full = _number_of_jobs(label, option, value)
        else:
            for step in steps:
                if step == "unit":
                    unit[name[2:]] = value
                else:
                    by_step[step].append(option)
        if is_image and not [step for step in steps if step not in ["unit", "summarize"]]:
            fail("%s: option %r is for units, and this target has none of its own: %s" % (
                label,
                option,
                "give it to the libraries that compile them",
            ))
        if is_library and not ("unit" in steps or "summarize" in steps):
            fail("%s: option %r is for the device link, and this target is a library: %s" % (
                label,
                option,
                "give it to the programs and images that link it",
            ))
    if full:
        # Actions are declared before the thin link runs, so it gets the number in any case.
        by_step["thinlink"].append("%s=%d" % (_FULL, full))
    return struct(full = full, unit = unit, **by_step)

def _found(label, option):
    """Returns an option's name, the form of its value, the steps that take it, and its value."""
    for step in _STEPS:
        prefix = "-X%s=" % step
        if option.startswith(prefix) and option != prefix:
            value = option[len(prefix):]
            _check_given(label, option, value.partition("=")[0])
            return prefix, "of_tool", [step], value
    if option.startswith(_PTXAS) and option != _PTXAS:
        value = option[len(_PTXAS):]
        if value.partition("=")[0] in _FILES_OF_PTXAS:
            fail("%s: option %r names a file, and no attribute declares it" % (label, option))
        return _PTXAS, "of_tool", ["assemble"], "--Xptxas=" + value

    # Of an option such as `-O3` the first letter is the name.
    name, equals, value = option.partition("=")
    if not option.startswith("--"):
        name, equals, value = option[:2], "", option[2:]
    _check_given(label, option, name)
    if name not in KNOWN_OPTIONS:
        fail("%s: there is no option %r; the nearest are %s; %s" % (
            label,
            option,
            ", ".join(_nearest(name)),
            "options of tools have -Xsummarize=, -Xthinlink=, -Xcodegen=, -Xassemble=, -Xptxas=, " +
            "-Xnvlink= or -Xfatbinary= before them",
        ))
    form, steps, choices = (KNOWN_OPTIONS[name] + " ").split(" ")[:3]
    steps = steps.split(",")
    choices = choices.split(",") if choices else []
    wrong = ""
    if form == "none" and (equals or value):
        wrong = "takes no value"
    elif form in ["wanted", "after"] and not value:
        wrong = "needs a value: %s" % (name + ("=VALUE" if form == "wanted" else "3"))
    elif form == "optional" and equals and not value:
        wrong = "has no value after the equals sign"
    elif choices and value and value not in choices:
        wrong = "has another value than %s" % ", ".join(choices)
    if wrong:
        fail("%s: option %r %s" % (label, option, wrong))
    return name, form, steps, value

def _check_given(label, option, name):
    if name in REFUSED_OPTIONS:
        fail("%s: option %r is not given here: %s" % (label, option, REFUSED_OPTIONS[name]))

def _number_of_jobs(label, option, value):
    """Returns N of `--full=N`."""
    number = int(value) if value.isdigit() else (0 if value else 1)
    if not number:
        fail("%s: option %r: the number of jobs is 1 or more" % (label, option))
    return number

def _nearest(name):
    """Returns the three known options that share the longest start and end with a name.

    Of a name with one wrong letter, all but that letter is shared.
    """
    ranks = []
    for other in KNOWN_OPTIONS:
        least = min(len(name), len(other))
        start = len(_shared(name, other))
        end = len(_shared(_reversed(name[start:]), _reversed(other[start:])))
        ranks.append((-1000 * min(start + end, least) // max(len(name), len(other)), other))
    return [other for _, other in sorted(ranks)[:3]]

def _shared(one, two):
    """Returns the start that two words share."""
    for position in range(min(len(one), len(two))):
        if one[position] != two[position]:
            return one[:position]
    return one[:min(len(one), len(two))]

def _reversed(word):
    return "".join(reversed(word.elems()))
