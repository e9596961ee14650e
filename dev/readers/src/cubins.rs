//! Readers of cubins.

use weft_container as container;
use weft_container::ConstantsApart;

/// Reads the symbols of a cubin.
pub fn cubin_symbols(input: &[u8]) -> bool {
    let _ = (container::cubin_architecture(input), container::is_relocatable_cubin(input));
    container::cubin_symbols(input).is_ok()
}

/// Reads the registers, stacks and sizes of a cubin's kernels.
pub fn cubin_resources(input: &[u8]) -> bool {
    container::kernel_resources(input).is_ok() & container::has_costly_functions(input).is_ok()
}

/// Reads the stall counts and code of a cubin's kernels.
pub fn cubin_costs(input: &[u8]) -> bool {
    container::kernel_costs(input).is_ok() & container::kernel_code(input).is_ok()
}

/// Reads a cubin that ptxas made as a whole program, and makes it relocatable.
pub fn cubin_whole(input: &[u8]) -> bool {
    let apart = ConstantsApart {
        texts: [Vec::new(), Vec::new()],
        front: "front",
        externals: vec![("other".to_owned(), 16)],
        alignment: 16,
    };
    let with_constants = container::relocatable_with_constants([input, input], &apart);
    let shows_all = container::shows_all_constants(input);
    container::relocatable(input.to_vec()).is_ok() & with_constants.is_ok() & shows_all.is_ok()
}
