"""The rules that Bazel's own packages load from rules_cc, which Bazel has built in."""

load(":native.bzl", "NativeCcInfo", "native_cc_common")

cc_binary = native.cc_binary
cc_import = native.cc_import
cc_library = native.cc_library
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite

CcInfo = NativeCcInfo
cc_common = native_cc_common
