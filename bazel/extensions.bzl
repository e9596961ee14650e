"""The extension for MODULE.bazel files. Bazel 4 has no `module_extension`, so defs.bzl lacks it."""

load("//private/toolchain:repository.bzl", "weft_toolchain_repository")

def _weft_impl(module_ctx):
    # Only the root module knows the machine.
    tags = [tag for mod in module_ctx.modules if mod.is_root for tag in mod.tags.paths]
    if len(tags) > 1:
        fail("weft.paths is called %d times, and a build has one toolchain" % len(tags))
    weft_toolchain_repository(
        name = "weft_local",
        cuda_root = tags[0].cuda_root if tags else "",
        executables = tags[0].executables if tags else "",
        llvm_prefix = tags[0].llvm_prefix if tags else "",
    )

weft = module_extension(
    implementation = _weft_impl,
    doc = "Makes the repository `weft_local`, whose `:toolchain` is to be registered.",
    tag_classes = {
        "paths": tag_class(attrs = {
            "cuda_root": attr.string(doc = "The root of CUDA 13."),
            "executables": attr.string(doc = "The folder with Weft's executables."),
            "llvm_prefix": attr.string(doc = "The prefix of LLVM 22."),
        }),
    },
)
