"""Which architectures device code is compiled for: a build setting, and a target's own choice.

A unit is compiled before the program that it goes into is known, so the program hands its choice
down by a transition on its deps.
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
    return {_SETTING: attr.architectures or settings[_SETTING]}

architectures_transition = transition(
    implementation = _architectures_transition_impl,
    inputs = [_SETTING],
    outputs = [_SETTING],
)

def architectures_of(ctx):
    """The architectures that the target compiles for: its own, if it has any, or the setting's."""
    own = getattr(ctx.attr, "architectures", [])
    architectures = own or ctx.attr._architectures[WeftArchitecturesInfo].architectures
    for architecture in architectures:
        if not architecture.startswith("sm_"):
            fail("%s: the architecture %r is not of the form sm_90" % (ctx.label, architecture))
    return architectures
