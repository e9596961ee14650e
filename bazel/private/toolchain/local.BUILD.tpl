load("%{defs}", "weft_cuda_toolchain")
load("%{rules_cc}", "cc_library")

package(default_visibility = ["//visibility:public"])

# Holds where CUDA is set up, for `select()`.
config_setting(
    name = "is_enabled",
    constraint_values = ["%{enabled_where}"],
)

# There is none where CUDA was installed without it.
cc_library(
    name = "cudart",
    srcs = glob(
        ["cuda/lib/libcudart.so.*"],
        allow_empty = True,
    ),
)

# The tools are the same for every target platform. What is linked into programs is not: CUDA has
# the static runtime of other processors in folders of its own, if it was installed.
[
    weft_cuda_toolchain(
        name = "cuda_toolchain" + suffix,
        backend_job = "weft/backend-job",
        clang = "llvm/bin/clang",
        clang_headers = "llvm/lib/clang/%{clang_major}/include",
        clang_major = int("%{clang_major}"),
        clang_version = "llvm/version.txt",
        cuda_headers = "cuda/include",
        cuda_libraries = glob(
            [folder + "/libcudart_static.a"],
            allow_empty = True,
        ),
        cuda_shared_library = shared,
        cuda_version = "cuda/version.txt",
        device_runtime = glob(
            ["cuda/device/*.a"],
            allow_empty = True,
        ),
        fatbinary = "cuda/bin/fatbinary",
        host_triple = cpu + "-unknown-linux-gnu",
        libdevice = "cuda/nvvm/libdevice/libdevice.10.bc",
        libnvvm = glob(
            ["cuda/nvvm/lib64/libnvvm.so*"],
            allow_empty = True,
        ),
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
        newest_ptx = "%{newest_ptx}",
        nvcc = "%{nvcc}" or None,
        nvcc_files = glob(
            [
                "cuda/bin/*",
                "cuda/nvvm/bin/*",
                "cuda/nvvm/libdevice/*",
            ],
            allow_empty = True,
        ),
        nvlink = "cuda/bin/nvlink",
        offload_binary = "llvm/bin/%{packager}",
        profile_libraries = glob(
            ["llvm/profile/%s/libclang_rt.profile.a" % cpu],
            allow_empty = True,
        ),
        ptxas = "cuda/bin/ptxas",
        summarize = "weft/summarize",
        thinlink = "weft/thinlink",
        weft = "weft/weft",
    )
    for suffix, cpu, folder, shared in [
        ("", "%{cpu}", "cuda/lib", ":cudart"),
        ("_for_%{other_cpu}", "%{other_cpu}", "cuda/%{other_cpu}/lib", None),
    ]
]

[
    toolchain(
        name = "toolchain" + suffix,
        exec_compatible_with = [
            "@platforms//cpu:%{cpu}",
            "@platforms//os:linux",
        ],
        target_compatible_with = [
            "@platforms//cpu:" + cpu,
            "@platforms//os:linux",
        ],
        toolchain = ":cuda_toolchain" + suffix,
        toolchain_type = "%{toolchain_type}",
    )
    for suffix, cpu in [
        ("", "%{cpu}"),
        ("_for_%{other_cpu}", "%{other_cpu}"),
    ]
]
