//! Statistics of a linked device image: the costs of each kernel, from NVIDIA's own tools.
//!
//! The same rules hold for all images, whichever compiler made them:
//!
//! - Registers and stack are those that the linker wrote for the kernel, so they cover its callees.
//! - CALLs and instructions are counted in the code of the kernel and of every function that it can
//!   reach, each function once, however it is shared. `reach.rs` defines the reachable functions.
//! - Local accesses are counted over the same functions: instructions that load from or store to
//!   local memory. Spilled registers, registers saved around calls and arrays on the stack all show
//!   up as local accesses. The assembler's own count of spills was rejected: it is known for each
//!   unit as it is compiled, but not at all for code that is compiled inside of nvlink.
//! - Cycles are the stall counts that the assembler wrote into the instructions, weighted by loops
//!   ([`weft_container::loop_weights`]), with those of callees at each CALL. They measure issue
//!   alone; waits for memory are not part of them, nor is the probability of branches.

mod attributes;
mod disassembly;
mod flow;
mod names;
mod occupancy;
mod reach;
mod resources;
#[cfg(test)]
mod samples;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use names::distinct_names;
pub use names::{all_names, short_names};
pub use occupancy::{DEFAULT_THREADS, warps};
use reach::{Reach, Totals};
use resources::Resources;

use dev_process::{Error, Process, Result, while_trying};
use dev_toolchain::Toolchain;

/// Costs of one kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelCost {
    /// Registers of a thread.
    pub registers: u64,
    /// Bytes of a thread's stack.
    pub stack: u64,
    /// Number of instructions that load from or store to local memory.
    pub local_accesses: u64,
    /// Number of CALL instructions.
    pub calls: u64,
    /// Number of all instructions without padding.
    pub instructions: u64,
    /// Sum of the stall counts of the instructions, weighted by loops.
    pub cycles: u64,
}

impl KernelCost {
    /// Adds each cost of another kernel.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            registers: self.registers + other.registers,
            stack: self.stack + other.stack,
            local_accesses: self.local_accesses + other.local_accesses,
            calls: self.calls + other.calls,
            instructions: self.instructions + other.instructions,
            cycles: self.cycles.saturating_add(other.cycles),
        }
    }
}

/// Properties of a kernel's blocks that limit how many of them run at once, beside registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Number of threads by the launch bounds, if there are any.
    pub threads: Option<u64>,
    /// Bytes of static shared memory.
    pub shared: u64,
}

/// A linked device image.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Kernels by [their short names](short_names), by their whole names where short ones are
    /// equal, and with numbers where whole names are, too, as those of local kernels can be.
    pub kernels: BTreeMap<String, KernelCost>,
    /// Blocks of the same kernels.
    pub blocks: BTreeMap<String, Block>,
}

/// Counts the instructions in a cubin, linked or not, without padding.
pub fn instructions(toolchain: &Toolchain, path: &Path) -> Result<u64> {
    let mut count = 0;
    let disassemble = Process::new(&toolchain.nvdisasm).arg("-c").arg(path).quietly();
    disassemble.scan(|line| count += u64::from(disassembly::is_instruction(line)))?;
    Ok(count)
}

/// Reads the image in the file `path`.
pub fn read(toolchain: &Toolchain, path: &Path) -> Result<Image> {
    let bytes = fs::metadata(path).map_err(while_trying("read", path))?.len();
    let mut code = disassembly::Reader::default();
    let disassemble = Process::new(&toolchain.nvdisasm).args(["-c", "-hex"]).arg(path).quietly();
    disassemble.scan(|line| code.line(line))?;
    let functions = code.functions();
    let mut attributes = attributes::Reader::default();
    let list = Process::new(&toolchain.cuobjdump).arg("-elf").arg(path).quietly();
    list.scan(|line| attributes.line(line))?;
    let threads = attributes.threads();
    let usage =
        Process::new(&toolchain.cuobjdump).arg("-res-usage").arg(path).quietly().capture()?;
    let resources = resources::resources(&usage);
    let kernels: Vec<&str> = functions
        .iter()
        .filter(|(_, function)| function.is_kernel)
        .map(|(name, _)| name.as_str())
        .collect();
    let names = distinct_names(toolchain, &kernels)?;
    let mut reach = Reach::of(&functions);
    let mut image = Image { bytes, ..Image::default() };
    for (kernel, name) in kernels.into_iter().zip(names) {
        let Some(&Resources { registers, stack, shared }) = resources.get(kernel) else {
            let path = path.display();
            return Err(Error::new(format!("{path}: cuobjdump does not know the kernel {kernel}")));
        };
        let Totals { calls, local_accesses, instructions } = reach.totals(kernel);
        let cycles = reach.cycles(kernel);
        let cost = KernelCost { registers, stack, local_accesses, calls, instructions, cycles };
        let block = Block { threads: threads.get(kernel).copied(), shared };
        image.blocks.insert(name.clone(), block);
        image.kernels.insert(name, cost);
    }
    Ok(image)
}
