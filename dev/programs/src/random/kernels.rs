//! Kernels, and the host code that launches some of them.

use super::draft::{Definition, Draft, Unit};
use super::expressions::Writer;
use super::scope::{Place, Scope};
use super::types::Type;
use super::variables::HostArray;

/// Cost limit of a kernel for one thread.
const KERNEL_COST: u64 = 20_000;
/// Number of words in the memory that every kernel is given.
pub const MEMORY: usize = 64;

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A word.
    Word(u32),
    /// The structure `Block` of three words of 64 bits, by value.
    Block([u64; 3]),
    /// Pointer to the memory.
    Memory,
}

/// A launch by host code.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Name of the kernel.
    pub kernel: String,
    /// Arguments of the kernel.
    pub arguments: Vec<Argument>,
}

/// Adds kernels to each unit. Adds host code that launches some of them, and host code that names
/// the arrays that it reads and writes, to random units.
pub(super) fn add(draft: &mut Draft, host_arrays: &[HostArray]) -> Vec<Launch> {
    draft.declare("struct Block { u64 f0, f1, f2; };\n");
    let mut launches = Vec::new();
    for unit in 0..draft.units.len() {
        for _ in 0..=draft.random.below(2) {
            let launch = add_kernel(draft, unit);
            // Nothing launches the other kernels, so they may be removed.
            if !draft.random.one_in(4) {
                launches.push(launch);
            }
        }
        let shown = dump(draft, unit);
        launches.push(shown);
    }
    for launch in &launches {
        let style = draft.random.below(6);
        add_host(draft, |number| launching(launch, number, style));
    }
    for array in host_arrays {
        let is_in_table = draft.random.one_in(3);
        add_host(draft, |number| touching(&array.name, number, is_in_table));
    }
    launches
}

fn add_kernel(draft: &mut Draft, unit: usize) -> Launch {
    let name = draft.name("kernel");
    let word = u32::try_from(draft.random.below(5000)).unwrap_or_default();
    let mut arguments = vec![Argument::Word(word)];
    let mut scope = Scope::new(Place::Unit(unit), KERNEL_COST);
    scope.values.push(("p0".to_owned(), Type::U32, false));
    let mut block = "";
    if draft.random.one_in(3) {
        let words = std::array::from_fn(|_| draft.random.bits() >> 1);
        arguments.push(Argument::Block(words));
        for field in ["block.f0", "block.f1", "block.f2"] {
            scope.values.push((field.to_owned(), Type::U64, true));
        }
        block = "Block block, ";
    }
    arguments.push(Argument::Memory);
    scope.arrays.push(("memory".to_owned(), true));
    scope.values.push(("r".to_owned(), Type::U32, true));
    scope.exit = format!("{{ memory[t % {MEMORY}u] += r; return; }}");
    let count = 1 + draft.random.below(4);
    let mut writer = Writer { random: &mut draft.random, world: &draft.world, names: 0 };
    // The calls come first, so every kernel calls functions regardless of the cost of its
    // statements.
    let calls: Vec<_> =
        (0..8).filter_map(|_| writer.call(&mut scope, 1, Type::U32)).take(3).collect();
    let statements = writer.statements(&mut scope, count, 2);
    let calls: String = calls.iter().flat_map(|call| ["  r += ", call, ";\n"]).collect();
    let bounds =
        *draft.random.pick(&["", "", "__launch_bounds__(64) ", "__launch_bounds__(128, 2) "]);
    let head = format!("extern \"C\" __global__ {bounds}void {name}(u32 p0, {block}u32 *memory)");
    let text = format!(
        "{head} {{\n  const u32 t = __nvvm_read_ptx_sreg_tid_x();\n  u32 r = t * \
         7u;\n{calls}{statements}  memory[(t * 7u + 8u) % {MEMORY}u] ^= r;\n}}\n"
    );
    draft.declare(&format!("{head};\n"));
    draft.units[unit].definitions.push(Definition::unsalted(&name, text));
    Launch { kernel: name, arguments }
}

/// Adds a kernel that stores the values of a unit's variables in memory.
fn dump(draft: &mut Draft, unit: usize) -> Launch {
    let name = draft.name("dump");
    let Unit { shown, .. } = &draft.units[unit];
    let mut lines = String::new();
    for array in shown {
        let place = format!("memory[(i * 5u + 3u) % {MEMORY}u]");
        let value = format!("{array}[i] * (i + 2u)");
        lines.extend(["  for (u32 i = 0; i < 8; ++i)\n    ", &place, " += ", &value, ";\n"]);
    }
    let head = format!("extern \"C\" __global__ void {name}(u32 *memory)");
    draft.declare(&format!("{head};\n"));
    let text = format!("{head} {{\n{lines}}}\n");
    draft.units[unit].definitions.push(Definition::unsalted(&name, text));
    Launch { kernel: name, arguments: vec![Argument::Memory] }
}

/// Adds host code to some unit. `summarize` reads it, but it never runs here, as it needs a GPU.
fn add_host(draft: &mut Draft, text: impl FnOnce(&str) -> String) {
    let number = draft.name("host");
    let unit = draft.random.below(draft.units.len());
    let text = text(&number);
    draft.units[unit].definitions.push(Definition::unsalted(&number, text));
}

/// Writes host code called `host` that launches a kernel, or passes its address to code that may
/// launch it.
fn launching(launch: &Launch, host: &str, style: usize) -> String {
    let Launch { kernel, arguments } = launch;
    let arguments: Vec<_> = arguments
        .iter()
        .map(|argument| match argument {
            Argument::Word(word) => format!("{word}u"),
            Argument::Block([a, b, c]) => format!("Block{{{a}ull, {b}ull, {c}ull}}"),
            Argument::Memory => "memory".to_owned(),
        })
        .collect();
    let arguments = arguments.join(", ");
    let head = format!("void {host}(u32 *memory)");
    match style {
        0 => format!("{head} {{ launch_through({kernel}, {arguments}); }}\n"),
        1 => format!("{head} {{ cudaLaunchKernel((const void *){kernel}, 1, 8, 0, 0, 0); }}\n"),
        2 => format!("const void *{host}_table[] = {{nullptr, (const void *){kernel}}};\n"),
        3 => format!(
            "static const void *const {host}_table[] = {{(const void *){kernel}, nullptr}};\n\
             const void *{host}(u32 index) {{ return {host}_table[index]; }}\n"
        ),
        _ => format!("{head} {{ {kernel}<<<1, 8>>>({arguments}); }}\n"),
    }
}

/// Writes host code called `host` that uses a variable.
fn touching(variable: &str, host: &str, is_in_table: bool) -> String {
    if is_in_table {
        format!("const void *{host}_table[] = {{{variable}}};\n")
    } else {
        format!("void {host}() {{ host_touches({variable}); }}\n")
    }
}
