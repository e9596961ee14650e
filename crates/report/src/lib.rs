//! The data of a report on one build of a program.
//!
//! `weft report` gathers it, prints it as JSON or as text, and builds the page from it. The page
//! holds the same JSON, so a script can read anything that the page shows. Large programs have many
//! thousands of symbols, so the data names each symbol once, in [`Names`], and refers to it by
//! number; default values are omitted: zero, false, none, an empty list.
//! [docs/report.md](../../../docs/report.md) describes the JSON.
//!
//! Rooms, top to bottom: `page`, `text`, `markdown` and `trace` produce output for people and
//! other programs, `gate` checks a build against limits, `compare` compares two builds, `unpack`
//! reads a report back, `questions` answers questions about a link, `values` defines the values for
//! comparing kernels, `shown` formats numbers, `data` is the type of the report, `names` its table
//! of names, and `demangle` demangles one name.

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod compare;
mod data;
mod demangle;
mod gate;
mod markdown;
mod names;
mod page;
mod questions;
mod shown;
mod text;
mod trace;
mod unpack;
mod values;

pub use compare::compare;

pub use data::{
    BuildReport, Candidate, Closure, Comparison, Definitions, Edge, GoneKernel, Image, InlineSite,
    Job, JobOrigin, Kernel, KernelValues, Link, Listing, Module, ModuleChange, Occupancy, Opaque,
    Removed, RemovedKind, Sizes, VERSION, Words,
};
pub use demangle::{DEMANGLED_BYTES, demangled, short};
pub use gate::{Breach, Gate};
pub use markdown::markdown;
pub use names::{Form, NameTable, Names, printable};
pub use page::page;
pub use questions::{Answers, Facts, ModuleFacts, Question};
pub use text::{DEFAULT_WIDTH, TextOptions, text};
pub use trace::trace;
pub use unpack::{UnpackError, may_be_report, unpack};
