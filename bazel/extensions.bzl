"""What a MODULE.bazel file uses. Not part of defs.bzl: Bazel 4 has no `module_extension`."""

load("//private/toolchain:repository.bzl", "weft_toolchain_repository")

def _weft_impl(_module_ctx):
    weft_toolchain_repository(name = "weft_local")

weft = module_extension(
    implementation = _weft_impl,
    doc = "Makes the repository `weft_local`, whose `:toolchain` is to be registered.",
)
