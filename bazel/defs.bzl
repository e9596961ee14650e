"""The rules of Weft: everything that a BUILD file loads.

README.md has an example.
"""

load(
    "//private/providers:weft_info.bzl",
    _WeftImageInfo = "WeftImageInfo",
    _WeftInfo = "WeftInfo",
)
load("//private/providers:weft_toolchain_info.bzl", _WeftToolchainInfo = "WeftToolchainInfo")
load(
    "//private/rules:cuda_binary.bzl",
    _weft_cuda_binary = "weft_cuda_binary",
    _weft_cuda_test = "weft_cuda_test",
)
load("//private/rules:cuda_import.bzl", _weft_cuda_import = "weft_cuda_import")
load("//private/rules:cuda_library.bzl", _weft_cuda_library = "weft_cuda_library")
load("//private/rules:device_image.bzl", _weft_device_image = "weft_device_image")
load("//private/toolchain:cuda_toolchain.bzl", _weft_cuda_toolchain = "weft_cuda_toolchain")
load(
    "//private/toolchain:missing_toolchain.bzl",
    _weft_missing_toolchain = "weft_missing_toolchain",
)

WeftImageInfo = _WeftImageInfo
WeftInfo = _WeftInfo
WeftToolchainInfo = _WeftToolchainInfo
weft_cuda_binary = _weft_cuda_binary
weft_cuda_import = _weft_cuda_import
weft_cuda_library = _weft_cuda_library
weft_cuda_test = _weft_cuda_test
weft_cuda_toolchain = _weft_cuda_toolchain
weft_device_image = _weft_device_image
weft_missing_toolchain = _weft_missing_toolchain
