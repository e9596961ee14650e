//! An ELF file as its sections, which may be changed and written again.

use object::elf::{FileHeader64, FileType, SHT_NOBITS, SectionHeader64, SectionType};
use object::pod::bytes_of;
use object::read::elf::{FileHeader as _, SectionHeader as _};
use object::{Endianness, U16, U64};

/// The numbers of cubins are little-endian.
pub(crate) const ENDIAN: Endianness = Endianness::Little;

/// A section with its content.
pub(crate) struct Section {
    pub(crate) name: Vec<u8>,
    pub(crate) header: SectionHeader64<Endianness>,
    pub(crate) content: Vec<u8>,
}

/// An ELF file without its program headers.
pub(crate) struct RewrittenElf {
    header: FileHeader64<Endianness>,
    pub(crate) sections: Vec<Section>,
}

impl Section {
    /// Its type.
    pub(crate) fn kind(&self) -> SectionType {
        self.header.sh_type.get(ENDIAN)
    }

    /// Number of the section that it is about.
    pub(crate) fn about(&self) -> usize {
        self.header.sh_info.get(ENDIAN) as usize
    }
}

impl RewrittenElf {
    /// Reads the file `data`.
    pub(crate) fn read(data: &[u8]) -> object::Result<Self> {
        let header = *FileHeader64::<Endianness>::parse(data)?;
        let sections = header.sections(ENDIAN, data)?;
        let read = |section: &SectionHeader64<Endianness>| -> object::Result<Section> {
            let name = sections.section_name(ENDIAN, section)?.to_vec();
            let content = section.data(ENDIAN, data)?.to_vec();
            Ok(Section { name, header: *section, content })
        };
        let sections = sections.iter().map(read).collect::<object::Result<_>>()?;
        Ok(Self { header, sections })
    }

    /// Returns the section of that name.
    pub(crate) fn named(&self, name: &[u8]) -> Option<&Section> {
        self.find(name).map(|found| &self.sections[found])
    }

    /// Returns the number of the section of that name.
    pub(crate) fn find(&self, name: &[u8]) -> Option<usize> {
        self.sections.iter().position(|section| section.name == name)
    }

    /// Returns the number of the section with the names of sections.
    pub(crate) fn names(&self) -> usize {
        usize::from(self.header.e_shstrndx.get(ENDIAN).0)
    }

    /// Writes the file as one of the type `kind`, each section at its alignment.
    pub(crate) fn write(mut self, kind: FileType) -> Vec<u8> {
        let mut file = bytes_of(&self.header).to_vec();
        for section in &mut self.sections {
            let alignment = section.header.sh_addralign.get(ENDIAN).max(1);
            let alignment = usize::try_from(alignment).unwrap_or(1);
            file.resize(file.len().next_multiple_of(alignment), 0);
            section.header.sh_offset = U64::new(ENDIAN, file.len() as u64);
            if section.kind() != SHT_NOBITS {
                section.header.sh_size = U64::new(ENDIAN, section.content.len() as u64);
                file.extend_from_slice(&section.content);
            }
        }
        file.resize(file.len().next_multiple_of(size_of::<u64>()), 0);
        let header = &mut self.header;
        header.e_type = U16::new(ENDIAN, kind);
        header.e_phoff = U64::new(ENDIAN, 0);
        header.e_phnum = U16::new(ENDIAN, 0);
        header.e_shoff = U64::new(ENDIAN, file.len() as u64);
        header.e_shnum = U16::new(ENDIAN, u16::try_from(self.sections.len()).unwrap_or(0));
        file.splice(..size_of_val(header), bytes_of(header).iter().copied());
        for section in &self.sections {
            file.extend_from_slice(bytes_of(&section.header));
        }
        file
    }
}
