"""Options of the link of host code that bear on what device code the host uses."""

# Parts of options that may give a kernel's or variable's host symbol another name, or refer to one.
_NAMING = ["defsym", "undefined", "require-defined", "export-dynamic-symbol", "script", "symbols"]

# Beginnings of words of such options.
_STARTS = ["-u", "-e", "-T", "-init", "-fini", "--init", "--fini", "--entry", "-dT", "@"]

# Endings of linker scripts.
_SCRIPTS = [".ld", ".lds", ".lsc", ".lcf"]

def host_link_options(flags, linking_contexts):
    """Returns what the thin link has to know of a program's link options.

    Args:
      flags: list of strings, the program's own options
      linking_contexts: list of LinkingContexts of what it links

    Returns:
      A list of strings, options of thinlink; empty if no option bears on device code.
    """
    lists = [flags] + [
        linker_input.user_link_flags
        for linking_context in linking_contexts
        for linker_input in linking_context.linker_inputs.to_list()
    ]
    return [
        "--host-link-option=" + " ".join(flags)
        for flags in lists
        if any([_may_name_symbols(flag) for flag in flags])
    ]

def _may_name_symbols(flag):
    words = [word for word in flag.replace(",", " ").split(" ") if word]
    return any([part in flag for part in _NAMING]) or any([
        any([word.startswith(start) for start in _STARTS]) or
        any([word.endswith(end) for end in _SCRIPTS])
        for word in words
    ])
