//! Compares two linked programs: Weft's, and plain relocatable linking of the same objects.

mod inputs;

pub use inputs::{LinkInput, LinkInputKind, LinkInputs};
