"""`weft_toolchain_repository`: a toolchain of the programs that are installed on this machine.

The repository links to the programs, so that actions name them by paths below the exec root, which
are the same on every machine.
"""

_VARIABLES = {
    "WEFT_CUDA_ROOT": "the root of CUDA 12 or 13, with bin/ptxas and include/cuda.h",
    "WEFT_EXECUTABLES": "the folder with Weft's summarize, thinlink, backend-job and weft",
    "WEFT_LLVM_PREFIX": "the prefix of LLVM 16 to 22, with bin/clang, such as /usr/lib/llvm-22",
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
        "weft/weft": ["weft"],
    },
    "WEFT_LLVM_PREFIX": {
        "llvm/bin/clang": ["bin/clang"],
    },
}

# The variable that chooses the compiler of CUDA units, and its values.
_COMPILER = "WEFT_CUDA_COMPILER"
_CLANG = "clang"
_NVCC = "nvcc"

# Links to what nvcc runs and reads besides fatbinary, libdevice and headers.
_NVCC_LINKS = [
    "bin/nvcc",
    "bin/nvcc.profile",
    "bin/cudafe++",
    "nvvm/bin/cicc",
]

# The versions of clang whose bitcode Weft reads, the best one first.
_CLANGS = [22, 21, 20, 19, 18, 17, 16]

# Links in the repository to what has another place in each version of LLVM.
_PACKERS = ["llvm/bin/llvm-offload-binary", "llvm/bin/clang-offload-packager"]
_LINKER = "llvm/bin/ld.lld"

# Candidates for the device runtime, which kernels need that launch others. CUDA may have been
# installed without it.
_DEVICE_RUNTIME = ["lib/libcudadevrt.a", "lib64/libcudadevrt.a"]

# Candidates for the shared runtime, which programs may be linked with.
_SHARED_RUNTIME = [
    "lib/libcudart.so.13",
    "lib64/libcudart.so.13",
    "lib/libcudart.so.12",
    "lib64/libcudart.so.12",
]

# Processors that CUDA is made for, each with the folders below CUDA's root that hold its libraries
# where the machine's own processor is another one.
_PROCESSORS = {
    "aarch64": ["targets/sbsa-linux/lib", "targets/aarch64-linux/lib"],
    "x86_64": ["targets/x86_64-linux/lib"],
}

# Candidates for the library that writes the counters of instrumented host code, which LLVM may have
# been installed without.
_PROFILE_RUNTIMES = [
    "lib/clang/%d/lib/linux/libclang_rt.profile-%s.a",
    "lib/clang/%d/lib/%s-unknown-linux-gnu/libclang_rt.profile.a",
]

# Prefixes of the names of shared libraries in `lib` that LLVM's programs need. A distribution may
# have linked them statically.
_LLVM_LIBRARIES = ["libLLVM.so.%d", "libLLVM-%d.so.", "libclang-cpp.so.%d"]

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

def _compiler(repository_ctx):
    """Returns the compiler that the repository's attribute or else the environment names."""
    return repository_ctx.attr.compiler or repository_ctx.os.environ.get(_COMPILER, "") or _CLANG

def _missing_of_compiler(repository_ctx):
    """Returns what is wrong with the choice of the compiler, or ""."""
    compiler = _compiler(repository_ctx)
    if compiler not in [_CLANG, _NVCC]:
        return "%s=%s is no compiler of CUDA units: it must be %s or %s" % (
            _COMPILER,
            compiler,
            _CLANG,
            _NVCC,
        )
    for name in _NVCC_LINKS if compiler == _NVCC else []:
        if not _target(repository_ctx, "WEFT_CUDA_ROOT", [name]):
            return "%s has no %s, which the compiler nvcc needs" % (
                _value(repository_ctx, "WEFT_CUDA_ROOT"),
                name,
            )
    return ""

def _found_llvm(repository_ctx):
    """Returns the prefix of the newest clang on the search path that Weft can use, or ""."""
    for major in _CLANGS:
        clang = repository_ctx.which("clang-%d" % major)
        if clang and clang.realpath.dirname.basename == "bin":
            return str(clang.realpath.dirname.dirname)
    return ""

def _major(repository_ctx):
    """Returns clang's version, or 0 if it is none that Weft can use."""
    words = _version(repository_ctx, "WEFT_LLVM_PREFIX", "llvm/bin/clang", 0)
    _, _, number = words.partition("clang version ")
    major = number.partition(".")[0]
    return int(major) if major.isdigit() and int(major) in _CLANGS else 0

def _packer(major):
    """Returns the link to the program that clang packs device code with, beside clang."""
    return _PACKERS[0 if major >= 22 else 1]

def _linker(repository_ctx):
    """Returns `ld.lld` beside clang or else on the search path, or None."""
    own = _target(repository_ctx, "WEFT_LLVM_PREFIX", ["bin/ld.lld"])
    for name in ["ld.lld"] + ["ld.lld-%d" % major for major in _CLANGS]:
        own = own or repository_ctx.which(name)
    return own

def _missing_of_llvm(repository_ctx, major):
    """Returns what is wrong with clang and what is beside it, or ""."""
    prefix = _value_or_found(repository_ctx, "WEFT_LLVM_PREFIX")
    if not major:
        return "%s/bin/clang is %s, and Weft needs clang 16 to 22" % (
            prefix,
            _version(repository_ctx, "WEFT_LLVM_PREFIX", "llvm/bin/clang", 0).strip(),
        )
    beside = ["lib/clang/%d/include" % major, _packer(major)[len("llvm/"):]]
    for name in beside:
        if not _target(repository_ctx, "WEFT_LLVM_PREFIX", [name]):
            return "%s has no %s, which clang %d needs" % (prefix, name, major)
    if not _linker(repository_ctx):
        return "there is no ld.lld in %s/bin and on the search path" % prefix
    return ""

def _value_or_found(repository_ctx, variable):
    value = _value(repository_ctx, variable)
    return value or (_found_llvm(repository_ctx) if variable == "WEFT_LLVM_PREFIX" else "")

def _missing(repository_ctx):
    """Returns what is wrong with the variables and their folders, or "" if all is there."""
    for variable, links in _LINKS.items():
        folder = _value_or_found(repository_ctx, variable)
        if not folder:
            return "Weft's toolchain needs the environment variable %s: %s%s" % (
                variable,
                _VARIABLES[variable],
                ", and there is no clang-22 to clang-16 on the search path" if (
                    variable == "WEFT_LLVM_PREFIX"
                ) else "",
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
    return repository_ctx.path(_value_or_found(repository_ctx, variable))

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
    """Links to the libraries of clang and of the linker, which may be another version's."""
    folder = _folder(repository_ctx, "WEFT_LLVM_PREFIX").get_child("lib")
    folders = {str(folder): folder}
    linker = _linker(repository_ctx).realpath
    if linker.dirname.basename == "bin":
        other = linker.dirname.dirname.get_child("lib")
        folders[str(other.realpath)] = other
    prefixes = [prefix % major for prefix in _LLVM_LIBRARIES for major in _CLANGS]
    linked = {}
    for folder in folders.values():
        for path in folder.readdir() if folder.exists else []:
            is_library = [prefix for prefix in prefixes if path.basename.startswith(prefix)]
            if is_library and path.basename not in linked:
                linked[path.basename] = True
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
    major = 0 if missing else _major(repository_ctx)
    missing = missing or _missing_of_llvm(repository_ctx, major)
    missing = missing or _missing_of_compiler(repository_ctx)
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
        _link_tools(repository_ctx, major)
        for version_file, version in versions.items():
            repository_ctx.file(version_file, version, executable = False)

    # Where no variable is set, the machine is one without CUDA. Where one is set, a mistake in it
    # must not pass for that.
    wanted = [name for name in _VARIABLES if _value(repository_ctx, name)]
    repository_ctx.template(
        "BUILD.bazel",
        template,
        substitutions = {
            "%{clang_major}": str(major),
            "%{cpu}": _cpu(repository_ctx),
            "%{defs}": str(Label("//:defs.bzl")),
            "%{enabled_where}": "@platforms//os:linux" if wanted else _nowhere(),
            "%{missing}": missing + "; `weft doctor` says what is there and what is missing",
            "%{newest_ptx}": "" if missing else _newest_ptx(repository_ctx),
            "%{nvcc}": "cuda/bin/nvcc" if _compiler(repository_ctx) == _NVCC else "",
            "%{other_cpu}": _other_cpu(repository_ctx),
            "%{packager}": _packer(major)[len("llvm/bin/"):],
            "%{rules_cc}": str(Label("@rules_cc//cc:defs.bzl")),
            "%{toolchain_type}": str(Label("//:toolchain_type")),
        },
        executable = False,
    )

    repository_ctx.file(
        "cuda.bzl",
        '"""Constraint of targets that a machine without CUDA leaves out."""\n\n' +
        "NEEDS_CUDA = [%s]\n\n" % ("" if wanted else repr(_nowhere())) +
        "def requires_cuda():\n" +
        '    """Returns what rules_cuda calls by this name."""\n' +
        "    return NEEDS_CUDA\n\n" +
        "requires_cuda_enabled = requires_cuda\n",
        executable = False,
    )

def _nowhere():
    """Returns the constraint that no platform has."""
    return str(Label("//:no_cuda_here"))

def _cpu(repository_ctx):
    """Returns the processor of this machine, as `@platforms//cpu` calls it. Bazel 4 cannot tell."""
    cpu = getattr(repository_ctx.os, "arch", "amd64")
    return "x86_64" if cpu in ["amd64", "x86_64"] else cpu

def _other_cpu(repository_ctx):
    """Returns the processor that programs may be made for besides that of this machine."""
    return [cpu for cpu in _PROCESSORS if cpu != _cpu(repository_ctx)][0]

def _link_tools(repository_ctx, major):
    for variable, links in _LINKS.items():
        for link, candidates in links.items():
            repository_ctx.symlink(_target(repository_ctx, variable, candidates), link)
    for link in [_packer(major), "llvm/lib/clang/%d/include" % major]:
        target = _target(repository_ctx, "WEFT_LLVM_PREFIX", [link[len("llvm/"):]])
        repository_ctx.symlink(target, link)
    repository_ctx.symlink(_linker(repository_ctx), _LINKER)
    _link_llvm_libraries(repository_ctx)
    for name in _NVCC_LINKS if _compiler(repository_ctx) == _NVCC else []:
        target = _target(repository_ctx, "WEFT_CUDA_ROOT", [name])
        repository_ctx.symlink(target, "cuda/" + name)
    libnvvm = _target(repository_ctx, "WEFT_CUDA_ROOT", ["nvvm/lib64/libnvvm.so"])
    if libnvvm:
        repository_ctx.symlink(libnvvm, "cuda/nvvm/lib64/libnvvm.so")
    shared = _target(repository_ctx, "WEFT_CUDA_ROOT", _SHARED_RUNTIME)
    if shared:
        repository_ctx.symlink(shared, "cuda/lib/" + shared.basename)
    runtime = _target(repository_ctx, "WEFT_CUDA_ROOT", _DEVICE_RUNTIME)
    if runtime:
        repository_ctx.symlink(runtime, "cuda/device/libcudadevrt.a")
    other = _other_cpu(repository_ctx)
    candidates = [folder + "/libcudart_static.a" for folder in _PROCESSORS[other]]
    runtime = _target(repository_ctx, "WEFT_CUDA_ROOT", candidates)
    if runtime:
        repository_ctx.symlink(runtime, "cuda/%s/lib/libcudart_static.a" % other)
    for cpu in _PROCESSORS:
        candidates = [name % (major, cpu) for name in _PROFILE_RUNTIMES]
        runtime = _target(repository_ctx, "WEFT_LLVM_PREFIX", candidates)
        if runtime:
            repository_ctx.symlink(runtime, "llvm/profile/%s/libclang_rt.profile.a" % cpu)

weft_toolchain_repository = repository_rule(
    implementation = _weft_toolchain_repository_impl,
    doc = "A repository whose `:toolchain` runs the programs in the folders that its attributes " +
          "or WEFT_LLVM_PREFIX, WEFT_CUDA_ROOT and WEFT_EXECUTABLES name; for LLVM that is the " +
          "newest clang that can be used, if none is named. Without the others the toolchain " +
          "says so to targets that need it, and `NEEDS_CUDA` of `:cuda.bzl` leaves " +
          "these out.",
    attrs = dict(
        [("compiler", attr.string(
            doc = "The compiler of CUDA units, `clang` or `nvcc`; without it, " + _COMPILER +
                  " of the environment, or else clang.",
        ))] + {
            attribute: attr.string(doc = "%s; without it, %s of the environment." % (
                _VARIABLES[variable],
                variable,
            ))
            for variable, attribute in _ATTRIBUTES.items()
        }.items(),
        **{
            attribute: attr.string(doc = "The version of %s that must be there, or its start, " % (
                name
            ) + "such as `13.5`; any without it.")
            for attribute, (_, name) in _WANTED_VERSIONS.items()
        }
    ),
    configure = True,
    environ = sorted(_VARIABLES.keys() + ["PATH", _COMPILER]),
    local = True,
)
