"""The one place that declares actions, as Bazel's versions differ in what they take."""

# Bazel 7 and later have this rule. They know both parameters that `run` adds for them.
_NAMES_TOOLCHAINS = hasattr(native, "starlark_doc_extract")

_TOOLCHAIN_TYPE = str(Label("//:toolchain_type"))

def _one_job(_os, _inputs):
    # ptxas and LLVM's pipeline run on one thread. A large kernel takes a gigabyte.
    return {"cpu": 1, "memory": 1000}

def run(actions, is_job = False, **parameters):
    """Declares an action that runs a tool of Weft's toolchain.

    Args:
      actions: the rule's `ctx.actions`
      is_job: bool, whether it is one of the expensive phases of a module
      **parameters: the parameters of `actions.run` that all versions of Bazel have
    """
    if _NAMES_TOOLCHAINS:
        parameters["toolchain"] = _TOOLCHAIN_TYPE
        if is_job:
            parameters["resource_set"] = _one_job
    actions.run(**parameters)
