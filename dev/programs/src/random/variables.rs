//! Random variables: arrays of eight words with every kind of linkage and memory.

use super::draft::{Definition, Draft};
use super::scope::{Array, Visibility};

/// An array that host code writes before the first launch, or reads after the last launch.
#[derive(Clone, Debug)]
pub struct HostArray {
    /// Symbol of the array.
    pub name: String,
    /// LLVM's number of the address space.
    pub address_space: u32,
    /// Words that host code writes to the array; `None` if host code reads it.
    pub written: Option<[u32; 8]>,
}

/// Adds arrays of all kinds. Returns the arrays that host code uses.
pub(super) fn add(draft: &mut Draft) -> Vec<HostArray> {
    let mut host = Vec::new();
    for _ in 0..2 + draft.random.below(4) {
        add_global(draft, &mut host);
    }
    for unit in 0..draft.units.len() {
        for _ in 0..=draft.random.below(2) {
            add_local(draft, unit);
        }
    }
    if draft.random.one_in(2) {
        add_inline(draft);
    }
    if draft.random.one_in(2) {
        add_template(draft);
    }
    host
}

fn words(draft: &mut Draft) -> [u32; 8] {
    std::array::from_fn(|_| u32::try_from(draft.random.below(1000)).unwrap_or_default())
}

fn initializer(draft: &mut Draft) -> String {
    let words = words(draft).map(|word| word.to_string());
    format!("{{{}}}", words.join(", "))
}

fn add_global(draft: &mut Draft, host: &mut Vec<HostArray>) {
    let unit = draft.random.below(draft.units.len());
    let name = draft.name("g");
    let salt = draft.salt();
    let values = initializer(draft).replacen('{', &format!("{{{salt} + "), 1);
    let kind = draft.random.below(4);
    let (of, initializer, is_writable) = match kind {
        0 => ("__constant__ u32", format!(" = {values}"), false),
        // `__device__ const` is not among the kinds: clang puts its definition into constant memory
        // and its declaration into global memory, and both nvlink and thinlink refuse that.
        1 => ("__constant__ const u32", format!(" = {values}"), false),
        2 => ("__device__ u32", format!(" = {values}"), true),
        _ => ("__device__ u32", format!(" = {{{salt}}}"), true),
    };
    draft.declare(&format!("extern \"C\" {{ extern {of} {name}[8]; }}\n"));
    let text = format!("{of} {name}[8]{initializer};\n");
    draft.units[unit].definitions.push(Definition { symbol: name.clone(), salt, text });
    if is_writable {
        draft.units[unit].shown.push(name.clone());
    }
    // Host code may only write memory that CUDA lets it write.
    if kind != 1 && draft.random.one_in(2) {
        let written = (kind == 0 || draft.random.one_in(2)).then(|| words(draft));
        let address_space = if kind == 0 { 4 } else { 1 };
        host.push(HostArray { name: name.clone(), address_space, written });
    }
    let visibility = Visibility::Everywhere;
    draft.world.arrays.push(Array { name: name.clone(), visibility, is_writable });
    if is_writable && draft.random.one_in(3) {
        add_pointer(draft, unit, &name);
    }
}

/// Adds a pointer whose initializer names a variable.
fn add_pointer(draft: &mut Draft, unit: usize, target: &str) {
    let name = draft.name("q");
    let (of, visibility) = if draft.random.one_in(2) {
        draft.declare(&format!("extern \"C\" {{ extern __device__ u32 *{name}; }}\n"));
        ("__device__ u32 *", Visibility::Everywhere)
    } else {
        ("static __device__ u32 *const ", Visibility::Unit(unit))
    };
    let text = format!("{of}{name} = {target};\n");
    draft.units[unit].definitions.push(Definition::unsalted(&name, text));
    draft.world.arrays.push(Array { name, visibility, is_writable: true });
}

/// Adds a variable of a unit, under a name that other units use, too.
fn add_local(draft: &mut Draft, unit: usize) {
    const NAMES: [&str; 4] = ["state", "table", "seen", "limits"];
    let kind = draft.random.below(NAMES.len());
    let name = NAMES[kind];
    if draft.units[unit].definitions.iter().any(|definition| definition.symbol == name) {
        return;
    }
    let values = initializer(draft);
    let of = ["__device__ u32", "__device__ const u32", "__device__ u32", "__constant__ u32"][kind];
    let is_writable = kind == 0 || kind == 2;
    let text = format!("static {of} {name}[8] = {values};\n");
    draft.units[unit].definitions.push(Definition::unsalted(name, text));
    if is_writable {
        draft.units[unit].shown.push(name.to_owned());
    }
    let visibility = Visibility::Unit(unit);
    draft.world.arrays.push(Array { name: name.to_owned(), visibility, is_writable });
}

/// Adds two variables of one template, of which every unit that names one has a definition.
fn add_template(draft: &mut Draft) {
    let name = draft.name("m");
    let values = initializer(draft).replacen('{', "{N + ", 1);
    draft.declare(&format!("template <u32 N> __device__ u32 {name}[8] = {values};\n"));
    for number in 1..=2 {
        let name = format!("{name}<{number}>");
        let unit = draft.random.below(draft.units.len());
        draft.units[unit].shown.push(name.clone());
        let visibility = Visibility::Everywhere;
        draft.world.arrays.push(Array { name, visibility, is_writable: true });
    }
}

/// Adds a variable that the header, and so every unit, defines.
fn add_inline(draft: &mut Draft) {
    let name = draft.name("h");
    let values = initializer(draft);
    draft.declare(&format!("inline __device__ u32 {name}[8] = {values};\n"));
    for unit in &mut draft.units {
        unit.shown.push(name.clone());
    }
    let visibility = Visibility::Everywhere;
    draft.world.arrays.push(Array { name, visibility, is_writable: true });
}
