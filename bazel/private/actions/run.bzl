"""The one place that declares actions, as Bazel's versions differ in what they take."""

# Bazel 7 and later have this rule. They have all that is asked for below.
_IS_SEVEN = hasattr(native, "starlark_doc_extract")

# Bazel 4 has groups of rules behind an option, with which a test opens this gate, and none of
# aspects.
RULES_HAVE_GROUPS = _IS_SEVEN
ASPECTS_HAVE_GROUPS = _IS_SEVEN

# Bazel takes the compiler's notes about counters of lines from 6.3 on, and has a setting for the
# program that reports on them from 6.0 on.
REPORTS_COVERAGE = _IS_SEVEN

_TOOLCHAIN_TYPE = str(Label("//:toolchain_type"))

# The execution groups of the expensive phases, which may run on other workers than the rest.
CODEGEN_GROUP = "codegen"
ASSEMBLE_GROUP = "assemble"

# With this requirement, `--experimental_output_paths=strip` leaves the configuration out of paths,
# so that configurations share results.
_MAPS_PATHS = {"supports-path-mapping": "1"}

def _one_job(_os, _inputs):
    # ptxas and LLVM's pipeline run on one thread. A large kernel takes a gigabyte.
    return {"cpu": 1, "memory": 1000}

def rule_groups():
    """Returns the parameters of `rule` that declare the execution groups.

    Returns:
      A dict of keyword arguments, empty where Bazel has no groups.
    """
    return _groups() if RULES_HAVE_GROUPS else {}

def aspect_groups():
    """Returns the parameters of `aspect` that declare the execution groups.

    Returns:
      A dict of keyword arguments, empty where Bazel has no groups.
    """
    return _groups() if ASPECTS_HAVE_GROUPS else {}

def _groups():
    return {
        "exec_groups": {
            name: exec_group(toolchains = [_TOOLCHAIN_TYPE])
            for name in [CODEGEN_GROUP, ASSEMBLE_GROUP]
        },
    }

def run(actions, group = None, is_job = False, maps_paths = True, **parameters):
    """Declares an action that runs a tool of Weft's toolchain.

    Args:
      actions: the rule's `ctx.actions`
      group: string, the execution group of the action; None for that of the target
      is_job: bool, whether it is one of the expensive phases of a module
      maps_paths: bool, whether Bazel knows all paths in the arguments as files, and not as strings
      **parameters: the parameters of `actions.run` that all versions of Bazel have
    """
    if group:
        parameters["exec_group"] = group
    if maps_paths:
        parameters["execution_requirements"] = _MAPS_PATHS
    if _IS_SEVEN:
        parameters["toolchain"] = _TOOLCHAIN_TYPE
        if is_job:
            parameters["resource_set"] = _one_job
    actions.run(**parameters)

def folder_above(file, name):
    """Returns a folder as an element for `add_all` with `map_each = path_of_folder`.

    A path that is computed earlier would rule out that Bazel maps paths.

    Args:
      file: File in the folder or below it, which the action reads or writes
      name: string, the file's path in the folder

    Returns:
      A struct.
    """
    return struct(file = file, name = name)

def path_of_folder(folder):
    """Returns the path of what `folder_above` returned."""
    return folder.file.path[:-len(folder.name) - 1]
