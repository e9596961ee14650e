//! Builds one CUDA program with Ninja in several ways, to compare them.
//!
//! A program is a folder with `src/*.cu`, `src/*.cpp` and `include`, as `examples/transport` is.
//! The commands run in that folder and name all of its files by relative paths, so that the same
//! program gives the same bytes in every folder.
//!
//! Each way of building has its own folder `build/<variant>` with its own `build.ninja`. The builds
//! are real builds of Ninja, so an edit runs the same steps again as in a user's build.

mod build_log;
mod edit;
mod job_times;
mod manifest;
mod ninja_file;
mod nvcc;
mod program;
mod settings;
mod statements;
mod step_files;
mod step_usage;
mod units;
mod variant;
mod weft;
mod whole;

pub use build_log::{BuildLog, Step};
pub use edit::Edit;
pub use program::{Program, copy_sources};
pub use settings::Settings;
pub use step_usage::MeasuredStep;
pub use units::{Units, files_below};
pub use variant::{ARCHITECTURE, Target, Tools, Variant};
