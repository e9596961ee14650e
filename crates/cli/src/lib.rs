//! Arguments, errors and output that the executables share, so that they fail and print
//! alike.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | done; every output is written |
//! | 2 | the command line is wrong |
//! | 3 | an input is wrong: the message names the file and the fault |
//! | 4 | the environment is wrong: a file cannot be read or written, a tool is missing |
//! | 5 | a tool that Weft started failed: its own words follow |
//! | 6 | a limit of `--fail-if` is passed; every output is written |
//! | 70 | a defect in Weft |
//!
//! No failure leaves a file that is written in part.

// Both panic where nobody reads the output, and a panic counts as a defect. `files::print` does
// not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod declared;
mod destination;
mod entry_point;
mod environment;
mod execution;
mod fault;
pub mod files;
mod glob;
mod inputs;
mod invocation;
mod job_report;
mod manifest;
pub mod numbers;
pub mod optional_values;
mod printed;
pub mod refused;
mod remote;
mod settings_file;
mod short_help;
mod suggestions;
mod tool_places;
mod variables;

pub use declared::Declared;
pub use entry_point::{ended, main};
pub use environment::is_read as is_variable_read;
pub use execution::{CacheArguments, ExecutionArguments};
pub use fault::{Blame, DOCTOR_HINT, EXIT_CODES, Fault, exit_code, failure};
pub use glob::Glob;
pub use job_report::JobReportArguments;
pub use manifest::manifest;
pub use printed::CommonArguments;
pub use settings_file::check_settings;
pub use tool_places::{
    CUDA_PROGRAMS, LLVM_LINKER, Place, ToolPlaces, beside_clang, has_jobserver, offload_packer,
};
