"""What a WORKSPACE file loads. It is apart from defs.bzl, which needs rules_cc."""

load("//private/toolchain:repository.bzl", _weft_toolchain_repository = "weft_toolchain_repository")

weft_toolchain_repository = _weft_toolchain_repository
