"""The options of `cc_library`, sorted for compilers of two kinds of code.

A program is compiled in one dialect: what the C++ toolchain's features, the compilation mode and
`--copt` say holds for Weft's units, too.
"""

# Options whose value may be the next word. Those that take it with `=`, too, are joined so.
_JOINED_BY_EQUALS = ["--param", "--sysroot", "-Xclang", "-mllvm"]
_PAIRS = _JOINED_BY_EQUALS + [
    "-B",
    "-D",
    "-I",
    "-U",
    "-cxx-isystem",
    "-idirafter",
    "-imacros",
    "-include",
    "-iquote",
    "-isysroot",
    "-isystem",
]

# Of these, those that nvcc knows; it takes the value of others for a file.
_PAIRS_OF_NVCC = ["-D", "-I", "-U", "-include", "-isystem"]

# Device code is checked against the host code of its unit: both see the same macros, headers and
# layout of types.
_OF_BOTH = [
    "--gcc-install-dir=",
    "--gcc-toolchain=",
    "--sysroot",
    "-D",
    "-I",
    "-U",
    "-Wno-",
    "-ansi",
    "-cxx-isystem",
    "-fchar8_t",
    "-fexceptions",
    "-fms-extensions",
    "-fno-char8_t",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-short-enums",
    "-fno-short-wchar",
    "-fno-signed-char",
    "-fno-unsigned-char",
    "-fpack-struct",
    "-frtti",
    "-fshort-enums",
    "-fshort-wchar",
    "-fsigned-char",
    "-funsigned-char",
    "-idirafter",
    "-imacros",
    "-include",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-nostdinc",
    "-pthread",
    "-std=",
    "-stdlib=",
]

# glibc's checks call functions that device code lacks.
_OF_HOST = ["-D_FORTIFY_SOURCE", "-U_FORTIFY_SOURCE"]

# A toolchain's options that Weft's units do not take. CUDA's headers need C++17 where toolchains of
# Bazel ask for C++11, counters are Weft's own matter, and host objects hold machine code.
_NOT_TAKEN = [
    "--coverage",
    "-B",
    "-M",
    "-fcoverage-mapping",
    "-flto",
    "-fno-canonical-system-headers",
    "-fprofile-",
    "-frandom-seed",
    "-fthinlto",
    "-ftest-coverage",
    "-gsplit-dwarf",
    "-std=",
]

# What gcc and clang mean alike. clang stops at other options of a toolchain for gcc.
_OF_ALL_COMPILERS = [word for word in _OF_BOTH if word != "-Wno-"] + _OF_HOST + [
    "-O",
    "-Wno-builtin-macro-redefined",
    "-fcf-protection",
    "-fdata-sections",
    "-ffunction-sections",
    "-fno-omit-frame-pointer",
    "-fno-sanitize",
    "-fno-stack-protector",
    "-fomit-frame-pointer",
    "-fsanitize",
    "-fstack-protector",
    "-fvisibility",
    "-g",
    "-m",
]

def sorted_options_of_cc(options, toolchain_is_foreign):
    """Sorts what `cc_library` compiles units with.

    Args:
      options: the struct of `compile_options`
      toolchain_is_foreign: bool, whether the toolchain is for another kind of compiler than the one
        that compiles Weft's units; then it gets those options only that compilers share

    Returns:
      A struct of two lists of strings: `both`, for units as a whole, and `host`, for their host
      code only. An option is one word, or in `both` two.
    """
    taken = [words for words in _grouped(options.toolchain) if not _starts(words, _NOT_TAKEN)]
    if toolchain_is_foreign:
        taken = [words for words in taken if _starts(words, _OF_ALL_COMPILERS)]
    both = []
    host = []
    for words in taken + _grouped(options.command_line):
        if _starts(words, _OF_BOTH) and not _starts(words, _OF_HOST):
            both.extend(words if words[0] in _PAIRS_OF_NVCC else [_joined(words)])
        else:
            host.append(_joined(words))
    return struct(both = both, host = host)

def _grouped(words):
    """Returns options, each with its value, as lists of one or two words."""
    groups = []
    pending = None
    for word in words:
        if pending:
            groups.append([pending, word])
            pending = None
        elif word in _PAIRS:
            pending = word
        else:
            groups.append([word])
    return groups

def _joined(words):
    if len(words) == 1:
        return words[0]
    name, value = words
    return name + ("=" if name in _JOINED_BY_EQUALS else "") + value

def _starts(words, starts):
    word = words[0] + (words[1] if words[0] in ["-D", "-U"] and len(words) > 1 else "")
    return any([word.startswith(start) for start in starts])
