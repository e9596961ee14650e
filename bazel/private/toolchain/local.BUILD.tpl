load("%{defs}", "weft_cuda_toolchain")
load("%{rules_cc}", "cc_library")

package(default_visibility = ["//visibility:public"])

# There is none where CUDA was installed without it.
cc_library(
    name = "cudart",
    srcs = glob(
        ["cuda/lib/libcudart.so.*"],
        allow_empty = True,
    ),
)

weft_cuda_toolchain(
    name = "cuda_toolchain",
    backend_job = "weft/backend-job",
    clang = "llvm/bin/clang",
    clang_headers = "llvm/lib/clang/22/include",
    clang_version = "llvm/version.txt",
    cuda_headers = "cuda/include",
    cuda_libraries = ["cuda/lib/libcudart_static.a"],
    cuda_shared_library = ":cudart",
    cuda_version = "cuda/version.txt",
    fatbinary = "cuda/bin/fatbinary",
    host_triple = "%{cpu}-unknown-linux-gnu",
    libdevice = "cuda/nvvm/libdevice/libdevice.10.bc",
    linker = "llvm/bin/ld.lld",
    linkopts = [
        "-ldl",
        "-lrt",
        "-lpthread",
    ],
    llvm_libraries = glob(
        ["llvm/lib/*.so*"],
        allow_empty = True,
    ),
    nvlink = "cuda/bin/nvlink",
    offload_binary = "llvm/bin/llvm-offload-binary",
    offload_wrapper = "llvm/bin/llvm-offload-wrapper",
    ptxas = "cuda/bin/ptxas",
    summarize = "weft/summarize",
    thinlink = "weft/thinlink",
)

toolchain(
    name = "toolchain",
    exec_compatible_with = [
        "@platforms//cpu:%{cpu}",
        "@platforms//os:linux",
    ],
    target_compatible_with = [
        "@platforms//cpu:%{cpu}",
        "@platforms//os:linux",
    ],
    toolchain = ":cuda_toolchain",
    toolchain_type = "%{toolchain_type}",
)
