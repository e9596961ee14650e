//! Finds out whether a tool's own content determines its behavior.
//!
//! A key holds the digest of a tool's file. That is enough for a program or a library that the
//! system's loader completes with the system's own libraries. It is not enough for a script, which
//! starts other programs, or for a program with libraries in a folder beside it (`$ORIGIN` in its
//! search path): those can change while the file stays the same. Following everything that a script
//! leads to is impossible, so the results of such tools are not kept anywhere.

use std::fs::File;
use std::path::{Path, PathBuf};

use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, FileHeader64, PT_DYNAMIC};
use object::read::ReadCache;
use object::read::elf::{FileHeader as _, ProgramHeader as _};
use object::{Endianness, FileKind};

/// The loader's placeholder for the folder of the file that it loads, in its two spellings.
const OWN_FOLDER: [&str; 2] = ["$ORIGIN", "${ORIGIN}"];

/// Returns the reason why the content of the tool at `path` does not determine its behavior; `None`
/// if it does. A file that cannot be read gives `None`, too: its user reports that.
pub(crate) fn incompleteness(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    let name = path.display();
    match own_libraries(path, file) {
        Ok(libraries) => {
            let library = libraries.into_iter().next()?;
            Some(format!("{name} loads {library} from a folder of its own"))
        }
        Err(NotElf) => Some(format!("{name} is a script or the like, which starts others")),
    }
}

/// The error of a file that the loader cannot start or load by itself.
struct NotElf;

impl From<object::Error> for NotElf {
    fn from(_: object::Error) -> Self {
        Self
    }
}

/// Returns the libraries that an ELF file finds in folders relative to its own.
fn own_libraries(path: &Path, file: File) -> Result<Vec<String>, NotElf> {
    let cache = ReadCache::new(file);
    let data = &cache;
    if FileKind::parse(data)? != FileKind::Elf64 {
        return Err(NotElf);
    }
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let table = sections.dynamic_table(endian, data)?;
    let segments = header.program_headers(endian, data)?;
    let is_dynamic = segments.iter().any(|segment| segment.p_type(endian) == PT_DYNAMIC);
    if is_dynamic && table.is_empty() {
        // The file was stripped of the table of the libraries that it loads.
        return Err(NotElf);
    }
    let (mut needed, mut folders) = (Vec::new(), Vec::new());
    for entry in &table {
        let text = || table.string(entry).map(|name| String::from_utf8_lossy(name).into_owned());
        match entry.tag {
            DT_NEEDED => needed.push(text()?),
            DT_RPATH | DT_RUNPATH => {
                folders.extend(text()?.split(':').filter_map(|folder| own_folder(path, folder)));
            }
            _ => {}
        }
    }
    needed.retain(|library| folders.iter().any(|folder| folder.join(library).exists()));
    Ok(needed)
}

/// Returns the folder that the search path's part `text` means, if that depends on the file's path.
fn own_folder(path: &Path, text: &str) -> Option<PathBuf> {
    let rest = OWN_FOLDER.iter().find_map(|word| text.strip_prefix(word))?;
    // The loader knows the file by its true path, not by the link that named it.
    let place = path.canonicalize().ok()?;
    Some(place.parent()?.join(rest.trim_start_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_libraries_of_the_system_are_whole_and_scripts_are_not() {
        let this_program = std::env::current_exe().unwrap();
        assert_eq!(incompleteness(&this_program), None);
        assert_eq!(incompleteness(Path::new("/bin/sh")), None);
        assert_eq!(incompleteness(Path::new("/nowhere")), None);
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script");
        for content in ["#!/bin/sh\n", "", "\x7fELF", "\x7fELF\x02\x01\x01"] {
            std::fs::write(&script, content).unwrap();
            assert!(incompleteness(&script).unwrap().contains("is a script"), "{content:?}");
        }
    }

    #[test]
    fn only_folders_beside_the_file_are_its_own() {
        let of = |text| own_folder(Path::new("/bin/sh"), text);
        let folder = Path::new("/bin").canonicalize().unwrap();
        assert_eq!(of("$ORIGIN/../x"), Some(folder.join("../x")));
        assert_eq!(of("${ORIGIN}"), Some(folder.join("")));
        assert_eq!(of("/usr/lib"), None);
    }
}
