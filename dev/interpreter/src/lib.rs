//! Runs PTX on this machine's processor.
//!
//! Tests cannot rely on a GPU, so this crate runs the PTX that Weft, LLVM and nvcc make of the
//! tests' programs. It reads the text (`text`), links files by the names of their symbols (`link`),
//! decodes instructions (`decode`) and runs kernels (`run`). An unknown instruction is an error
//! with its file and line, so nothing is silently ignored.
//!
//! Threads run in a fixed order on one thread of the processor, so a launch has one result: blocks
//! one after the other, and the threads of a block in turns. An access outside of an allocation, a
//! misaligned one, and threads that wait forever are errors. The headers of `arithmetic` and `run`
//! state the choices where the PTX manual leaves a result open.

mod arithmetic;
mod code;
mod decode;
mod fault;
mod link;
mod memory;
mod run;
mod text;
mod types;

pub use fault::{Fault, Result};
pub use link::Program;
pub use run::{Launch, Machine};
