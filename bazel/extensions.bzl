"""The extension for MODULE.bazel files. Bazel 4 has no `module_extension`, so defs.bzl lacks it."""

load("//private/toolchain:repository.bzl", "weft_toolchain_repository")

def _weft_impl(module_ctx):
    # Only the root module knows the machine.
    roots = [mod.tags for mod in module_ctx.modules if mod.is_root]
    paths = _only("paths", [tag for tags in roots for tag in tags.paths])
    versions = _only("versions", [tag for tags in roots for tag in tags.versions])
    weft_toolchain_repository(
        name = "weft_local",
        compiler = paths.compiler if paths else "",
        cuda_root = paths.cuda_root if paths else "",
        cuda_version = versions.cuda if versions else "",
        executables = paths.executables if paths else "",
        llvm_prefix = paths.llvm_prefix if paths else "",
        llvm_version = versions.llvm if versions else "",
    )

def _only(name, tags):
    if len(tags) > 1:
        fail("weft.%s is called %d times, and a build has one toolchain" % (name, len(tags)))
    return tags[0] if tags else None

weft = module_extension(
    implementation = _weft_impl,
    doc = "Makes the repository `weft_local`, whose `:toolchain` is to be registered.",
    tag_classes = {
        "paths": tag_class(attrs = {
            "compiler": attr.string(doc = "The compiler of CUDA units, `clang` or `nvcc`."),
            "cuda_root": attr.string(doc = "The root of CUDA 13."),
            "executables": attr.string(doc = "The folder with Weft's executables."),
            "llvm_prefix": attr.string(doc = "The prefix of LLVM 22."),
        }),
        "versions": tag_class(attrs = {
            "cuda": attr.string(doc = "The version of CUDA that must be there, such as `13.5`."),
            "llvm": attr.string(doc = "The version of LLVM that must be there, such as `22.1`."),
        }),
    },
)
