load("%{defs}", "weft_missing_toolchain")

package(default_visibility = ["//visibility:public"])

# Holds where CUDA is set up, for `select()`.
config_setting(
    name = "is_enabled",
    constraint_values = ["%{enabled_where}"],
)

weft_missing_toolchain(
    name = "cuda_toolchain",
    message = """%{missing}""",
)

toolchain(
    name = "toolchain",
    toolchain = ":cuda_toolchain",
    toolchain_type = "%{toolchain_type}",
)
