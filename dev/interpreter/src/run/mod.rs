//! Launches of kernels.

mod access;
mod atomics;
mod block;
mod builtins;
mod calls;
mod shared;
mod step;
mod thread;
mod warps;

use crate::fault::{Fault, Result};
use crate::link::Program;
use crate::memory::{Allocation, Global};

use shared::{Shared, position};

/// Alignment of memory that the host allocates.
const HOST_ALIGNMENT: u64 = 256;

/// A launch of a kernel.
#[derive(Clone, Debug)]
pub struct Launch<'launch> {
    /// Name of the kernel.
    pub kernel: &'launch str,
    /// Number of blocks by dimension.
    pub blocks: [u32; 3],
    /// Number of threads of a block by dimension.
    pub threads: [u32; 3],
    /// Bytes of each argument. An address is a generic one.
    pub arguments: &'launch [Vec<u8>],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared_bytes: u32,
    /// Number of instructions, of all threads together, after which the launch fails.
    pub step_limit: u64,
    /// If set, only the thread of this number in each block runs.
    pub only_thread: Option<u32>,
}

impl<'launch> Launch<'launch> {
    /// Returns a launch with a limit of a billion instructions.
    pub fn new(
        kernel: &'launch str,
        blocks: [u32; 3],
        threads: [u32; 3],
        arguments: &'launch [Vec<u8>],
    ) -> Self {
        Self {
            kernel,
            blocks,
            threads,
            arguments,
            dynamic_shared_bytes: 0,
            step_limit: 1_000_000_000,
            only_thread: None,
        }
    }
}

/// A program with its memory.
pub struct Machine<'program> {
    program: &'program Program,
    global: Global,
    printed: String,
    steps: u64,
}

impl<'program> Machine<'program> {
    /// Gives a program memory with the initial values of its variables.
    pub fn new(program: &'program Program) -> Self {
        Self { program, global: program.global.clone(), printed: String::new(), steps: 0 }
    }

    /// Returns the address of a variable that files share, and its size in bytes.
    pub fn variable(&self, name: &str) -> Result<(u64, u64)> {
        let found = self.program.variables.get(name);
        found.copied().ok_or_else(|| Fault::new(format!("there is no variable {name}")))
    }

    /// Allocates global memory of zeros, and returns its address.
    pub fn allocate(&mut self, bytes: usize) -> u64 {
        let allocation = Allocation { bytes: vec![0; bytes], is_constant: false };
        self.global.add(allocation, HOST_ALIGNMENT)
    }

    /// Reads global or constant memory.
    pub fn read(&self, address: u64, bytes: u64) -> Result<&[u8]> {
        self.global.read(address, bytes)
    }

    /// Writes global or constant memory.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        self.global.write(address, bytes.len() as u64, true)?.copy_from_slice(bytes);
        Ok(())
    }

    /// Returns what kernels have printed.
    pub fn printed(&self) -> &str {
        &self.printed
    }

    /// Returns the number of instructions that have run.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Runs a kernel, one block after the other.
    pub fn launch(&mut self, launch: &Launch<'_>) -> Result<()> {
        let kernel = self.program.kernels.get(launch.kernel).copied();
        let kernel =
            kernel.ok_or_else(|| Fault::new(format!("there is no kernel {}", launch.kernel)))?;
        let arguments = self.arguments(kernel, launch)?;
        let bytes = self.program.shared_bytes + u64::from(launch.dynamic_shared_bytes);
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let [x, y, z] = launch.blocks;
        let limit = self.steps + launch.step_limit;
        for number in 0..u64::from(x) * u64::from(y) * u64::from(z) {
            let mut shared = Shared {
                program: self.program,
                global: &mut self.global,
                printed: &mut self.printed,
                memory: vec![thread::UNWRITTEN; bytes],
                dynamic_bytes: launch.dynamic_shared_bytes,
                steps: &mut self.steps,
                limit,
                blocks: launch.blocks,
                threads: launch.threads,
                block: position(number, launch.blocks),
            };
            block::run(&mut shared, kernel, &arguments, launch.only_thread)?;
        }
        Ok(())
    }

    /// Returns the parameters of a kernel as bytes.
    fn arguments(&self, kernel: usize, launch: &Launch<'_>) -> Result<Vec<u8>> {
        let code = &self.program.functions[kernel];
        let sizes = code.parameters.iter().map(|parameter| parameter.bytes);
        if !sizes.eq(launch.arguments.iter().map(|argument| argument.len() as u64)) {
            return Err(Fault::new(format!("{} has other parameters", launch.kernel)));
        }
        let bytes = usize::try_from(code.parameter_bytes).unwrap_or(usize::MAX);
        let mut all = vec![0; bytes];
        for (parameter, argument) in code.parameters.iter().zip(launch.arguments) {
            let start = usize::try_from(parameter.offset).unwrap_or(usize::MAX);
            all[start..start + argument.len()].copy_from_slice(argument);
        }
        Ok(all)
    }
}
