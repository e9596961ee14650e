"""`weft_cuda_toolchain`: the files of the tools."""

load("//private/providers:weft_toolchain_info.bzl", "WeftToolchainInfo")
load("//private/rules:cc.bzl", "CcInfo", "cc_common", "linked_files")

def _weft_cuda_toolchain_impl(ctx):
    clang_files = [ctx.file.clang_headers, ctx.file.clang_version] + ctx.files.llvm_libraries
    host_files = clang_files + [ctx.file.cuda_headers, ctx.file.cuda_version]

    # clang accepts a folder as a CUDA root if it has a `bin`, where fatbinary is the smallest file.
    # clang runs llvm-offload-binary, or clang-offload-packager before clang 22, from its own folder
    # to pack the bitcode into the object.
    cuda_files = host_files + [ctx.file.libdevice, ctx.file.fatbinary, ctx.file.offload_binary]
    info = WeftToolchainInfo(
        clang = ctx.file.clang,
        clang_files = depset(clang_files),
        clang_major = ctx.attr.clang_major,
        clang_resource_folder = ctx.file.clang_headers.dirname,
        libnvvm = ctx.files.libnvvm[0] if ctx.files.libnvvm else None,
        linker = ctx.file.linker,
        llvm_libraries = ctx.files.llvm_libraries,
        cuda_folder = ctx.file.cuda_headers.dirname,
        cuda_compile_files = depset(cuda_files),
        host_compile_files = depset(host_files),
        runtimes = _runtimes(ctx),
        host_triple = ctx.attr.host_triple,
        profile_runtime = _profile_runtime(ctx),
        device_runtime = ctx.files.device_runtime,
        ptxas = ctx.file.ptxas,
        newest_ptx = ctx.attr.newest_ptx,
        nvcc = ctx.file.nvcc,
        nvcc_files = depset(ctx.files.nvcc_files + [ctx.file.cuda_headers, ctx.file.cuda_version]),
        nvlink = ctx.file.nvlink,
        nvlink_libraries = ctx.files.libnvvm[:1] + [ctx.file.libdevice],
        fatbinary = ctx.file.fatbinary,
        summarize = ctx.file.summarize,
        thinlink = ctx.file.thinlink,
        backend_job = ctx.file.backend_job,
        weft = ctx.file.weft,
        copts = ctx.attr.copts,
    )
    return [platform_common.ToolchainInfo(weft = info)]

def _runtimes(ctx):
    runtimes = {"none": _linking_context(ctx, [], [])}
    if ctx.files.cuda_libraries:
        runtimes["static"] = _linking_context(ctx, ctx.files.cuda_libraries, ctx.attr.linkopts)
    library = ctx.attr.cuda_shared_library
    if library and linked_files(library[CcInfo].linking_context).dynamic:
        runtimes["shared"] = library[CcInfo].linking_context
    return runtimes

def _profile_runtime(ctx):
    libraries = ctx.files.profile_libraries
    return _linking_context(ctx, libraries, []) if libraries else None

def _linking_context(ctx, libraries, linkopts):
    paths = [file.path for file in libraries]
    return cc_common.create_linking_context(linker_inputs = depset([
        cc_common.create_linker_input(
            owner = ctx.label,
            user_link_flags = depset(paths + linkopts),
            additional_inputs = depset(libraries),
        ),
    ]))

def _file(doc):
    return attr.label(doc = doc, allow_single_file = True, mandatory = True)

def _tool(doc):
    return attr.label(doc = doc, allow_single_file = True, mandatory = True, cfg = "exec")

# Headers are declared as one folder and not as thousands of files, because a sandbox is made file
# by file: with CUDA's 2,500 headers that takes longer than the compiler. Bazel checks the time of
# such a folder and not its content, so a file with the version accompanies it.
weft_cuda_toolchain = rule(
    implementation = _weft_cuda_toolchain_impl,
    doc = "The tools of Weft's actions, to be registered for `@weft//:toolchain_type`.",
    attrs = {
        "backend_job": _tool("Weft's backend-job."),
        "clang": _tool("clang of LLVM 16 to 22."),
        "clang_headers": _file("The folder `include` in clang's resource folder."),
        "clang_major": attr.int(doc = "The version of clang, 16 to 22.", default = 22),
        "clang_version": _file("A file that changes with the version of clang and its headers."),
        "copts": attr.string_list(doc = "Compiler options of every unit."),
        "cuda_headers": _file("The folder `include` in the CUDA root."),
        "cuda_libraries": attr.label_list(
            doc = "Static libraries that every program with CUDA code is linked with, for " +
                  "`--@weft//:cudart=static`.",
            allow_files = [".a"],
        ),
        "cuda_shared_library": attr.label(
            doc = "The library for C++ of the shared runtime, for `--@weft//:cudart=shared`.",
            providers = [CcInfo],
        ),
        "cuda_version": _file("A file that changes with the version of CUDA's headers."),
        "device_runtime": attr.label_list(
            doc = "NVIDIA's device runtime, `libcudadevrt.a`, which kernels need that launch " +
                  "others: one file or none.",
            allow_files = [".a"],
        ),
        "fatbinary": _tool("NVIDIA's fatbinary, in the folder `bin` of the CUDA root."),
        "host_triple": attr.string(
            doc = "The target platform's triple, in clang's words.",
            default = "x86_64-unknown-linux-gnu",
        ),
        "libdevice": _file("CUDA's device library, below the CUDA root."),
        "libnvvm": attr.label_list(
            doc = "NVIDIA's libnvvm, which the option `--codegen=libnvvm` needs: one file or none.",
            allow_files = True,
            cfg = "exec",
        ),
        "linker": _tool("The linker of host code, `ld.lld`."),
        "linkopts": attr.string_list(doc = "Linker options of the programs with `cuda_libraries`."),
        "llvm_libraries": attr.label_list(
            doc = "Shared libraries that LLVM's programs find in `../lib`; empty if static.",
            allow_files = True,
            cfg = "exec",
        ),
        "newest_ptx": attr.string(
            doc = "The newest version of PTX that ptxas takes, such as `8.5` for CUDA 12.6; by " +
                  "default PTX has the version that clang asks for.",
        ),
        "nvcc": attr.label(
            doc = "NVIDIA's nvcc of CUDA 13, if it is to compile CUDA units instead of clang.",
            allow_single_file = True,
            cfg = "exec",
        ),
        "nvcc_files": attr.label_list(
            doc = "The files that nvcc runs and reads: `nvcc.profile`, cudafe++, fatbinary, cicc.",
            allow_files = True,
            cfg = "exec",
        ),
        "nvlink": _tool("NVIDIA's nvlink."),
        "offload_binary": _tool("LLVM's llvm-offload-binary, or before LLVM 22 " +
                                "clang-offload-packager, in the folder of clang."),
        "profile_libraries": attr.label_list(
            doc = "clang's library `libclang_rt.profile`, which `bazel coverage` needs.",
            allow_files = [".a"],
        ),
        "ptxas": _tool("NVIDIA's ptxas."),
        "summarize": _tool("Weft's summarize."),
        "thinlink": _tool("Weft's thinlink."),
        "weft": _tool("Weft's weft."),
    },
)
