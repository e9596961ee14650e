"""The provider of the tools and files that the actions of Weft use."""

WeftToolchainInfo = provider(
    doc = "Executables are Files that are run directly; folders are paths below the exec root.",
    fields = {
        "backend_job": "File: Weft's backend-job",
        "clang": "File: clang, used as a C++ and CUDA compiler and to start the linker",
        "clang_files": "depset of Files: clang's headers, its version, and LLVM's libraries",
        "clang_major": "int: clang's version, such as 22",
        "clang_resource_folder": "string: the folder with clang's `include`",
        "copts": "list of strings: compiler options of every unit, before those of the target",
        "cuda_compile_files": "depset of Files: files that the compiler reads for every CUDA unit",
        "cuda_folder": "string: the folder with CUDA's `include`, `bin` and `nvvm`",
        "device_runtime": "list of Files: NVIDIA's device runtime, or none",
        "fatbinary": "File: NVIDIA's packer of device images",
        "host_compile_files": "depset of Files: the same for every host-only unit",
        "host_triple": "string: the triple of host code, such as `x86_64-unknown-linux-gnu`",
        "libnvvm": "File: NVIDIA's code generator, or None if there is none",
        "linker": "File: the linker that joins host objects, `ld.lld`",
        "llvm_libraries": "list of Files: shared libraries that LLVM's programs run with",
        "newest_ptx": "string: the newest version of PTX that ptxas takes, or empty",
        "nvlink": "File: NVIDIA's device linker",
        "profile_runtime": "LinkingContext of instrumented host code, or None if it is missing",
        "ptxas": "File: NVIDIA's assembler",
        "runtimes": "dict of `static`, `shared` and `none` to the LinkingContext of every program",
        "summarize": "File: Weft's summarize",
        "thinlink": "File: Weft's thinlink",
    },
)
