//! Programs that run from PTX, by the interpreter of `dev-interpreter`.
//!
//! Three builds of a program run: PTX of each unit compiled alone, linked by names; PTX of Weft's
//! modules, linked by names; and the PTX of the whole program that nvcc's link-time optimization
//! makes. All must compute the same, bit by bit.

mod by_nvcc;
mod nvidia;
mod random;
mod transport;

pub use by_nvcc::check_random_by_nvcc;
pub(crate) use random::outcome;
pub use random::{Agreement, check_random};
pub use transport::check_transport;
