//! Kernels, and the host code that launches some of them.

use super::draft::{Definition, Draft, Unit};
use super::expressions::Writer;
use super::scope::{Place, Scope};
use super::types::Type;
use super::variables::HostArray;

/// What a kernel may cost for one thread.
const KERNEL_COST: u64 = 20_000;
/// Words of memory that every kernel is given.
pub const MEMORY: usize = 64;

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A word.
    Word(u32),
    /// The structure `Block` of three words of 64 bits, by value.
    Block([u64; 3]),
    /// The memory.
    Memory,
}

/// A launch by host code.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel.
    pub kernel: String,
    /// What it gets.
    pub arguments: Vec<Argument>,
}

/// Adds kernels to each unit, and to the last one host code that launches some and names what it
/// reads and writes.
pub(super) fn add(draft: &mut Draft, host_arrays: &[HostArray]) -> Vec<Launch> {
    draft.declare("struct Block { u64 f0, f1, f2; };\n");
    let mut launches = Vec::new();
    for unit in 0..draft.units.len() {
        for _ in 0..=draft.random.below(2) {
            let launch = add_kernel(draft, unit);
            // Nothing launches the others: they may go.
            if !draft.random.one_in(4) {
                launches.push(launch);
            }
        }
        let shown = dump(draft, unit);
        launches.push(shown);
    }
    let last = draft.units.len() - 1;
    let host = host_code(&launches, host_arrays);
    draft.units[last].definitions.push(Definition::unsalted("host", host));
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
    // Calls first, so that no kernel is an island, whatever its statements cost.
    let calls: Vec<_> =
        (0..8).filter_map(|_| writer.call(&mut scope, 1, Type::U32)).take(3).collect();
    let statements = writer.statements(&mut scope, count, 2);
    let calls: String = calls.iter().flat_map(|call| ["  r += ", call, ";\n"]).collect();
    let head = format!("extern \"C\" __global__ void {name}(u32 p0, {block}u32 *memory)");
    let text = format!(
        "{head} {{\n  const u32 t = __nvvm_read_ptx_sreg_tid_x();\n  u32 r = t * \
         7u;\n{calls}{statements}  memory[(t * 7u + 8u) % {MEMORY}u] ^= r;\n}}\n"
    );
    draft.declare(&format!("{head};\n"));
    draft.units[unit].definitions.push(Definition::unsalted(&name, text));
    Launch { kernel: name, arguments }
}

/// A kernel that shows what a unit's variables hold.
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

/// Host code is never run here, as it needs a GPU. It is there to be seen by `summarize`.
fn host_code(launches: &[Launch], host_arrays: &[HostArray]) -> String {
    let mut text = "void host_code(u32 *memory) {\n".to_owned();
    for Launch { kernel, arguments } in launches {
        let arguments: Vec<_> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Word(word) => format!("{word}u"),
                Argument::Block([a, b, c]) => format!("Block{{{a}ull, {b}ull, {c}ull}}"),
                Argument::Memory => "memory".to_owned(),
            })
            .collect();
        text.extend(["  ", kernel, "<<<1, 8>>>(", &arguments.join(", "), ");\n"]);
    }
    for HostArray { name, .. } in host_arrays {
        text.extend(["  host_touches(", name, ");\n"]);
    }
    text + "}\n"
}
