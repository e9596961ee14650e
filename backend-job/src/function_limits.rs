//! Limits the registers of the functions that kernels call.
//!
//! In a relocatable cubin, nvlink gives a kernel the registers of the largest function that it may
//! reach; with a call through a pointer these are all functions whose address is taken. If a
//! function takes so many that each kernel of the module that calls functions loses resident warps,
//! a second run of ptxas limits all functions of the module to the number with which one of these
//! kernels keeps its warps. The result is used if the limit costs little memory traffic: a store
//! and a load of one word for every two registers that the largest function no longer takes.

use weft_container::{KernelResources, kernel_resources, own_registers};
use weft_job::{occupancy, spilled_bytes};

use crate::assembled::Assembled;

/// Largest number of registers of a thread.
const MOST_REGISTERS: u32 = 255;
/// Number of bytes that a thread may write and read for each register that it saves: a word for
/// two.
const BYTES_PER_REGISTER: u64 = 4;

/// Returns the most registers that functions may take without a loss of warps for some kernel of
/// the cubin that calls functions; `None` if all functions keep to that already.
pub(crate) fn limit(architecture: &str, cubin: &[u8]) -> Option<u32> {
    let own = own_registers(cubin).ok()?;
    let kernels = kernel_resources(cubin).ok()?;
    let limits = own.callers.iter().filter_map(|(name, &registers)| {
        let kernel = kernels.iter().find(|kernel| kernel.name == *name)?;
        most_with_equal_warps(architecture, kernel, registers)
    });
    limits.max().filter(|limit| own.functions > *limit)
}

/// Returns the largest number of registers with which as many warps of the kernel are resident as
/// with `registers`.
fn most_with_equal_warps(
    architecture: &str,
    kernel: &KernelResources,
    registers: u32,
) -> Option<u32> {
    let warps = |registers| {
        let kernel = KernelResources { registers, ..kernel.clone() };
        Some(occupancy(architecture, &kernel)?.warps)
    };
    let wanted = warps(registers)?;
    (registers..=MOST_REGISTERS).rev().find(|&more| warps(more) == Some(wanted))
}

/// Returns whether functions take fewer registers with a limit than without, no kernel's own code
/// takes more, and the limit costs little memory traffic.
pub(crate) fn is_better(with: &Assembled, without: &Assembled) -> bool {
    let registers = |of: &Assembled| own_registers(&of.cubin).unwrap_or_default();
    let (limited, free) = (registers(with), registers(without));
    let saved = u64::from(free.functions.saturating_sub(limited.functions));
    let added = spilled_bytes(&with.messages).saturating_sub(spilled_bytes(&without.messages));
    saved > 0
        && limited.callers.keys().eq(free.callers.keys())
        && limited.callers.values().zip(free.callers.values()).all(|(one, other)| one <= other)
        && added <= saved * BYTES_PER_REGISTER
}
