"""Weft in this environment: its executables and its packages for CMake and Bazel.

CMake finds the package Weft by itself where the environment is active. Elsewhere:
    cmake -DCMAKE_PREFIX_PATH=$(python -m weft --prefix) ...
"""

import importlib.metadata
import pathlib
import sysconfig


def _folder_of(end):
    """Returns the folder with the installed file whose path ends so."""
    for file in importlib.metadata.files("weft") or []:
        if file.as_posix().endswith(end):
            return pathlib.Path(file.locate()).resolve().parent
    raise FileNotFoundError(f"weft is installed without {end}: install its wheel again")


def cmake_dir():
    """Returns the folder of the CMake package, for Weft_DIR."""
    return _folder_of("cmake/Weft/WeftConfig.cmake")


def prefix():
    """Returns the prefix that the CMake package is in, for CMAKE_PREFIX_PATH."""
    return cmake_dir().parents[2]


def bazel_dir():
    """Returns the folder of the Bazel rules, for local_path_override or local_repository."""
    return _folder_of("share/weft/bazel/defs.bzl")


def executables_dir():
    """Returns the folder of summarize, thinlink, backend-job and weft, for WEFT_EXECUTABLES."""
    return _folder_of("/backend-job")


def cuda_of_wheels():
    """Returns the root of the CUDA 13 that NVIDIA's wheels installed here, or None."""
    for kind in ("purelib", "platlib"):
        root = pathlib.Path(sysconfig.get_path(kind), "nvidia", "cu13")
        if (root / "bin" / "ptxas").is_file():
            return root
    return None
