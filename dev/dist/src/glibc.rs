//! Libraries and the version of glibc that an executable needs.

use dev_process::{Error, Result};
use object::read::elf::{Dyn as _, ElfFile64, FileHeader as _};
use object::{Endianness, elf};

/// The shared libraries and the newest version of glibc that an executable needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Names of the libraries, such as `libc.so.6`, in the order in which a loader looks into them.
    pub libraries: Vec<String>,
    /// Newest version of a function of glibc, such as `(2, 28)`.
    pub glibc: (u32, u32),
}

/// Reads an executable for Linux on a processor of 64 bits. `name` is for the error.
pub fn needs(name: &str, executable: &[u8]) -> Result<Needs> {
    read(executable).map_err(|error| Error::new(format!("cannot read {name}: {error}")))
}

fn read(executable: &[u8]) -> std::result::Result<Needs, Box<dyn std::error::Error>> {
    let file = ElfFile64::<Endianness>::parse(executable)?;
    let (endian, data) = (file.endian(), file.data());
    let sections = file.elf_header().sections(endian, data)?;
    let mut needs = Needs { libraries: Vec::new(), glibc: (0, 0) };
    if let Some((entries, link)) = sections.dynamic(endian, data)? {
        let strings = sections.strings(endian, data, link)?;
        for entry in entries.iter().filter(|entry| entry.tag(endian) == elf::DT_NEEDED) {
            let library = entry.string(endian, strings)?;
            needs.libraries.push(String::from_utf8_lossy(library).into_owned());
        }
    }
    if let Some((mut needed, link)) = sections.gnu_verneed(endian, data)? {
        let strings = sections.strings(endian, data, link)?;
        while let Some((_, mut versions)) = needed.next()? {
            while let Some(version) = versions.next()? {
                let version = String::from_utf8_lossy(version.name(endian, strings)?);
                needs.glibc = needs.glibc.max(number(&version).unwrap_or_default());
            }
        }
    }
    Ok(needs)
}

/// Returns the number in a version of glibc, such as `GLIBC_2.2.5`. `GLIBC_PRIVATE`, which ties a
/// program to one build of glibc, counts as newer than all.
fn number(version: &str) -> Option<(u32, u32)> {
    let number = version.strip_prefix("GLIBC_")?;
    let mut parts = number.split('.').map(|part| part.parse().ok());
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(major), Some(minor)) => Some((major, minor)),
        _ => Some((u32::MAX, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(number("GLIBC_2.2.5"), Some((2, 2)));
        assert!(number("GLIBC_2.28") > number("GLIBC_2.4"));
        assert!(number("GLIBC_PRIVATE") > number("GLIBC_2.99"));
        assert_eq!(number("GCC_3.0"), None);
    }

    #[test]
    fn what_is_no_executable_is_named() {
        let error = needs("bin/text", b"text").unwrap_err();
        assert!(error.message().starts_with("cannot read bin/text: "), "{error}");
    }
}
