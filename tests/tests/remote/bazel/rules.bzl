"""A rule whose action is the case: one tool, some inputs, some outputs."""

def _case_impl(ctx):
    outs = [ctx.actions.declare_file(ctx.label.name + "." + out) for out in ctx.attr.outs]
    ctx.actions.run(
        executable = ctx.file.tool,
        inputs = ctx.files.srcs,
        outputs = outs,
        arguments = [out.path for out in outs],
        env = ctx.attr.env,
        mnemonic = "Case",
        execution_requirements = ctx.attr.requirements,
    )
    return [DefaultInfo(files = depset(outs))]

case = rule(
    implementation = _case_impl,
    attrs = {
        "env": attr.string_dict(),
        "outs": attr.string_list(default = ["out"]),
        "requirements": attr.string_dict(),
        "srcs": attr.label_list(allow_files = True),
        "tool": attr.label(allow_single_file = True),
    },
)
