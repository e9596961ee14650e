//! Objects of clang that test programs keep below Cargo's target folder, so that neither another
//! test program nor a later run compiles the same again. Ninja finds out what is out of date: it
//! knows the command, the compiler, the source and every header. Only clang's work is kept; each
//! run makes Weft's outputs anew.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;

use dev_programs::ggml;

use crate::{Run, tools};

const RULE: &str = "rule clang\n  command = $clang -MD -MF $out.d\n  depfile = $out.d\n  \
                    deps = gcc\n  description = clang $in\n";

/// The kept objects of a program.
#[derive(Debug)]
pub struct Kept {
    /// Folder of the objects.
    folder: PathBuf,
    /// Folder in which clang runs.
    sources: PathBuf,
    /// The file of Ninja.
    ninja: String,
}

impl Kept {
    /// Returns the program of this name, without units. Its commands run in the folder `sources`.
    pub fn new(name: &str, sources: &Path) -> Self {
        let folder = tools().executables().join("weft-tests/kept").join(name);
        let ninja = format!("builddir = {}\n{RULE}", path(&folder));
        Self { folder, sources: sources.to_owned(), ninja }
    }

    /// Returns the path of an object. Its name is derived from the path of a source.
    pub fn object(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Adds a unit, which `clang` compiles with these arguments. Every run adds all units that any
    /// run makes, because Ninja may forget an object that its file does not name.
    pub fn add(&mut self, source: &Path, object: &Path, clang: &Path, arguments: &[OsString]) {
        let words =
            [clang.as_os_str()].into_iter().chain(arguments.iter().map(OsString::as_os_str));
        let command = words.map(quoted).collect::<Vec<_>>().join(" ");
        // Writing to a String cannot fail.
        let _ = writeln!(
            self.ninja,
            "build {}: clang {} | {}\n  clang = {command}",
            path(object),
            path(source),
            path(clang),
        );
    }

    /// Compiles those of the objects that are out of date, with as many processes at once as there
    /// are processors.
    pub fn make(&self, objects: &[PathBuf]) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.folder.display());
        fs::create_dir_all(&self.folder).map_err(failed)?;
        // Test programs may run at the same time.
        let lock = File::create(self.folder.join("lock")).map_err(failed)?;
        lock.lock().map_err(failed)?;
        let file = self.folder.join("build.ninja");
        fs::write(&file, &self.ninja).map_err(failed)?;
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        let ninja = Run::new("ninja", &self.sources).arg("-f").arg(file).arg(format!("-j{jobs}"));
        ninja.args(objects).attempt().map(drop)
    }
}

/// Compiles units of ggml-cuda and returns the paths of their objects, which hold device bitcode.
/// The units are known by the paths of their sources.
pub fn ggml_objects(units: &[String]) -> Vec<PathBuf> {
    let mut kept = Kept::new("ggml", tools().ggml());
    let object = |kept: &Kept, unit: &str| kept.object(&format!("{}.o", unit.replace('/', "_")));
    for unit in ggml::units() {
        let object = object(&kept, &unit);
        let arguments = ggml::compile_arguments(&unit, &object, tools().cuda_root());
        kept.add(Path::new(&unit), &object, &tools().llvm("clang++"), &arguments);
    }
    let objects: Vec<_> = units.iter().map(|unit| object(&kept, unit)).collect();
    kept.make(&objects).unwrap_or_else(|failure| panic!("units of ggml-cuda: {failure}"));
    objects
}

/// Returns a path as Ninja's file has it.
fn path(path: &Path) -> String {
    path.to_string_lossy().replace('$', "$$").replace(' ', "$ ").replace(':', "$:")
}

/// Returns a word of a shell's command as Ninja's file has it.
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy().replace('\'', r"'\''").replace('$', "$$");
    format!("'{word}'")
}
