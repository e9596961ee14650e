//! Random CUDA programs of several units that have no undefined behavior and end soon.
//!
//! They contain what a device linker must get right: local functions and variables of the same name
//! in several units, inline functions and templates with static variables, weak functions, aliases,
//! tables of function pointers, virtual calls on classes of the header and of anonymous namespaces,
//! recursion across units, structures by value, lambdas, variables of every memory, dynamic shared
//! memory that each unit aligns in its own way, launch bounds, kernels that host code of any unit
//! names in one of several ways, and kernels that nothing launches. A seed gives the same program
//! everywhere.

mod classes;
mod draft;
mod edits;
mod expressions;
mod for_nvcc;
mod functions;
mod kernels;
mod program;
mod scope;
mod statements;
mod types;
mod variables;

pub use draft::{Definition, Unit};
pub use edits::{Edit, EditKind};
pub use kernels::{Argument, Launch, MEMORY};
pub use program::Program;
pub use variables::HostArray;
