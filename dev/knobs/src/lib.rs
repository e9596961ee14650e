//! The table of all options of Weft's programs.
//!
//! An option that does nothing is worse than one that is missing: a user who sets it believes in
//! it. So each option has a row in a table, and each row a test that fails if the option is
//! ignored: a command line whose output the option changes, an error that it causes, or a test by
//! name. The options themselves are read from the programs' own definitions, so that none can be
//! forgotten. `docs/knobs.md` shows both together.
//!
//! The page counts every option of the programs and of their subcommands. It leaves out what
//! clap makes itself, `--help` and `--version`, and `--completion` and `--man`, which
//! write a text and end.
//!
//! CMake and Bazel take the options of a build's steps by the same spelling. Their lists are made
//! of the same definitions, with a table of the options that the rules set themselves. Another
//! table has nvcc's options, which they refuse if clang compiles.
//!
//! The crate is a separate program because it links Weft's programs, and with them LLVM: the task
//! runner must compile before anything is installed.

mod build_table;
mod builds;
mod definitions;
mod knobs;
mod languages;
mod nvcc;
mod page;
mod proof;
mod table;

pub use build_table::{BuildRow, BuildTable, Place};
pub use builds::{BuildOption, BuildOptions, ValueForm, build_options};
pub use definitions::{Definition, Takes, definitions};
pub use knobs::{Knob, knobs};
pub use languages::{BAZEL, CMAKE, bazel, cmake};
pub use nvcc::{
    NVCC_BAZEL, NVCC_CMAKE, NVCC_PAGE, NvccRow, NvccSpelling, nvcc_bazel, nvcc_cmake, nvcc_options,
    nvcc_page,
};
pub use page::{PAGE, page};
pub use proof::missing_tests;
pub use table::{Proof, Row, Source, Table, Trial};
