"""`weft_cc_deps`: `cc_library` targets in programs of Weft.

The rule is not part of defs.bzl, since Bazel 9 and later have `CcInfo` in rules_cc only.
"""

load("//private/rules:cc_deps.bzl", _weft_cc_deps = "weft_cc_deps")

weft_cc_deps = _weft_cc_deps
