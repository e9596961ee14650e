//! Finds out whether a tool's own content determines its behavior.
//!
//! A key holds the digest of a tool's file. That is enough for a program or a library that the
//! system's loader completes with the system's own libraries. It is not enough for a script, which
//! starts other programs, or for a program with libraries in a folder beside it (`$ORIGIN` in its
//! search path): those can change while the file stays the same. Such libraries can be declared as
//! further tools. Following everything that a script leads to is impossible, so the results of
//! scripts, and of programs whose libraries are not declared, are not kept anywhere.

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, FileHeader64, PT_DYNAMIC};
use object::read::ReadCache;
use object::read::elf::{FileHeader as _, ProgramHeader as _};
use object::{Endianness, FileKind};

use crate::tool::Tool;

/// The loader's placeholder for the folder of the file that it loads, in its two spellings.
const OWN_FOLDER: [&str; 2] = ["$ORIGIN", "${ORIGIN}"];

/// Returns the reason why the contents of `tools` do not determine the behavior of one of them;
/// `None` if they do. A file that cannot be read gives `None`, too: its user reports that.
pub(crate) fn incompleteness(tools: &[&Tool]) -> Option<String> {
    let is_declared = |library: &PathBuf| tools.iter().any(|tool| tool.path == *library);
    tools.iter().find_map(|tool| {
        let file = File::open(&tool.path).ok()?;
        let name = tool.path.display();
        match own_libraries(&tool.path, file) {
            Ok(libraries) => {
                let library = libraries.into_iter().find(|library| !is_declared(library))?;
                let library = library.file_name().unwrap_or(library.as_os_str()).display();
                Some(format!("{name} loads {library} from a folder of its own"))
            }
            Err(NotElf) => Some(format!("{name} is a script or the like, which starts others")),
        }
    })
}

impl Tool {
    /// Returns the program at `path` and the libraries that the loader finds beside it, at their
    /// places relative to it below `folder`. The program is the first.
    pub fn with_own_libraries(folder: &str, path: &Path) -> io::Result<Vec<Self>> {
        let true_path = path.canonicalize()?;
        let mut files = vec![true_path];
        let mut next = 0;
        while let Some(file) = files.get(next) {
            // The program's user, or the loader, reports a file of another kind.
            for library in own_libraries(file, File::open(file)?).unwrap_or_default() {
                if !files.contains(&library) {
                    files.push(library);
                }
            }
            next += 1;
        }
        let mut common = files[0].parent().unwrap_or(Path::new("/"));
        while let (true, Some(parent)) =
            (files.iter().any(|file| !file.starts_with(common)), common.parent())
        {
            common = parent;
        }
        let mut tools: Vec<Self> = files
            .iter()
            .map(|file| {
                let place = Path::new(folder).join(file.strip_prefix(common).unwrap_or(file));
                Self { name: place.display().to_string(), path: file.clone() }
            })
            .collect();
        // Some programs do as their name says, which may be a link's.
        if let (Some(program), Some(name)) = (tools.first_mut(), path.file_name()) {
            program.name = Path::new(&program.name).with_file_name(name).display().to_string();
            program.path = std::path::absolute(path)?;
        }
        Ok(tools)
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
fn own_libraries(path: &Path, file: File) -> Result<Vec<PathBuf>, NotElf> {
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
    let found = |library: &String| {
        folders.iter().map(|folder| folder.join(library)).find(|path| path.exists())
    };
    Ok(needed.iter().filter_map(found).collect())
}

/// Returns the folder that the search path's part `text` means, if that depends on the file's path.
fn own_folder(path: &Path, text: &str) -> Option<PathBuf> {
    let rest = OWN_FOLDER.iter().find_map(|word| text.strip_prefix(word))?;
    // The loader knows a program by its true path, not by the link that named it.
    let place = path.canonicalize().ok()?;
    Some(without_steps_up(&place.parent()?.join(rest.trim_start_matches('/'))))
}

/// Returns an absolute path without its parts `..`, as the loader's path would be on another
/// machine, where links may be missing.
fn without_steps_up(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            result.pop();
        } else {
            result.push(part);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_libraries_of_the_system_are_whole_and_scripts_are_not() {
        let of = |path: &Path| {
            let tool = Tool { name: String::new(), path: path.to_owned() };
            incompleteness(&[&tool])
        };
        assert_eq!(of(&std::env::current_exe().unwrap()), None);
        assert_eq!(of(Path::new("/bin/sh")), None);
        assert_eq!(of(Path::new("/nowhere")), None);
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script");
        for content in ["#!/bin/sh\n", "", "\x7fELF", "\x7fELF\x02\x01\x01"] {
            std::fs::write(&script, content).unwrap();
            assert!(of(&script).unwrap().contains("is a script"), "{content:?}");
        }
    }

    #[test]
    fn a_program_of_no_dynamic_part_is_whole() {
        // A segment of kind 1 is loaded, and kind 2 is the dynamic part.
        let program = |kind: u32| {
            let mut file = vec![0; 120];
            file[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
            // Kind, machine, version; then the place, size and number of the only segment.
            file[16..24].copy_from_slice(&[2, 0, 62, 0, 1, 0, 0, 0]);
            file[32] = 64;
            file[52..58].copy_from_slice(&[64, 0, 56, 0, 1, 0]);
            file[64..68].copy_from_slice(&kind.to_le_bytes());
            file
        };
        let file = tempfile::NamedTempFile::new().unwrap();
        let tool = Tool { name: String::new(), path: file.path().to_owned() };
        std::fs::write(file.path(), program(1)).unwrap();
        assert_eq!(incompleteness(&[&tool]), None);
        // The table of what it loads was stripped, so nobody knows.
        std::fs::write(file.path(), program(2)).unwrap();
        assert!(incompleteness(&[&tool]).unwrap().contains("is a script"));
    }

    /// The compiler of these tests loads its libraries from a folder beside its own.
    #[test]
    fn a_program_is_found_with_the_libraries_beside_it() {
        let folder = Path::new(env!("CARGO")).parent().unwrap();
        let compiler = folder.join("rustc");
        let tools = Tool::with_own_libraries("tool", &compiler).unwrap();
        assert_eq!((tools[0].name.as_str(), &tools[0].path), ("tool/bin/rustc", &compiler));
        let (program, libraries) = tools.split_first().unwrap();
        for library in libraries {
            assert!(library.name.starts_with("tool/lib/"), "{}", library.name);
            assert!(library.path.starts_with(folder.with_file_name("lib").canonicalize().unwrap()));
        }
        let has = |part: &str| libraries.iter().any(|library| library.name.contains(part));
        assert!(has("librustc_driver") && has("libLLVM"), "{libraries:?}");
        let found: std::collections::BTreeSet<_> = tools.iter().map(|tool| &tool.path).collect();
        assert_eq!(found.len(), tools.len(), "each is there once");
        assert_eq!(incompleteness(&tools.iter().collect::<Vec<_>>()), None);
        let alone = incompleteness(&[program]).unwrap();
        assert!(alone.ends_with("from a folder of its own"), "{alone}");
        // A link has its own name, and the libraries of the program that it leads to.
        let other = tempfile::tempdir().unwrap();
        let link = other.path().join("compiler");
        std::os::unix::fs::symlink(&compiler, &link).unwrap();
        let linked = Tool::with_own_libraries("tool", &link).unwrap();
        assert_eq!((linked[0].name.as_str(), &linked[0].path), ("tool/bin/compiler", &link));
        assert_eq!(linked[1..], tools[1..]);
        let system = Tool::with_own_libraries("tool", Path::new("/bin/cat")).unwrap();
        assert_eq!(system, [Tool { name: "tool/cat".to_owned(), path: "/bin/cat".into() }]);
    }

    #[test]
    fn only_folders_beside_the_file_are_its_own() {
        let of = |text| own_folder(Path::new("/bin/sh"), text);
        let folder = Path::new("/bin").canonicalize().unwrap();
        assert_eq!(of("$ORIGIN/../x"), Some(folder.with_file_name("x")));
        assert_eq!(of("${ORIGIN}"), Some(folder));
        assert_eq!(of("/usr/lib"), None);
    }
}
