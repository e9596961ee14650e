"""Attributes that the rules for CUDA code share."""

TOOLCHAIN_TYPE = str(Label("//:toolchain_type"))

CUDA_EXTENSIONS = ["cu", "cu.cc"]
HOST_EXTENSIONS = ["c", "cc", "cpp", "cxx"]
OPAQUE_EXTENSIONS = ["a", "cubin", "fatbin", "o"]
HEADER_EXTENSIONS = ["cuh", "h", "hh", "hpp", "hxx", "inc", "inl", "tpp"]

ARCHITECTURES_ATTRIBUTES = {
    "_architectures": attr.label(default = "//:architectures"),
}

COMPILE_ATTRIBUTES = {
    "additional_linker_inputs": attr.label_list(
        doc = "Files that `linkopts` name by `$(location)`, such as a version script.",
        allow_files = True,
    ),
    "copts": attr.string_list(
        doc = "Compiler options of this target's units, such as `-std=c++17`.",
    ),
    "data": attr.label_list(
        doc = "Files and programs that are there when the program runs.",
        allow_files = True,
    ),
    "defines": attr.string_list(
        doc = "Macros `NAME` or `NAME=VALUE`, for this target and its dependents.",
    ),
    "host_copts": attr.string_list(
        doc = "Compiler options for the host code of this target's units, after `copts`.",
    ),
    "host_local_defines": attr.string_list(
        doc = "Macros `NAME` or `NAME=VALUE` for the host code of this target only.",
    ),
    "includes": attr.string_list(
        doc = "Include folders relative to the package, for this target and its dependents.",
    ),
    "linkopts": attr.string_list(
        doc = "Options for the link of the program, such as `-lm`.",
    ),
    "local_defines": attr.string_list(
        doc = "Macros `NAME` or `NAME=VALUE`, for this target only.",
    ),
    "srcs": attr.label_list(
        doc = "Units, CUDA (`.cu`, `.cu.cc`) and C++ (`.cc`, `.cpp`, `.cxx`) and C (`.c`), and " +
              "headers for them only.",
        allow_files = [
            "." + extension
            for extension in CUDA_EXTENSIONS + HOST_EXTENSIONS + HEADER_EXTENSIONS
        ],
    ),
    "variant": attr.string(
        doc = "A word that tells this target's units from those of another target of the program " +
              "that compiles the same sources.",
    ),
    "_reference": attr.label(
        allow_single_file = True,
        default = "//private/actions:weft_reference.h",
    ),
}

LINK_ATTRIBUTES = {
    "feedback": attr.label(
        allow_single_file = True,
        doc = "What earlier builds said about kernels, as `weft tune` and `weft feedback` write " +
              "it; an empty file chooses nothing.",
    ),
    "keep": attr.string_list(
        doc = "Symbols of device code that stay although neither host nor device refers to them.",
    ),
    "libraries": attr.label_list(
        allow_files = [".bc"],
        doc = "Libraries of device bitcode that the device code calls, in which host code " +
              "launches no kernel and names no variable. A file whose name has an architecture, " +
              "such as `vendor_sm_90.bc`, is for that one alone.",
    ),
    "options": attr.string_list(
        doc = "Options of the steps, by their own spelling, such as `-O2`, `--full=4` or " +
              "`--search`; known_options.bzl lists them. `-Xthinlink=OPTION`, " +
              "`-Xcodegen=OPTION`, `-Xassemble=OPTION`, `-Xptxas=OPTION`, `-Xnvlink=OPTION` and " +
              "`-Xfatbinary=OPTION` are for one step or tool. Options about the compilation of " +
              "units, such as `--ftz=BOOL` and `--maxrregcount=N`, are for the target's own, too.",
    ),
    "ptxasopts": attr.string_list(
        doc = "Options of ptxas, as `-Xptxas=OPTION` in `options`.",
    ),
}
