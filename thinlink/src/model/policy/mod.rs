//! The user's choices that decisions depend on: the command line, resolved.

mod closing;
mod imports;
mod mode;
mod packing;
mod roots;
mod whole;

pub use closing::ClosingPolicy;
pub use imports::{ImportModel, ImportPolicy};
pub(crate) use imports::{Printed, Weights, scaled};
pub use mode::ModeChoice;
pub use packing::Packing;
pub use roots::RootPolicy;
pub use whole::Policy;
