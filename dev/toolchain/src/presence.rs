//! Decides whether a part of the toolchain is here, by looking for the files that it holds.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::lock::Part;
use crate::probe::Probe;
use dev_process::environment;

/// Folders that compilers search by default, apart from the folders named for the machine.
const HEADER_FOLDERS: &[&str] = &["/usr/include", "/usr/local/include"];
const LIBRARY_FOLDERS: &[&str] = &["/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64"];
/// Debian's folders named for the machine, below `/usr/include` and `/usr/lib`.
const MACHINES: &[&str] = &["x86_64-linux-gnu", "aarch64-linux-gnu"];

/// A thing that was not found, and the package or wheel that has it.
#[derive(Debug)]
pub(crate) struct Missing {
    pub(crate) probe: Probe,
    pub(crate) part: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.probe.is_cuda() { "wheel" } else { "Debian package" };
        write!(formatter, "{} ({kind} {})", self.probe, self.part)
    }
}

/// Folders below which LLVM and CUDA are looked for; `None` if there is no such folder.
#[derive(Debug)]
pub(crate) struct Roots {
    pub(crate) llvm: Option<PathBuf>,
    pub(crate) cuda: Option<PathBuf>,
}

impl Roots {
    /// Returns the missing things of these parts.
    pub(crate) fn missing(&self, parts: &[Part]) -> Vec<Missing> {
        let of_part = |part: &Part| {
            let absent = part.holds.iter().filter(|probe| !self.has(probe));
            let part = part.name.clone();
            absent
                .map(move |probe| Missing { probe: probe.clone(), part: part.clone() })
                .collect::<Vec<_>>()
        };
        parts.iter().flat_map(of_part).collect()
    }

    fn has(&self, probe: &Probe) -> bool {
        match probe {
            Probe::Program(name) => environment::find_program(name).is_some(),
            Probe::Header(name) => is_in_system_folders(HEADER_FOLDERS, name),
            Probe::Library(name) => is_in_system_folders(LIBRARY_FOLDERS, name),
            Probe::Llvm(path) => self.find_llvm(path).is_some(),
            Probe::Cuda(path) => self.find_cuda(path).is_some(),
        }
    }

    /// Finds a file below the LLVM prefix.
    pub(crate) fn find_llvm(&self, path: &str) -> Option<PathBuf> {
        let path = self.llvm.as_deref()?.join(path);
        is_usable(&path).then_some(path)
    }

    /// Finds a file below the CUDA root; NVIDIA's installers have `lib64` where the wheels have
    /// `lib`.
    pub(crate) fn find_cuda(&self, path: &str) -> Option<PathBuf> {
        let root = self.cuda.as_deref()?;
        let elsewhere = path.strip_prefix("lib/").map(|name| format!("lib64/{name}"));
        [Some(path.to_owned()), elsewhere]
            .into_iter()
            .flatten()
            .map(|path| root.join(path))
            .find(|path| is_usable(path))
    }
}

/// Returns whether a file exists and, in a folder called `bin`, is executable.
fn is_usable(path: &Path) -> bool {
    let in_bin = path.parent().is_some_and(|folder| folder.ends_with("bin"));
    if in_bin { environment::is_executable(path) } else { path.is_file() }
}

fn is_in_system_folders(folders: &[&str], name: &str) -> bool {
    folders.iter().map(Path::new).any(|folder| {
        folder.join(name).is_file()
            || MACHINES.iter().any(|machine| folder.join(machine).join(name).is_file())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_named_with_the_part_that_has_it() {
        let holds = ["llvm:bin/clang", "cuda:bin/ptxas", "program:sh"];
        let holds = holds.iter().filter_map(|text| Probe::parse(text)).collect();
        let part = Part { name: "x".to_owned(), holds, ..Part::default() };
        let missing = Roots { llvm: None, cuda: None }.missing(&[part]);
        let texts: Vec<String> = missing.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["LLVM's bin/clang (Debian package x)", "CUDA's bin/ptxas (wheel x)"]);
    }
}
