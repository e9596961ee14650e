//! Comparison of the kernels' code in a linked image with the code in the link's input cubins.
//!
//! The final link moves code and fills in addresses. Any other change of a kernel's code makes the
//! kernel compute something else.

use std::collections::{BTreeMap, BTreeSet};

use object::elf::STT_FUNC;
use object::read::elf::{ElfFile64, ElfSection64, Sym as _};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, RelocationTarget};

use super::difference::{Aspect, Difference};
use super::image::ENTRY;
use super::targets::target;

/// Size of an instruction in bytes.
const INSTRUCTION: usize = 16;
/// Prefix of the constant section that holds a kernel's jump tables.
const TABLES: &str = ".nv.constant2";

type File<'data> = ElfFile64<'data>;

/// Code of a kernel.
#[derive(Debug, Default)]
struct Code {
    /// Machine code of the kernel.
    text: Vec<u8>,
    /// Bytes of the kernel's jump tables.
    tables: Vec<u8>,
    /// Names of the targets of relocations, by offset in the machine code.
    relocations: BTreeMap<u64, BTreeSet<String>>,
}

/// Returns a difference for each kernel whose code in `image` is not the code of the cubin in
/// `cubins` that defines the kernel.
pub(super) fn changes(cubins: &[Vec<u8>], image: &[u8]) -> Result<Vec<Difference>, String> {
    let linked = kernels(image)?;
    let tables: Vec<Vec<u8>> = cubins
        .iter()
        .map(|cubin| tables_of_functions(cubin))
        .collect::<Result<Vec<_>, _>>()?
        .concat();
    let mut differences = Vec::new();
    for cubin in cubins {
        for (name, code) in kernels(cubin)? {
            // The link drops non-prevailing definitions of weak kernels, which the oracle counts
            // elsewhere.
            let Some(other) = linked.get(&name) else { continue };
            if let Some(detail) = change(&code, other, &tables) {
                differences.push(Difference::new(Aspect::Code, &name, detail));
            }
        }
    }
    Ok(differences)
}

/// Describes the first change that the link made to a kernel's code. `functions` are the jump
/// tables of all functions.
fn change(before: &Code, after: &Code, functions: &[Vec<u8>]) -> Option<String> {
    let same_tables = holds(&after.tables, &before.tables, functions);
    if before.text.len() > after.text.len() || !same_tables {
        return Some(format!(
            "{} and {} bytes of code and tables became {} and {}",
            before.text.len(),
            before.tables.len(),
            after.text.len(),
            after.tables.len()
        ));
    }
    let instructions = before.text.chunks(INSTRUCTION).zip(after.text.chunks(INSTRUCTION));
    let changed = (0_u64..).step_by(INSTRUCTION).zip(instructions).find(|(place, (one, other))| {
        let is_relocated =
            before.relocations.range(*place..place + INSTRUCTION as u64).next().is_some();
        !is_relocated && one != other
    });
    if let Some((place, _)) = changed {
        return Some(format!("the instruction at {place:#x} changed without a relocation"));
    }
    after.relocations.iter().find_map(|(place, targets)| {
        let expected = before.relocations.get(place)?;
        let message = || format!("{place:#x} points to {targets:?} instead of {expected:?}");
        expected.is_disjoint(targets).then(message)
    })
}

/// Whether a kernel's jump tables in an image are those of its cubin, and of functions. The link
/// gives a kernel the tables of the functions that it reaches in other cubins.
fn holds(linked: &[u8], own: &[u8], functions: &[Vec<u8>]) -> bool {
    let mut rest = linked.to_vec();
    let holds_own = take(&mut rest, own);
    for table in functions {
        take(&mut rest, table);
    }
    // Tables are aligned.
    holds_own && rest.iter().all(|byte| *byte == 0)
}

/// Takes `part` out of `bytes`. Returns whether it was in there.
fn take(bytes: &mut Vec<u8>, part: &[u8]) -> bool {
    if part.is_empty() {
        return true;
    }
    let place = bytes.windows(part.len()).position(|window| window == part);
    if let Some(place) = place {
        bytes.drain(place..place + part.len());
    }
    place.is_some()
}

/// Returns the jump tables of the functions of a cubin that are no kernels.
fn tables_of_functions(data: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let kernels = kernels(data)?;
    let file = File::parse(data).map_err(|error| error.to_string())?;
    let table = |section: ElfSection64<'_, '_>| {
        let name = section.name().ok()?.strip_prefix(TABLES)?.strip_prefix('.')?;
        let content = section.data().ok()?;
        (!kernels.contains_key(name)).then(|| content.to_vec())
    };
    Ok(file.sections().filter_map(table).collect())
}

fn kernels(data: &[u8]) -> Result<BTreeMap<String, Code>, String> {
    let file = File::parse(data).map_err(|error| error.to_string())?;
    let mut kernels = BTreeMap::new();
    for symbol in file.symbols() {
        let raw = symbol.elf_symbol();
        if raw.st_type() == STT_FUNC && raw.st_other().0 & ENTRY != 0 && !symbol.is_undefined() {
            let name = symbol.name().map_err(|error| error.to_string())?;
            kernels.insert(name.to_owned(), code(&file, name)?);
        }
    }
    Ok(kernels)
}

fn code(file: &File<'_>, kernel: &str) -> Result<Code, String> {
    let bytes = |name: String| match file.section_by_name(&name) {
        Some(section) => section.data().map(<[u8]>::to_vec).map_err(|error| error.to_string()),
        None => Ok(Vec::new()),
    };
    let mut relocations = BTreeMap::new();
    if let Some(section) = file.section_by_name(&format!(".text.{kernel}")) {
        for (place, relocation) in section.relocations() {
            if matches!(relocation.target(), RelocationTarget::Symbol(_)) {
                relocations.insert(place, target(file, &relocation)?.names);
            }
        }
    }
    Ok(Code {
        text: bytes(format!(".text.{kernel}"))?,
        tables: bytes(format!("{TABLES}.{kernel}"))?,
        relocations,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &[u8], relocations: &[(u64, &str)]) -> Code {
        let named = |(place, name): &(u64, &str)| (*place, BTreeSet::from([(*name).to_owned()]));
        let relocations = relocations.iter().map(named).collect();
        Code { text: text.to_vec(), tables: Vec::new(), relocations }
    }

    #[test]
    fn only_relocated_instructions_may_change() {
        let before = code(&[1; 48], &[(20, "v")]);
        let mut text = [1; 48];
        text[30] = 2;
        let change = |after: &Code| change(&before, after, &[]);
        assert_eq!(change(&code(&text, &[(20, "v")])), None);
        assert_eq!(change(&code(&text, &[])), None);
        assert!(change(&code(&text, &[(20, "w")])).is_some());
        text[32] = 2;
        assert!(change(&code(&text, &[])).is_some());
        assert!(change(&code(&text[..32], &[])).is_some());
    }

    #[test]
    fn a_kernel_may_get_the_tables_of_functions() {
        let functions = [vec![7, 8, 9], vec![5, 6]];
        assert!(holds(&[1, 2, 7, 8, 9], &[1, 2], &functions));
        assert!(holds(&[5, 6, 0, 0, 1, 2], &[1, 2], &functions));
        assert!(holds(&[], &[], &functions));
        assert!(!holds(&[1, 2, 7, 8], &[1, 2], &functions));
        assert!(!holds(&[7, 8, 9], &[1, 2], &functions));
    }
}
