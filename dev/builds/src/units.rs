//! The units of a program.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dev_process::{Error, Result, remove, while_trying};

/// Source files of a program by their paths relative to its folder, sorted. These paths are the
/// module ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// CUDA units: `src/*.cu`.
    pub cuda: Vec<String>,
    /// C++ units for the host only: `src/*.cpp`.
    pub host: Vec<String>,
    /// Device bitcode, as libraries have it: `src/*.bc`. Only the builds with clang take it.
    pub bitcode: Vec<String>,
}

impl Units {
    /// Finds the units in `folder/src`.
    pub fn find(folder: &Path) -> Result<Self> {
        let source = folder.join("src");
        let mut names = Vec::new();
        for entry in fs::read_dir(&source).map_err(while_trying("read", &source))? {
            let entry = entry.map_err(while_trying("read", &source))?;
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Self::of_names(&names)
    }

    /// Returns the number of all units.
    pub fn count(&self) -> usize {
        self.cuda.len() + self.host.len() + self.bitcode.len()
    }

    /// Returns the units with device code that Weft compiles, each of which is a module.
    pub fn modules(&self) -> impl Iterator<Item = &String> {
        self.cuda.iter().chain(&self.bitcode)
    }

    /// Sorts file names by their endings; files with other endings are no units.
    fn of_names(names: &[String]) -> Result<Self> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if let Some(name) = names.iter().find(|name| !name.chars().all(is_plain)) {
            // Other names would need quoting in commands and build files.
            let rule = "names of units hold letters, digits, '.', '_' and '-' only";
            return Err(Error::new(format!("src/{name}: {rule}")));
        }
        let ending_with = |ending: &str| {
            let matching = names.iter().filter(|name| name.ends_with(ending));
            matching.map(|name| format!("src/{name}")).collect::<Vec<_>>()
        };
        let bitcode = ending_with(".bc");
        Ok(Self { cuda: ending_with(".cu"), host: ending_with(".cpp"), bitcode })
    }
}

/// Lists every file below a folder.
pub fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(while_trying("read", folder))? {
        let path = entry.map_err(while_trying("read", folder))?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

/// Returns whether two folders hold the same files, apart from outputs of builds.
pub(super) fn are_same(one: &Path, other: &Path) -> Result<bool> {
    if !other.is_dir() {
        return Ok(false);
    }
    Ok(contents(one)? == contents(other)?)
}

/// Makes the files of `folder` those of `source`. Files that are the same stay untouched, and so do
/// outputs of builds, but for those of files that are gone.
pub(super) fn update(source: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
    let (wanted, present) = (contents(source)?, contents(folder)?);
    for name in present.keys().filter(|name| !wanted.contains_key(*name)) {
        let of_it = format!("/{}.", name.display());
        for path in outputs(folder)? {
            if path.to_string_lossy().contains(&of_it) {
                remove(&path)?;
            }
        }
        remove(&folder.join(name))?;
    }
    for (name, content) in wanted {
        if present.get(&name) == Some(&content) {
            continue;
        }
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(while_trying("create", parent))?;
        }
        fs::write(&path, content).map_err(while_trying("write", &path))?;
    }
    Ok(())
}

/// Lists the outputs of all builds of a program.
fn outputs(folder: &Path) -> Result<Vec<PathBuf>> {
    let folder = folder.join("build");
    if folder.is_dir() { files_below(&folder) } else { Ok(Vec::new()) }
}

fn contents(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut contents = BTreeMap::new();
    for path in files_below(folder)? {
        let name = path.strip_prefix(folder).unwrap_or(&path);
        if !name.starts_with("build") {
            let content = fs::read(&path).map_err(while_trying("read", &path))?;
            contents.insert(name.to_owned(), content);
        }
    }
    Ok(contents)
}

/// Copies a folder with its content, apart from folders called `build`.
pub(super) fn copy(source: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
    for entry in fs::read_dir(source).map_err(while_trying("read", source))? {
        let entry = entry.map_err(while_trying("read", source))?;
        let (from, to) = (entry.path(), folder.join(entry.file_name()));
        if from.is_dir() {
            if entry.file_name() != "build" {
                copy(&from, &to)?;
            }
        } else {
            fs::copy(&from, &to).map_err(while_trying("copy", &from))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_sorted_by_their_language() {
        let names = ["a.cu", "b.cpp", "c.cu", "lib.bc", "notes.md"].map(str::to_owned);
        let units = Units::of_names(&names).expect("plain names");
        assert_eq!(units.cuda, ["src/a.cu", "src/c.cu"]);
        assert_eq!(units.host, ["src/b.cpp"]);
        assert_eq!(units.bitcode, ["src/lib.bc"]);
        assert_eq!(units.count(), 4);
        assert!(units.modules().eq(["src/a.cu", "src/c.cu", "src/lib.bc"]));
    }

    #[test]
    fn an_update_touches_only_what_differs() {
        let folder = std::env::temp_dir().join(format!("weft-update-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
        };
        remove(&folder).unwrap();
        for (name, text) in [("from/src/a.cu", "a"), ("from/src/b.cu", "b"), ("to/src/a.cu", "a")] {
            write(name, text);
        }
        let outputs = ["a.cu.o", "c.cu.o"].map(|name| format!("to/build/weft/src/{name}"));
        for name in ["to/src/b.cu", "to/src/c.cu", &outputs[0], &outputs[1]] {
            write(name, "old");
        }
        let (from, to) = (folder.join("from"), folder.join("to"));
        let time = || fs::metadata(to.join("src/a.cu")).unwrap().modified().unwrap();
        let before = time();
        update(&from, &to).unwrap();
        assert!(are_same(&from, &to).unwrap() && time() == before);
        assert!(folder.join(&outputs[0]).is_file() && !folder.join(&outputs[1]).exists());
        remove(&folder).unwrap();
    }

    #[test]
    fn a_name_that_would_need_quoting_is_refused() {
        let outcome = Units::of_names(&["a b.cu".to_owned()]);
        assert!(outcome.is_err_and(|error| error.message().contains("src/a b.cu")));
    }
}
