load("%{defs}", "weft_missing_toolchain")

package(default_visibility = ["//visibility:public"])

weft_missing_toolchain(
    name = "cuda_toolchain",
    message = """%{missing}""",
)

toolchain(
    name = "toolchain",
    toolchain = ":cuda_toolchain",
    toolchain_type = "%{toolchain_type}",
)
