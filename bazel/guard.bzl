"""The aspect that checks programs of the rules for C++.

    build --aspects=@weft//:guard.bzl%weft_guard --output_groups=+weft_guard
"""

load("//private/rules:guard_aspect.bzl", _weft_guard = "weft_guard")

weft_guard = _weft_guard
