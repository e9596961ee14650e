"""What Bazel has built in under the names that rules_cc gives it."""

NativeCcInfo = CcInfo
native_cc_common = cc_common
