//! The data of a report on one build of a program.
//!
//! `backend-job report` gathers it, prints it as JSON or as a text, and makes the page of it. The
//! page holds the same JSON, so whatever a page shows, a script can read. Large programs have many
//! thousand symbols, so the data names each symbol once, in [`Names`], and refers to it by number;
//! what a reader would expect is left out: zero, false, nothing, an empty list.
//! [docs/report.md](../../../docs/report.md) describes the JSON.
//!
//! Rooms, top to bottom: `page` makes the page, `questions` answers what people ask about a link,
//! `data` is the type of the report, `names` its table of names, and `demangle` turns one name into
//! what its author wrote.

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod data;
mod demangle;
mod names;
mod page;
mod questions;

pub use data::{
    BuildReport, Candidate, Closure, Comparison, Definitions, Edge, GoneKernel, Image, InlineSite,
    Job, JobOrigin, Kernel, KernelValues, Link, Listing, Module, ModuleChange, Occupancy, Opaque,
    Removed, RemovedKind, Sizes, VERSION, Words,
};
pub use demangle::{DEMANGLED_BYTES, demangled, short};
pub use names::{Form, NameTable, Names, printable};
pub use page::page;
pub use questions::{Answers, Facts, ModuleFacts, Question};
