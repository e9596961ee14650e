"""The extension for MODULE.bazel files. Bazel 4 has no `module_extension`, so defs.bzl lacks it."""

load("//private/toolchain:repository.bzl", "weft_toolchain_repository")

def _weft_impl(_module_ctx):
    weft_toolchain_repository(name = "weft_local")

weft = module_extension(
    implementation = _weft_impl,
    doc = "Makes the repository `weft_local`, whose `:toolchain` is to be registered.",
)
