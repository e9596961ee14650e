//! Comparison of two linked programs: Weft's, and plain relocatable linking of the same objects.
//!
//! A wrong byte that goes unnoticed is the worst mistake of a linker, and most programs cannot be
//! run where the tests run. So the comparison covers what can be seen without running: every entry
//! that host code registers, the facts that a launch of each kernel may rely on, and the content of
//! each variable. The plain side is LLVM's code generator on each module alone, then ptxas and
//! nvlink; it shares no code with Weft, and a separate reader decodes the images. The code of
//! Weft's kernels is compared with the cubins that went into the final link.
//!
//! An optimizer that knows the whole program may shrink memory that only device code can see. So a
//! difference in shared memory, or in a variable that host code does not know, counts only if it
//! remains without optimization. Shared memory that nvlink adds to kernels which cannot reach it
//! does not count.

mod attributes;
mod code;
mod compare;
mod difference;
mod generator;
mod image;
mod inputs;
mod links;
mod names;
mod only_read;
mod plain;
mod prevailing;
mod ptx;
mod random;
mod reach;
mod relocatable;
mod runner;
mod targets;
mod transport;
mod weft;

pub use compare::{Expected, alignments, entries, kernels, managed, missing, surplus, variables};
pub use difference::{Aspect, Difference};
pub(crate) use generator::ptx_of;
pub use image::{Image, Kernel, Memory, Pointer, Variable};
pub use inputs::{LinkInput, LinkInputKind, LinkInputs};
pub use links::compare;
pub(crate) use links::compare_with_each;
pub(crate) use plain::entries as entries_of;
pub use ptx::{Declarations, Declared, Entry};
pub use random::check_random;
pub(crate) use random::{HOST, inputs_of};
pub(crate) use runner::check_outcome;
pub use runner::{Failure, check, check_in, run};
pub use transport::{check_transport, check_transport_by};
