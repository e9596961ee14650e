//! Decides whether kernels get copies of the functions that they call.
//!
//! In a relocatable cubin a function exists once, and keeps to a convention for its registers that suits
//! every caller; each kernel that may call it gets the registers that the function needs. With copies,
//! ptxas counts registers for the kernel and its functions together. Where functions of other modules take
//! part, a kernel may lose by copies, so there they are tried where a cubin with kernels has functions, ptxas's
//! own for divisions and square roots among them, and used only where no kernel loses.

use weft_container::{KernelResources, function_registers, kernel_resources};

use crate::assembled::Assembled;
use crate::occupancy::occupancy;
use crate::spills::spills;

/// Whether the cubin without copies has functions and kernels.
pub(crate) fn are_worth_a_try(cubin: &[u8]) -> bool {
    let has_functions = function_registers(cubin).is_ok_and(|registers| registers > 0);
    has_functions && kernel_resources(cubin).is_ok_and(|kernels| !kernels.is_empty())
}

/// Whether no kernel has fewer resident warps with copies of functions than without, no more bytes are
/// spilled, and the kernels together take fewer registers.
pub(crate) fn are_better(architecture: &str, with: &Assembled, without: &Assembled) -> bool {
    let of_functions = function_registers(&without.cubin).unwrap_or(0);
    let kernels = |of: &Assembled| kernel_resources(&of.cubin).unwrap_or_default();
    let (with_copies, mut without_copies) = (kernels(with), kernels(without));
    for kernel in &mut without_copies {
        kernel.registers = kernel.registers.max(of_functions);
    }
    let warps = |kernel: &KernelResources| occupancy(architecture, kernel).map(|it| it.warps);
    let registers = |of: &[KernelResources]| of.iter().map(|it| it.registers).sum::<u32>();
    with_copies.len() == without_copies.len()
        && with_copies.iter().zip(&without_copies).all(|(one, other)| warps(one) >= warps(other))
        && spilled(with) <= spilled(without)
        && registers(&with_copies) < registers(&without_copies)
}

/// Bytes that all functions and kernels spill.
fn spilled(assembled: &Assembled) -> u64 {
    let spills = spills(&assembled.messages);
    spills.values().map(|it| it.spill_store_bytes + it.spill_load_bytes).sum()
}
