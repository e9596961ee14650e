"""Architectures that device code is compiled for: a build setting, and a target's own choice.

Bazel compiles a unit as a dependency of a program, so the program passes its choice to the unit by
a transition on its deps.
"""

WeftArchitecturesInfo = provider(
    doc = "The value of the build setting.",
    fields = {"architectures": "list of strings such as `sm_90`"},
)

_SETTING = str(Label("//:architectures"))

def _architectures_setting_impl(ctx):
    return [WeftArchitecturesInfo(architectures = ctx.build_setting_value)]

architectures_setting = rule(
    implementation = _architectures_setting_impl,
    doc = "Architectures, by their names such as `sm_90`.",
    build_setting = config.string_list(flag = True),
)

def _architectures_transition_impl(settings, attr):
    # The setting stays as it is without a choice, so that such targets are not configured again.
    return {_SETTING: _ordered(attr.architectures) or settings[_SETTING]}

architectures_transition = transition(
    implementation = _architectures_transition_impl,
    inputs = [_SETTING],
    outputs = [_SETTING],
)

CHOICE_ATTRIBUTES = {
    "architectures": attr.string_list(
        doc = "Architectures instead of those of `//:architectures`: `sm_90` for machine code, " +
              "`compute_90` for PTX.",
    ),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
}

def architectures_of(ctx):
    """Returns the architectures of the target: its own, or else those of the build setting.

    They are in the order of their numbers, so that the order in which a target names them compiles
    nothing again.

    Args:
      ctx: the context of a rule or an aspect with ARCHITECTURES_ATTRIBUTES

    Returns:
      A list of structs of `name`, such as `sm_90`, for which units are compiled, and of the bools
      `has_code` and `has_ptx`, the forms in which an image holds them.
    """
    own = getattr(ctx.attr, "architectures", [])
    architectures = own or ctx.attr._architectures[WeftArchitecturesInfo].architectures
    if not architectures:
        fail(("%s: no architecture to compile for; name one, such as sm_90, with " +
              "`architectures` or `--@weft//:architectures`") % ctx.label)
    for number, architecture in enumerate(architectures):
        if not _is_architecture(architecture):
            fail("%s: the architecture %r is not of the form sm_90 or sm_90a, or compute_90" % (
                ctx.label,
                architecture,
            ))
        if architecture in architectures[:number]:
            fail("%s: the architecture %s is named twice" % (ctx.label, architecture))
    names = {_CODE + _number(architecture): True for architecture in _ordered(architectures)}
    return [
        struct(
            name = name,
            has_code = name in architectures,
            has_ptx = _PTX + _number(name) in architectures,
        )
        for name in names
    ]

# Prefixes of the names of architectures, for machine code and for PTX.
_CODE = "sm_"
_PTX = "compute_"

def _ordered(architectures):
    return sorted(architectures, key = _number_and_name)

def _number(architecture):
    """Returns what follows the prefix, such as `90a`."""
    return architecture.split("_")[-1]

def _number_and_name(architecture):
    number = _number(architecture).rstrip("af")
    return (int(number) if number.isdigit() else 0, architecture)

def _is_architecture(name):
    """Returns whether the name has the form of an architecture; clang knows which ones exist."""
    number = _number(name)
    if number[-1:] in ["a", "f"]:
        number = number[:-1]
    has_prefix = name in [prefix + _number(name) for prefix in [_CODE, _PTX]]
    return has_prefix and number.isdigit()
