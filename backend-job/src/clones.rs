//! Decides whether kernels get copies of the functions that they call.
//!
//! In a relocatable cubin a function exists once, and follows a register convention that suits
//! every caller; each kernel that may call it gets the registers that the function needs. With
//! copies, ptxas counts registers for the kernel and its functions together. With functions of
//! other modules, a kernel may lose by copies. Then copies are tried only if a function takes more
//! registers than a kernel that calls it, and used only if no kernel loses. A trial is a second run
//! of ptxas, so a kernel that only calls ptxas's own short functions gets none.

use weft_container::{KernelResources, has_costly_functions, kernel_resources};
use weft_job::{occupancy, spilled_bytes};

use crate::assembled::Assembled;

/// Returns whether a kernel of the cubin without copies gets more registers because of a function
/// that it calls.
pub(crate) fn are_worth_a_try(cubin: &[u8]) -> bool {
    has_costly_functions(cubin).unwrap_or(false)
}

/// Returns whether no kernel has fewer resident warps with copies of functions than without, no
/// more bytes are spilled, and the kernels together take fewer registers.
pub(crate) fn are_better(architecture: &str, with: &Assembled, without: &Assembled) -> bool {
    let kernels = |of: &Assembled| kernel_resources(&of.cubin).unwrap_or_default();
    let (with_copies, without_copies) = (kernels(with), kernels(without));
    let warps =
        |kernel: &KernelResources| occupancy(architecture, kernel).map(|occupancy| occupancy.warps);
    let registers = |of: &[KernelResources]| of.iter().map(|kernel| kernel.registers).sum::<u32>();
    with_copies.len() == without_copies.len()
        && with_copies.iter().zip(&without_copies).all(|(one, other)| warps(one) >= warps(other))
        && spilled_bytes(&with.messages) <= spilled_bytes(&without.messages)
        && registers(&with_copies) < registers(&without_copies)
}
