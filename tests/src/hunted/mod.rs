//! The hunt for wrong code: random programs with random options, flags, host code and edits, each
//! compared with what the processor computes and with a plain link. A program that is wrong is made
//! small by itself, so that a person can read it.

mod case;
mod hunt;
mod reduce;

pub use case::{Case, Fault, Oracle};
pub use hunt::{Hunt, hunt};
pub use reduce::{Reduced, reduce, size_of};
