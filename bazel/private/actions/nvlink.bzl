"""The nvlink that reads the LTO IR of nvcc, for the actions that start it."""

load(":run.bzl", "folder_above", "path_of_folder")

def add_nvlink(args, toolchain):
    """Adds the arguments by which Weft's executables find nvlink and its libraries.

    Args:
      args: the Args of an action
      toolchain: a WeftToolchainInfo with nvcc
    """
    libnvvm = toolchain.nvlink_libraries[0]
    folder = folder_above(libnvvm, "lib64/" + libnvvm.basename)
    args.add("--nvlink", toolchain.nvlink)
    args.add_all("--nvvm", [folder], map_each = path_of_folder)

def nvlink_tools(toolchain):
    """Returns nvlink and its libraries, as `tools` of an action; none where clang compiles.

    Args:
      toolchain: a WeftToolchainInfo

    Returns:
      A list of Files.
    """
    return [toolchain.nvlink] + toolchain.nvlink_libraries if toolchain.nvcc else []
