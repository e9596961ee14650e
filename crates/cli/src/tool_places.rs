//! The places of the tools that builds with Weft start, found as the build systems find them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;
use weft_action::find_program;

use crate::variables::{Variables, variable};

/// Programs of CUDA in `bin` of its root, which every device link starts.
pub const CUDA_PROGRAMS: [&str; 3] = ["ptxas", "nvlink", "fatbinary"];

/// LLVM's linker, which Bazel's rules take from beside clang or from the search path.
pub const LLVM_LINKER: &str = "ld.lld";

/// Names of clang on the search path, the first one first.
const CLANG_NAMES: [&str; 8] =
    ["clang", "clang-22", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16"];
/// Root of CUDA where NVIDIA's installer puts it.
const USUAL_CUDA: &str = "/usr/local/cuda";

/// Options that name the tools.
#[derive(Args, Clone, Debug, Default)]
pub struct ToolPlaces {
    /// The clang that compiles units [default: `bin/clang` in `$WEFT_LLVM_PREFIX`, or else clang or
    /// the newest of clang-22 to clang-16 on the search path]
    #[arg(long, value_name = "FILE")]
    clang: Option<PathBuf>,
    /// Root of CUDA [default: `$WEFT_CUDA_ROOT`, or else the folder above that of the ptxas on the
    /// search path, or else /usr/local/cuda]
    #[arg(long, value_name = "DIR")]
    cuda: Option<PathBuf>,
}

/// A place, and the words for what named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path, whether or not something is there; `None` if nothing names one.
    pub path: Option<PathBuf>,
    /// Name of the option or variable that named it, or words for where it was looked for.
    pub named_by: &'static str,
}

impl ToolPlaces {
    /// Names the root of CUDA alone.
    pub fn of_cuda(cuda: Option<PathBuf>) -> Self {
        Self { clang: None, cuda }
    }

    /// Returns clang's place.
    pub fn clang(&self) -> Place {
        self.clang_in(&variable)
    }

    /// Returns the place of CUDA's root.
    pub fn cuda(&self) -> Place {
        self.cuda_in(&variable)
    }

    fn clang_in(&self, environment: &Variables) -> Place {
        let search_path = environment("PATH");
        let on_path = |name: &Path| find_program(name, search_path.as_deref());
        if let Some(clang) = &self.clang {
            let path = on_path(clang).unwrap_or_else(|| clang.clone());
            return Place { path: Some(path), named_by: "--clang" };
        }
        if let Some(prefix) = environment("WEFT_LLVM_PREFIX") {
            let path = Some(Path::new(&prefix).join("bin/clang"));
            return Place { path, named_by: "WEFT_LLVM_PREFIX" };
        }
        let path = CLANG_NAMES.iter().find_map(|name| on_path(Path::new(name)));
        Place { path, named_by: "the search path" }
    }

    fn cuda_in(&self, environment: &Variables) -> Place {
        if let Some(cuda) = &self.cuda {
            return Place { path: Some(cuda.clone()), named_by: "--cuda" };
        }
        if let Some(root) = environment("WEFT_CUDA_ROOT") {
            return Place { path: Some(root.into()), named_by: "WEFT_CUDA_ROOT" };
        }
        let ptxas = find_program(Path::new("ptxas"), environment("PATH").as_deref());
        let root = ptxas.as_deref().and_then(Path::parent).and_then(Path::parent);
        match root {
            Some(root) => Place { path: Some(root.to_owned()), named_by: "the search path" },
            None => Place { path: Some(USUAL_CUDA.into()), named_by: "the usual place" },
        }
    }
}

/// Returns the program beside clang that packs device code into objects. LLVM 22 uses another name
/// for it than earlier versions.
pub const fn offload_packer(clang_major: u32) -> &'static str {
    if clang_major >= 22 { "llvm-offload-binary" } else { "clang-offload-packager" }
}

/// Finds a program of LLVM beside clang, or beside the file that clang is a link to.
pub fn beside_clang(clang: &Path, program: &str) -> Option<PathBuf> {
    let real = std::fs::canonicalize(clang).ok();
    let folders = [clang.parent(), real.as_deref().and_then(Path::parent)];
    folders.into_iter().flatten().map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Whether a program like make offers a jobserver to the processes that it starts.
pub fn has_jobserver() -> bool {
    variable("MAKEFLAGS").is_some_and(|flags| offers_jobserver(&flags))
}

fn offers_jobserver(flags: &OsStr) -> bool {
    flags.to_string_lossy().split_whitespace().any(|flag| flag.starts_with("--jobserver-"))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    #[test]
    fn an_option_comes_before_a_variable_and_that_before_the_search_path() {
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        for name in ["clang-22", "ptxas"] {
            std::fs::write(bin.join(name), "").unwrap();
        }
        let search_path: OsString = bin.clone().into();
        let path_alone = move |name: &str| (name == "PATH").then(|| search_path.clone());
        let path_too = path_alone.clone();
        let all = move |name: &str| match name {
            "WEFT_LLVM_PREFIX" | "WEFT_CUDA_ROOT" => Some("/prefix".into()),
            _ => path_too(name),
        };
        let none = |_: &str| None;
        let seen = |places: &ToolPlaces, environment: &Variables| {
            [places.clang_in(environment), places.cuda_in(environment)].map(|place| place.path)
        };
        let paths = |clang: &str, cuda: &str| [Some(clang.into()), Some(cuda.into())];
        let given = ToolPlaces { clang: Some("/c".into()), cuda: Some("/r".into()) };
        assert_eq!(seen(&given, &all), paths("/c", "/r"));
        let open = ToolPlaces::default();
        assert_eq!(seen(&open, &all), paths("/prefix/bin/clang", "/prefix"));
        let found = [Some(bin.join("clang-22")), Some(folder.path().to_owned())];
        assert_eq!(seen(&open, &path_alone), found);
        assert_eq!(seen(&open, &none), [None, Some(USUAL_CUDA.into())]);
        assert!(offers_jobserver(OsStr::new(" -j2 --jobserver-auth=3,4")));
        assert!(!offers_jobserver(OsStr::new("-j2")));
    }

    /// Returns the words of `text` between `start` and `end`.
    fn words<'text>(text: &'text str, start: &str, end: char) -> Vec<&'text str> {
        let (_, rest) = text.split_once(start).unwrap();
        rest.split(end).next().unwrap().split_whitespace().collect()
    }

    /// The build systems' rules are in their own languages, so they cannot read the lists above.
    #[test]
    fn the_build_systems_want_the_same_programs() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
        let cmake = read("cmake/private/_weft_find_programs.cmake");
        assert_eq!(words(&cmake, "set(names ptxas", ')'), CUDA_PROGRAMS[1..]);
        let bazel = read("bazel/private/toolchain/repository.bzl");
        let mut linked: Vec<&str> = bazel
            .lines()
            .filter_map(|line| line.trim().strip_prefix("\"cuda/bin/")?.split('"').next())
            .collect();
        linked.sort_unstable();
        let mut cuda = CUDA_PROGRAMS;
        cuda.sort_unstable();
        assert_eq!(linked, cuda);
        for program in ["clang", LLVM_LINKER, offload_packer(16), offload_packer(22)] {
            assert!(bazel.contains(&format!("\"llvm/bin/{program}\"")), "{program}");
        }
    }
}
