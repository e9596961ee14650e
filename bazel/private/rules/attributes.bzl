"""Attributes that the rules for CUDA code share."""

load("//private/providers:weft_info.bzl", "WeftInfo")
load(":architectures.bzl", "architectures_transition")

TOOLCHAIN_TYPE = str(Label("//:toolchain_type"))

CUDA_EXTENSIONS = ["cu"]
HOST_EXTENSIONS = ["cc", "cpp", "cxx"]
OPAQUE_EXTENSIONS = ["a", "cubin", "fatbin", "o"]
HEADER_EXTENSIONS = ["cuh", "h", "hh", "hpp", "hxx", "inc", "inl"]

COMPILE_ATTRIBUTES = {
    "copts": attr.string_list(
        doc = "Compiler options of this target's units, such as `-std=c++17`.",
    ),
    "defines": attr.string_list(
        doc = "Macros `NAME` or `NAME=VALUE`, for this target and its dependents.",
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
        doc = "Units, CUDA (`.cu`) and C++ (`.cc`, `.cpp`, `.cxx`), and headers for them only.",
        allow_files = [
            "." + extension
            for extension in CUDA_EXTENSIONS + HOST_EXTENSIONS + HEADER_EXTENSIONS
        ],
    ),
    "_architectures": attr.label(default = "//:architectures"),
    "_reference": attr.label(
        allow_single_file = True,
        default = "//private/actions:weft_reference.h",
    ),
}

LIBRARY_DEPS_ATTRIBUTE = {
    "deps": attr.label_list(
        doc = "weft_cuda_library and weft_cuda_import targets.",
        providers = [WeftInfo],
    ),
}

PROGRAM_ATTRIBUTES = {
    "architectures": attr.string_list(
        doc = "Architectures, such as `sm_90`, of this program in place of `//:architectures`.",
    ),
    "data": attr.label_list(
        doc = "Files that the program reads when it runs.",
        allow_files = True,
    ),
    "deps": attr.label_list(
        doc = "weft_cuda_library and weft_cuda_import targets, compiled for the program's " +
              "architectures.",
        providers = [WeftInfo],
        cfg = architectures_transition,
    ),
    "keep": attr.string_list(
        doc = "Symbols of device code that stay although neither host nor device refers to them.",
    ),
    "options": attr.string_list(
        doc = "Options for the device link: `-O0` to `-O3`, `--inline-threshold=N`, " +
              "`--import-instr-limit=N`, `--import-instr-evolution-factor=N`, " +
              "`--close-modules=BOOL`, `--closure-limit=N`, `--closure-growth=PERCENT`, " +
              "`--optimize-unused-variables`, `--full=N`, `--whole-kernels=BOOL`, " +
              "`--clone-functions=BOOL`, and `-Xptxas=OPTION` for each option of ptxas. For the " +
              "program's own units also nvcc's options of floating-point arithmetic: " +
              "`--ftz=BOOL`, `--prec-div=BOOL`, `--prec-sqrt=BOOL`, `--fmad=BOOL`.",
    ),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
}
