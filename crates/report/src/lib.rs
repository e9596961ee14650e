//! The data of a report on one build of a program.
//!
//! `weft report` gathers it, prints it as JSON or as a text, and makes the page of it. The
//! page holds the same JSON, so whatever a page shows, a script can read. Large programs have many
//! thousand symbols, so the data names each symbol once, in [`Names`], and refers to it by number;
//! what a reader would expect is left out: zero, false, nothing, an empty list.
//! [docs/report.md](../../../docs/report.md) describes the JSON.
//!
//! Rooms, top to bottom: `page`, `text`, `markdown` and `trace` make what people and other programs
//! read, `gate` holds a build to limits, `compare` puts two builds side by side, `unpack` reads a
//! report back, `questions` answers what people ask about a link, `values` are what kernels are
//! compared by, `shown` writes numbers, `data` is the type of the report, `names` its table of
//! names, and `demangle` turns one name into what its author wrote.

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
