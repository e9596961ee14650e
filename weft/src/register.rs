//! Writes the source of the host code that registers a program's image.
//!
//! LLVM's `llvm-offload-wrapper` writes it as bitcode that no clang before its own version reads,
//! and expects entries in the form of that version. A program may contain units of several
//! versions. All of them read C, and so does the host compiler.
//!
//! The source also defines the functions that units of nvcc (`-dc`) call to register their kernels
//! and variables. NVIDIA's own source for that (`crt/link.stub`) does not support units of clang.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use weft_cli::{Blame as _, Fault, failure, files};
use weft_container::{archive_members, is_archive, nvcc_units};

/// The source, with placeholders for the parts that differ.
const SOURCE: &str = include_str!("registration.c");
/// Placeholder for the path.
const PLACE: &str = "WEFT_IMAGE";
/// Placeholders for the functions of nvcc's units, and for the code that counts the units.
const UNITS: [(&str, &str); 2] = [("WEFT_UNITS", "UNIT"), ("WEFT_COUNTS", "COUNT")];

/// Write the host code, in C, that registers a program's image
#[derive(Args, Debug)]
pub(crate) struct RegisterArguments {
    /// The fat binary that `fatbinary` made, by its path from where the C is compiled. It is read
    /// then.
    #[arg(value_name = "IMAGE")]
    pub(crate) image: PathBuf,
    /// An object or archive of nvcc's relocatable device code (`nvcc -dc`), whose kernels and
    /// variables are registered with the image, too; may be repeated. `@FILE` stands for the lines
    /// of FILE, one path each. Other files in the list are ignored.
    #[arg(long, value_name = "FILE")]
    pub(crate) nvcc_object: Vec<PathBuf>,
    /// File for the C
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// Carries out `weft register`.
pub(crate) fn register(arguments: &RegisterArguments) -> anyhow::Result<()> {
    let mut units = BTreeSet::new();
    for path in files::expand_responses(&arguments.nvcc_object)? {
        add_units(&path, &mut units)?;
    }
    files::write(&arguments.output, source(&arguments.image, &units)?.as_bytes())
}

/// Adds the ids of nvcc's units in an object or archive.
fn add_units(path: &Path, units: &mut BTreeSet<String>) -> anyhow::Result<()> {
    let name = || path.display().to_string();
    let content = files::read(path)?;
    if !is_archive(&content) {
        units.extend(nvcc_units(&content).blame(Fault::Input, name)?);
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let members = archive_members(&content, |member| std::fs::read(folder.join(member)));
    for member in members.blame(Fault::Input, name)? {
        let of_member = nvcc_units(&member.content);
        units.extend(of_member.blame(Fault::Input, || format!("{}({})", name(), member.name))?);
    }
    Ok(())
}

/// Returns the source that includes the image, and registers `units` of nvcc with it. The image's
/// name goes through two string literals, of C and of the assembler.
fn source(image: &Path, units: &BTreeSet<String>) -> anyhow::Result<String> {
    let name = image
        .to_str()
        .filter(|name| !name.contains(|c: char| c.is_control() || "\"\\".contains(c)));
    match name {
        Some(name) => {
            let mut source = SOURCE.replace(PLACE, name);
            for (place, word) in UNITS {
                let lines: Vec<_> = units.iter().map(|unit| format!("{word}({unit})")).collect();
                source = source.replace(place, &lines.join("\n"));
            }
            Ok(source)
        }
        None => Err(failure(
            Fault::Usage,
            format!("{}: the image's name must be text without \" and \\", image.display()),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_names_the_image_once() {
        let units = ["_1", "_2"].map(str::to_owned).into();
        let text = source(Path::new("a b/image.fatbin"), &units).unwrap_or_default();
        assert_eq!(text.matches(".incbin \\\"a b/image.fatbin\\\"").count(), 1);
        assert!(!text.contains("WEFT"));
        assert!(text.contains("\nUNIT(_1)\nUNIT(_2)\n") && text.contains("COUNT(_1)\nCOUNT(_2)\n"));
    }

    #[test]
    fn names_that_a_literal_cannot_hold_are_refused() {
        for name in ["a\"b", "a\\b", "a\nb"] {
            assert!(source(Path::new(name), &BTreeSet::new()).is_err(), "{name}");
        }
    }
}
