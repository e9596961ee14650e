//! Host objects made of assembly, which state any offload entry and any relocation.

use weft_artifact::{Guid, HostFacts, HostReference, ReferenceForm};
use weft_container::{HostFactsError, host_facts};
use weft_tests::Workbench;

/// Returns the offload entry of `symbol` in the layout of clang 20 and later. `name` is the label
/// of the device name.
pub(crate) fn entry(symbol: &str, name: &str, flags: u32, size: u64) -> String {
    let kinds = ".quad 0\n.short 1, 2\n";
    format!("{ENTRIES}{kinds}.long {flags}\n.quad {symbol}, {name}, {size}, 0, 0\n.text\n")
}

/// Begins the section of the entries.
pub(crate) const ENTRIES: &str = ".section llvm_offload_entries,\"aw\"\n";

/// Returns the entry of a kernel with the stub `symbol`, together with its device name.
pub(crate) fn kernel(symbol: &str) -> String {
    let name = format!(".Lname_{symbol}");
    format!("{}{}", name_of(symbol, &name), entry(symbol, &name, 0, 0))
}

/// Returns the entry of a variable of four bytes, together with its device name.
pub(crate) fn variable(symbol: &str) -> String {
    let name = format!(".Lname_{symbol}");
    format!("{}{}", name_of(symbol, &name), entry(symbol, &name, 0, 4))
}

fn name_of(symbol: &str, label: &str) -> String {
    format!(".section .rodata.names,\"a\"\n{label}: .asciz \"device_{symbol}\"\n.text\n")
}

/// Returns a global function that consists of `content`, in the current section.
pub(crate) fn function(name: &str, content: &str) -> String {
    format!(".globl {name}\n.type {name},@function\n{name}:\n{content}\n.size {name}, . - {name}\n")
}

/// Assembles an object for x86-64.
pub(crate) fn object(text: &str) -> Vec<u8> {
    let bench = Workbench::new();
    bench.write("unit.s", text);
    let target = "--target=x86_64-linux-gnu";
    bench.llvm("clang").args([target, "-c", "unit.s", "-o", "unit.o"]).succeed();
    bench.read("unit.o")
}

/// Returns the host facts of an object with host code.
pub(crate) fn facts(text: &str) -> HostFacts {
    host_facts(&object(text)).unwrap().unwrap()
}

/// Returns the message of the object that is refused.
pub(crate) fn refused(text: &str) -> String {
    let error: HostFactsError = host_facts(&object(text)).unwrap_err();
    error.to_string()
}

/// Returns how the object refers to each of `symbols` that it refers to, as `symbol form`.
pub(crate) fn references(text: &str, symbols: &[&str]) -> Vec<String> {
    let facts = facts(text);
    let form = |symbol: &&str| {
        let HostReference { how, .. } = facts.reference(Guid::of_global(symbol))?;
        let how = match how {
            ReferenceForm::Explicit => "explicit",
            ReferenceForm::Implicit => "implicit",
            ReferenceForm::Invisible => "invisible",
        };
        Some(format!("{symbol} {how}"))
    };
    symbols.iter().filter_map(form).collect()
}
