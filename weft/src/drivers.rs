//! The programs that link host code: compilers, nvcc, and linkers themselves.

use std::path::Path;

/// The kinds of programs by their options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Driver {
    /// gcc, clang and programs with similar names.
    Compiler,
    /// NVIDIA's compiler, which links device code as well.
    Nvcc,
    /// A linker without a compiler in front of it.
    Linker,
}

/// Options of compilers whose value is the next word. Options that allow a joined value take the
/// next word only if nothing is joined.
const OF_COMPILERS: &[&str] = &[
    "--param",
    "--sysroot",
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-L",
    "-MF",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-V",
    "-Xarch_device",
    "-Xarch_host",
    "-Xassembler",
    "-Xclang",
    "-Xcuda-fatbinary",
    "-Xcuda-ptxas",
    "-Xlinker",
    "-Xoffload-linker",
    "-Xpreprocessor",
    "-arch",
    "-aux-info",
    "-dumpbase",
    "-dumpdir",
    "-e",
    "-idirafter",
    "-imacros",
    "-imultilib",
    "-include",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-l",
    "-mllvm",
    "-o",
    "-target",
    "-u",
    "-x",
    "-z",
];

/// Options of nvcc whose value is the next word, unless `=` follows.
const OF_NVCC: &[&str] = &[
    "--Ofast-compile",
    "--Werror",
    "--apply-controls",
    "--archive-options",
    "--archiver-binary",
    "--brief-diagnostics",
    "--compiler-bindir",
    "--compiler-options",
    "--compress-mode",
    "--cudadevrt",
    "--cudart",
    "--default-stream",
    "--define-macro",
    "--dependency-drive-prefix",
    "--dependency-output",
    "--dependency-target-name",
    "--device-entity-has-hidden-visibility",
    "--device-stack-protector",
    "--diag-error",
    "--diag-suppress",
    "--diag-warn",
    "--dopt",
    "--drive-prefix",
    "--entries",
    "--fatbin-options",
    "--fdevice-sanitize",
    "--fdevice-time-trace",
    "--fdevice-time-trace-granularity",
    "--fmad",
    "--fmax-errors",
    "--frandom-seed",
    "--ftemplate-backtrace-limit",
    "--ftemplate-depth",
    "--ftz",
    "--generate-code",
    "--gpu-architecture",
    "--gpu-code",
    "--host-linker-script",
    "--include-path",
    "--input-drive-prefix",
    "--jump-table-density",
    "--keep-dir",
    "--libdevice-directory",
    "--library",
    "--library-path",
    "--linker-options",
    "--machine",
    "--maxrregcount",
    "--nvlink-options",
    "--nvprune-options",
    "--optimization-info",
    "--optimize",
    "--options-file",
    "--output-directory",
    "--output-file",
    "--pre-include",
    "--prec-div",
    "--prec-sqrt",
    "--ptxas-options",
    "--relocatable-device-code",
    "--run-args",
    "--split-compile",
    "--split-compile-extended",
    "--static-global-template-stub",
    "--std",
    "--stdlib",
    "--system-include",
    "--target-directory",
    "--threads",
    "--tile-preview",
    "--tileiras-options",
    "--time",
    "--undefine-macro",
    "--x",
    "-D",
    "-I",
    "-L",
    "-MF",
    "-MT",
    "-O",
    "-Ofc",
    "-U",
    "-Werror",
    "-Xarchive",
    "-Xcompiler",
    "-Xcudafe",
    "-Xfatbin",
    "-Xlinker",
    "-Xnvlink",
    "-Xnvprune",
    "-Xnvvm",
    "-Xptxas",
    "-Xtileiras",
    "-apply-controls",
    "-arbin",
    "-arch",
    "-brief-diag",
    "-ccbin",
    "-code",
    "-compress-mode",
    "-cudadevrt",
    "-cudart",
    "-ddp",
    "-default-stream",
    "-device-entity-has-hidden-visibility",
    "-device-stack-protector",
    "-diag-error",
    "-diag-suppress",
    "-diag-warn",
    "-dopt",
    "-dp",
    "-e",
    "-fdevice-sanitize",
    "-fdevice-time-trace",
    "-fdevice-time-trace-granularity",
    "-fmad",
    "-fmax-errors",
    "-frandom-seed",
    "-ftemplate-backtrace-limit",
    "-ftemplate-depth",
    "-ftz",
    "-gencode",
    "-hls",
    "-idp",
    "-include",
    "-isystem",
    "-jtd",
    "-keep-dir",
    "-l",
    "-ldir",
    "-m",
    "-maxrregcount",
    "-o",
    "-odir",
    "-opt-info",
    "-optf",
    "-prec-div",
    "-prec-sqrt",
    "-rdc",
    "-run-args",
    "-split-compile",
    "-split-compile-extended",
    "-static-global-template-stub",
    "-std",
    "-stdlib",
    "-t",
    "-target-dir",
    "-tile-preview",
    "-time",
    "-x",
];

/// Options of linkers whose value is the next word. Those of two and more letters may have two
/// hyphens, and their value may be joined by `=`.
const OF_LINKERS: &[&str] = &[
    "-A",
    "-F",
    "-G",
    "-I",
    "-L",
    "-Map",
    "-R",
    "-T",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-Y",
    "-a",
    "-audit",
    "-b",
    "-c",
    "-default-script",
    "-defsym",
    "-dependency-file",
    "-dynamic-linker",
    "-dynamic-list",
    "-e",
    "-entry",
    "-exclude-libs",
    "-f",
    "-filter",
    "-fini",
    "-h",
    "-init",
    "-just-symbols",
    "-l",
    "-library",
    "-library-path",
    "-m",
    "-o",
    "-output",
    "-plugin",
    "-plugin-opt",
    "-retain-symbols-file",
    "-rpath",
    "-rpath-link",
    "-script",
    "-soname",
    "-sysroot",
    "-trace-symbol",
    "-u",
    "-undefined",
    "-version-script",
    "-wrap",
    "-y",
    "-z",
];

/// Options with which nothing is linked.
const WITHOUT_LINK: &[&str] = &[
    "-###",
    "--help",
    "--version",
    "-E",
    "-M",
    "-MM",
    "-S",
    "-c",
    "-dumpmachine",
    "-dumpversion",
    "-fsyntax-only",
    "-print-file-name",
    "-print-prog-name",
    "-print-search-dirs",
];

/// Options of nvcc alone with which nothing is linked.
const WITHOUT_LINK_OF_NVCC: &[&str] = &[
    "--compile",
    "--cubin",
    "--cuda",
    "--device-c",
    "--device-link",
    "--device-w",
    "--dryrun",
    "--fatbin",
    "--lib",
    "--ltoir",
    "--optix-ir",
    "--preprocess",
    "--ptx",
    "--run",
    "-V",
    "-cubin",
    "-cuda",
    "-dc",
    "-dlink",
    "-dryrun",
    "-dw",
    "-fatbin",
    "-h",
    "-lib",
    "-ltoir",
    "-optix-ir",
    "-ptx",
    "-run",
];

impl Driver {
    /// Returns the kind of the program with that name.
    pub(crate) fn of(program: &str) -> Self {
        let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
        let is_linker = |part: &str| ["ld", "lld", "gold", "mold", "bfd", "wild"].contains(&part);
        if name == "nvcc" || name.starts_with("nvcc-") || name.ends_with("-nvcc") {
            Self::Nvcc
        } else if name.split(['-', '.']).next_back().is_some_and(is_linker) {
            Self::Linker
        } else {
            Self::Compiler
        }
    }

    /// Whether the value of `option` is the next word.
    pub(crate) fn takes_next(self, option: &str) -> bool {
        match self {
            Self::Compiler => OF_COMPILERS.contains(&option),
            Self::Nvcc => OF_NVCC.contains(&option),
            Self::Linker => linker_option(option).is_some_and(|name| OF_LINKERS.contains(&name)),
        }
    }

    /// Whether nothing is linked with `option`.
    pub(crate) fn links_nothing(self, option: &str) -> bool {
        match self {
            Self::Compiler => WITHOUT_LINK.contains(&option),
            Self::Nvcc => WITHOUT_LINK.contains(&option) || WITHOUT_LINK_OF_NVCC.contains(&option),
            Self::Linker => ["--help", "--version"].contains(&option),
        }
    }
}

/// Divides an option from the value that is joined to it by `=`.
pub(crate) fn divided(word: &str) -> (&str, Option<&str>) {
    word.split_once('=').map_or((word, None), |(name, joined)| (name, Some(joined)))
}

/// Returns the name of a linker's option with one hyphen.
pub(crate) fn linker_option(option: &str) -> Option<&str> {
    let long = option.strip_prefix('-').filter(|rest| rest.starts_with('-') && rest.len() > 2);
    long.or_else(|| Some(option).filter(|option| option.starts_with('-')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_apart_by_their_names() {
        for (program, driver) in [
            ("/usr/bin/x86_64-linux-gnu-g++-12", Driver::Compiler),
            ("clang++-22", Driver::Compiler),
            ("nvcc", Driver::Nvcc),
            ("/opt/cuda/bin/nvcc", Driver::Nvcc),
            ("ld", Driver::Linker),
            ("x86_64-linux-gnu-ld.bfd", Driver::Linker),
            ("ld.lld", Driver::Linker),
            ("mold", Driver::Linker),
        ] {
            assert_eq!(Driver::of(program), driver, "{program}");
        }
    }

    #[test]
    fn long_options_of_linkers_have_one_or_two_hyphens() {
        for option in ["-rpath", "--rpath", "-z", "--defsym"] {
            assert!(Driver::Linker.takes_next(option), "{option}");
        }
        for option in ["--z", "-shared", "--whole-archive", "-rpath=x"] {
            assert!(!Driver::Linker.takes_next(option), "{option}");
        }
    }

    #[test]
    fn lists_are_in_order() {
        for list in [OF_COMPILERS, OF_NVCC, OF_LINKERS, WITHOUT_LINK, WITHOUT_LINK_OF_NVCC] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }
}
