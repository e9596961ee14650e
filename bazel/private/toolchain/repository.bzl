"""`weft_toolchain_repository`: a toolchain of the programs that are installed on this machine.

The repository links to the programs, so that actions name them by paths below the exec root, which
are the same on every machine.
"""

_VARIABLES = {
    "WEFT_CUDA_ROOT": "the root of CUDA 13, with bin/ptxas and include/cuda.h",
    "WEFT_EXECUTABLES": "the folder with Weft's summarize, thinlink and backend-job",
    "WEFT_LLVM_PREFIX": "the prefix of LLVM 22, with bin/clang, such as /usr/lib/llvm-22",
}

# For each variable, the links in the repository with their candidates below the variable's folder.
_LINKS = {
    "WEFT_CUDA_ROOT": {
        "cuda/bin/fatbinary": ["bin/fatbinary"],
        "cuda/bin/nvlink": ["bin/nvlink"],
        "cuda/bin/ptxas": ["bin/ptxas"],
        "cuda/include": ["include"],
        "cuda/lib/libcudart_static.a": ["lib/libcudart_static.a", "lib64/libcudart_static.a"],
        "cuda/nvvm/libdevice/libdevice.10.bc": ["nvvm/libdevice/libdevice.10.bc"],
    },
    "WEFT_EXECUTABLES": {
        "weft/backend-job": ["backend-job"],
        "weft/summarize": ["summarize"],
        "weft/thinlink": ["thinlink"],
    },
    "WEFT_LLVM_PREFIX": {
        "llvm/bin/clang": ["bin/clang"],
        "llvm/bin/ld.lld": ["bin/ld.lld"],
        "llvm/bin/llvm-offload-binary": ["bin/llvm-offload-binary"],
        "llvm/lib/clang/22/include": ["lib/clang/22/include"],
    },
}

# Candidates for the shared runtime, which programs may be linked with.
_SHARED_RUNTIME = ["lib/libcudart.so.13", "lib64/libcudart.so.13"]

# Processors that CUDA is made for, each with the folders below CUDA's root that hold its libraries
# where the machine's own processor is another one.
_PROCESSORS = {
    "aarch64": ["targets/sbsa-linux/lib", "targets/aarch64-linux/lib"],
    "x86_64": ["targets/x86_64-linux/lib"],
}

# Candidates for the library that writes the counters of instrumented host code, which LLVM may have
# been installed without.
_PROFILE_RUNTIMES = [
    "lib/clang/22/lib/linux/libclang_rt.profile-%s.a",
    "lib/clang/22/lib/%s-unknown-linux-gnu/libclang_rt.profile.a",
]

# Prefixes of the names of shared libraries in `lib` that LLVM's programs need. A distribution may
# have linked them statically.
_LLVM_LIBRARIES = ["libLLVM.so.22", "libclang-cpp.so.22"]

# For each version file in the repository, the variable of its tool, the tool's link, and the line
# of the tool's output with the version.
_VERSIONS = {
    "cuda/version.txt": ("WEFT_CUDA_ROOT", "cuda/bin/ptxas", -1),
    "llvm/version.txt": ("WEFT_LLVM_PREFIX", "llvm/bin/clang", 0),
}

_ATTRIBUTES = {
    "WEFT_CUDA_ROOT": "cuda_root",
    "WEFT_EXECUTABLES": "executables",
    "WEFT_LLVM_PREFIX": "llvm_prefix",
}

# For each attribute with a version, the version file and what is named so.
_WANTED_VERSIONS = {
    "cuda_version": ("cuda/version.txt", "CUDA"),
    "llvm_version": ("llvm/version.txt", "LLVM"),
}

def _value(repository_ctx, variable):
    """Returns the folder that the repository's attribute or else the environment names, or ""."""
    own = getattr(repository_ctx.attr, _ATTRIBUTES[variable])
    return own or repository_ctx.os.environ.get(variable, "")

def _missing(repository_ctx):
    """Returns what is wrong with the variables and their folders, or "" if all is there."""
    for variable, links in _LINKS.items():
        folder = _value(repository_ctx, variable)
        if not folder:
            return "Weft's toolchain needs the environment variable %s: %s" % (
                variable,
                _VARIABLES[variable],
            )
        for candidates in links.values():
            if not _target(repository_ctx, variable, candidates):
                return "%s=%s has no %s: it must name %s" % (
                    variable,
                    folder,
                    " or ".join(candidates),
                    _VARIABLES[variable],
                )
    return ""

def _folder(repository_ctx, variable):
    return repository_ctx.path(_value(repository_ctx, variable))

def _target(repository_ctx, variable, candidates):
    """Returns the first of the candidates that exists, or None."""
    folder = _folder(repository_ctx, variable)
    for candidate in candidates:
        path = folder
        for part in candidate.split("/"):
            path = path.get_child(part)
        if path.exists:
            return path
    return None

def _link_llvm_libraries(repository_ctx):
    folder = _folder(repository_ctx, "WEFT_LLVM_PREFIX").get_child("lib")
    for path in folder.readdir():
        if [prefix for prefix in _LLVM_LIBRARIES if path.basename.startswith(prefix)]:
            repository_ctx.symlink(path, "llvm/lib/" + path.basename)

def _version(repository_ctx, variable, link, line):
    """Returns one line of the tool's version message, because other lines name folders."""
    tool = _target(repository_ctx, variable, _LINKS[variable][link])
    result = repository_ctx.execute([tool, "--version"])
    if result.return_code != 0:
        fail("%s --version failed: %s" % (tool, result.stderr))
    return "\n".join(result.stdout.splitlines()[line:][:1]) + "\n"

def _newest_ptx(repository_ctx):
    """Returns the newest version of PTX that ptxas takes, or "" if it does not say.

    ptxas says it in its message about a version that will never be.
    """
    repository_ctx.file("cuda/probe.ptx", ".version 99.9\n.target sm_90\n", executable = False)
    ptxas = _target(repository_ctx, "WEFT_CUDA_ROOT", _LINKS["WEFT_CUDA_ROOT"]["cuda/bin/ptxas"])
    probe = repository_ctx.path("cuda/probe.ptx")
    result = repository_ctx.execute([ptxas, probe, "-o", repository_ctx.path("cuda/probe.cubin")])
    _, _, version = (result.stdout + result.stderr).partition("current version is '")
    return version.partition("'")[0] if version else ""

def _another_version(repository_ctx, versions):
    """Returns which tool has another version than the attributes want, or ""."""
    for attribute, (version_file, name) in _WANTED_VERSIONS.items():
        wanted = getattr(repository_ctx.attr, attribute)
        words = versions[version_file].replace("cuda_", "").split(" ")
        if wanted and not [word for word in words if (word + ".").startswith(wanted + ".")]:
            return "this workspace wants %s %s, and here is: %s" % (
                name,
                wanted,
                versions[version_file].strip(),
            )
    return ""

def _weft_toolchain_repository_impl(repository_ctx):
    missing = _missing(repository_ctx)
    versions = {}
    if not missing:
        versions = {
            version_file: _version(repository_ctx, *tool)
            for version_file, tool in _VERSIONS.items()
        }
        missing = _another_version(repository_ctx, versions)
    if missing:
        template = Label("//private/toolchain:missing.BUILD.tpl")
    else:
        template = Label("//private/toolchain:local.BUILD.tpl")
        _link_tools(repository_ctx)
        for version_file, version in versions.items():
            repository_ctx.file(version_file, version, executable = False)
    repository_ctx.template(
        "BUILD.bazel",
        template,
        substitutions = {
            "%{cpu}": _cpu(repository_ctx),
            "%{defs}": str(Label("//:defs.bzl")),
            "%{missing}": missing + "; `backend-job doctor` says what is there and what is missing",
            "%{newest_ptx}": "" if missing else _newest_ptx(repository_ctx),
            "%{other_cpu}": _other_cpu(repository_ctx),
            "%{rules_cc}": str(Label("@rules_cc//cc:defs.bzl")),
            "%{toolchain_type}": str(Label("//:toolchain_type")),
        },
        executable = False,
    )

    # Where no variable is set, the machine is one without CUDA. Where one is set, a mistake in it
    # must not pass for that.
    wanted = [name for name in _VARIABLES if _value(repository_ctx, name)]
    repository_ctx.file(
        "cuda.bzl",
        '"""Constraint of targets that a machine without CUDA leaves out."""\n\n' +
        "NEEDS_CUDA = [%s]\n" % ("" if wanted else repr(str(Label("//:no_cuda_here")))),
        executable = False,
    )

def _cpu(repository_ctx):
    """Returns the processor of this machine, as `@platforms//cpu` calls it. Bazel 4 cannot tell."""
    cpu = getattr(repository_ctx.os, "arch", "amd64")
    return "x86_64" if cpu in ["amd64", "x86_64"] else cpu

def _other_cpu(repository_ctx):
    """Returns the processor that programs may be made for besides that of this machine."""
    return [cpu for cpu in _PROCESSORS if cpu != _cpu(repository_ctx)][0]

def _link_tools(repository_ctx):
    for variable, links in _LINKS.items():
        for link, candidates in links.items():
            repository_ctx.symlink(_target(repository_ctx, variable, candidates), link)
    _link_llvm_libraries(repository_ctx)
    shared = _target(repository_ctx, "WEFT_CUDA_ROOT", _SHARED_RUNTIME)
    if shared:
        repository_ctx.symlink(shared, "cuda/" + _SHARED_RUNTIME[0])
    other = _other_cpu(repository_ctx)
    candidates = [folder + "/libcudart_static.a" for folder in _PROCESSORS[other]]
    runtime = _target(repository_ctx, "WEFT_CUDA_ROOT", candidates)
    if runtime:
        repository_ctx.symlink(runtime, "cuda/%s/lib/libcudart_static.a" % other)
    for cpu in _PROCESSORS:
        candidates = [name % cpu for name in _PROFILE_RUNTIMES]
        runtime = _target(repository_ctx, "WEFT_LLVM_PREFIX", candidates)
        if runtime:
            repository_ctx.symlink(runtime, "llvm/profile/%s/libclang_rt.profile.a" % cpu)

weft_toolchain_repository = repository_rule(
    implementation = _weft_toolchain_repository_impl,
    doc = "A repository whose `:toolchain` runs the programs in the folders that its attributes " +
          "or WEFT_LLVM_PREFIX, WEFT_CUDA_ROOT and WEFT_EXECUTABLES name. Without them the " +
          "toolchain says so to targets that need it, and `NEEDS_CUDA` of `:cuda.bzl` leaves " +
          "these out.",
    attrs = dict(
        {
            attribute: attr.string(doc = "%s; without it, %s of the environment." % (
                _VARIABLES[variable],
                variable,
            ))
            for variable, attribute in _ATTRIBUTES.items()
        },
        **{
            attribute: attr.string(doc = "The version of %s that must be there, or its start, " % (
                name
            ) + "such as `13.5`; any without it.")
            for attribute, (_, name) in _WANTED_VERSIONS.items()
        }
    ),
    configure = True,
    environ = sorted(_VARIABLES.keys()),
    local = True,
)
