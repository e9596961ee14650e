//! Programs that benches build in several ways to compare them: the example, a generated one, code
//! of others, and code that was written for the benches.

use std::fs;
use std::path::{Path, PathBuf};

use crate::deep::{self, Size};
use dev_builds::{Program, Settings, Tools, Variant};
use dev_process::{Result, remove, while_trying};

/// One program.
pub struct Source {
    /// Name of the program in folders and metrics.
    pub name: &'static str,
    /// Description for a person.
    pub what: String,
    /// Whether the program is whole and can run.
    pub runs: bool,
    /// Build that Weft's build is compared with.
    pub reference: Variant,
    pub(crate) kind: Kind,
    pub(crate) settings: Settings,
}

pub(crate) enum Kind {
    Folder(PathBuf),
    Generated(Size, u64),
    /// CUDA units.
    Units(Vec<PathBuf>),
    /// Texts of files, and a library of device bitcode.
    Written(&'static [(&'static str, &'static str)], Option<PathBuf>),
}

impl Source {
    /// Writes the program's sources into a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        match &self.kind {
            Kind::Folder(source) => dev_builds::copy_sources(source, folder),
            Kind::Generated(size, seed) => deep::write(folder, size, *seed),
            Kind::Units(units) => {
                let source = folder.join("src");
                fs::create_dir_all(&source).map_err(while_trying("create", &source))?;
                units.iter().try_for_each(|unit| copy(unit, &source))
            }
            Kind::Written(texts, library) => {
                let source = folder.join("src");
                for folder in [&source, &folder.join("include")] {
                    fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
                }
                for (name, text) in *texts {
                    let path = folder.join(name);
                    fs::write(&path, text).map_err(while_trying("write", &path))?;
                }
                library.iter().try_for_each(|library| copy(library, &source))
            }
        }
    }

    /// Returns the number of units that others wrote; 0 for other programs.
    pub fn units(&self) -> usize {
        if let Kind::Units(units) = &self.kind { units.len() } else { 0 }
    }

    /// Returns the options that the units need.
    pub fn settings(&self) -> Settings {
        self.settings.clone()
    }

    /// Returns the ways to build the program.
    pub fn variants(&self) -> &'static [Variant] {
        match self.reference {
            Variant::Whole => &[Variant::Weft, Variant::Whole],
            _ => &Variant::ALL,
        }
    }

    /// Opens the program of a variant in its folder below `folder`; Weft's variants share one. It
    /// is a fresh copy if the sources there differ.
    pub fn open<'tools>(
        &self,
        folder: &Path,
        variant: Variant,
        tools: &'tools Tools,
    ) -> Result<Program<'tools>> {
        self.opened(folder, variant, |fresh, place| Program::copy_if_different(fresh, place, tools))
    }

    /// Opens the same program, but keeps what was built of the sources that are still the same.
    pub fn open_updated<'tools>(
        &self,
        folder: &Path,
        variant: Variant,
        tools: &'tools Tools,
    ) -> Result<Program<'tools>> {
        self.opened(folder, variant, |fresh, place| Program::update(fresh, place, tools))
    }

    /// Returns the folder of a variant below `folder`.
    pub fn place(&self, folder: &Path, variant: Variant) -> PathBuf {
        let owner = if variant == Variant::Full { Variant::Weft } else { variant };
        folder.join(self.name).join(owner.name())
    }

    fn opened<'tools>(
        &self,
        folder: &Path,
        variant: Variant,
        open: impl FnOnce(&Path, &Path) -> Result<Program<'tools>>,
    ) -> Result<Program<'tools>> {
        let fresh = folder.join(self.name).join("source");
        remove(&fresh)?;
        self.write(&fresh)?;
        let program = open(&fresh, &self.place(folder, variant));
        remove(&fresh)?;
        program
    }
}

/// Copies a file into a folder.
fn copy(file: &Path, folder: &Path) -> Result<()> {
    let place = folder.join(file.file_name().unwrap_or_default());
    fs::copy(file, &place).map(drop).map_err(while_trying("copy", file))
}
