//! Symbols of kernels and variables that other files of a process cannot see.
//!
//! Other files launch a kernel of a shared library, or copy to a variable of it, by a symbol that
//! the library exports. A hidden symbol serves the library's own host code alone. clang exports
//! stubs and shadows as it exports any function and variable, so they are hidden where a unit is
//! compiled with `-fvisibility=hidden`; nvcc 13 hides all of them by itself.
//!
//! clang's offload entries name the symbols in question. nvcc has none. It gives a kernel's host
//! function the kernel's name, and adds a stub whose name contains that name.

use std::collections::BTreeSet;

use object::elf;
use object::{Object as _, ObjectSymbol as _, SymbolKind};
use weft_artifact::{Guid, HostEntry};

use super::error::HostFactsError;
use super::named;
use super::symbols::{File, name_to_linker};

/// Text before a kernel's name in the name of nvcc's stub.
const STUB: &str = "__device_stub_";

/// Returns the hidden symbols of kernels and variables that an object with `entries` defines.
pub(super) fn hidden(file: &File<'_>, entries: &[HostEntry]) -> Result<Vec<Guid>, HostFactsError> {
    let symbols = registered(file, entries)?.into_iter();
    let hidden = symbols.filter(|symbol| symbol.is_hidden).map(|symbol| symbol.guid);
    Ok(hidden.collect::<BTreeSet<Guid>>().into_iter().collect())
}

/// Returns the names of the symbols of kernels and variables that an object defines and does not
/// hide.
pub(super) fn exported(
    file: &File<'_>,
    entries: &[HostEntry],
) -> Result<Vec<String>, HostFactsError> {
    let symbols = registered(file, entries)?.into_iter();
    Ok(symbols.filter(|symbol| !symbol.is_hidden).map(|symbol| symbol.name.to_owned()).collect())
}

/// The global symbol of a kernel or variable.
struct Registered<'data> {
    name: &'data str,
    guid: Guid,
    is_hidden: bool,
}

fn registered<'data>(
    file: &File<'data>,
    entries: &[HostEntry],
) -> Result<Vec<Registered<'data>>, HostFactsError> {
    let of_entries: BTreeSet<Guid> = entries.iter().map(|entry| entry.host_symbol).collect();
    let kernels = if named::has_tables(file) { kernels(file)? } else { BTreeSet::new() };
    let is_kernel =
        |name: &str| kernels.range(name..).next().is_some_and(|stub| stub.starts_with(name));
    let mut found = Vec::new();
    for symbol in file.symbols().filter(|symbol| symbol.is_definition() && symbol.is_global()) {
        let visibility = symbol.elf_symbol().st_visibility();
        let name = name_to_linker(symbol.name()?);
        let guid = Guid::of_global(name);
        let is_nvccs = || match symbol.kind() {
            SymbolKind::Text => is_kernel(name),
            _ => named::has_tables(file),
        };
        if of_entries.contains(&guid) || is_nvccs() {
            let is_hidden = matches!(visibility, elf::STV_HIDDEN | elf::STV_INTERNAL);
            found.push(Registered { name, guid, is_hidden });
        }
    }
    Ok(found)
}

/// Returns what follows [`STUB`] in the names of stubs: the name of a kernel, and more.
fn kernels<'data>(file: &File<'data>) -> Result<BTreeSet<&'data str>, HostFactsError> {
    let mut kernels = BTreeSet::new();
    for symbol in file.symbols() {
        kernels.extend(symbol.name()?.split_once(STUB).map(|(_, kernel)| kernel));
    }
    Ok(kernels)
}
