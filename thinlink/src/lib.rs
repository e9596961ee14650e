//! The thin link: all summaries in, one plan per module and a manifest out.
//!
//! It decides for the whole program what one module cannot know: which kernels the host ever
//! launches, which copy of a merged symbol stays, what nobody refers to, and whose bodies are worth
//! having in which module. It reads summaries only: it runs no compiler, links no LLVM and starts no
//! process. The phases, each a module of this crate, each with its cost:
//!
//! | phase | module | cost |
//! |---|---|---|
//! | read, check and pack the summaries | `load`, `program` | bytes read, in parallel |
//! | merge them, resolve names | `index` | n log n in the symbols |
//! | what the host refers to | `host` | entries, times log of the references |
//! | what opaque device code names | `outside` | n log n in the names |
//! | what is live | `liveness` | symbols in parallel, edges once each |
//! | what each module imports and needs | `imports` | per module: its edges and those of what it imports, in parallel |
//! | what becomes of each definition | `resolve` | symbols, in parallel |
//! | plans and manifest as bytes | [`outputs`] | bytes written, in parallel |
//!
//! The core, [`link()`], takes values and returns values. Files are touched by `load` before it and by
//! [`outputs`] after it, once everything is decided: wrong input writes nothing. Between them there
//! are no summaries and no plans, but their facts in little space (`program`), since all summaries or
//! all plans together are the largest things there are.

pub mod arguments;
mod error;
mod host;
pub mod import_arguments;
mod imports;
mod index;
mod link;
mod liveness;
mod load;
mod name_hash;
pub mod outputs;
mod outside;
#[expect(dead_code, reason = "option consensus and devirtualisation read the rest of the facts")]
mod program;
mod report;
mod resolve;

use std::io::Write as _;

use weft_cli::{Blame as _, Fault, failure};

pub use arguments::Arguments;
pub use error::LinkError;
pub use imports::policy::{ImportModel, ImportPolicy};
pub use link::{Link, Policy, Tally, link};
pub use load::Unit;

/// The whole program, as the command line asks for it.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let request = arguments.resolve()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(request.threads)
        .build()
        .blame(Fault::Environment, || "cannot start the threads".to_owned())?;
    let report = pool.install(|| -> anyhow::Result<_> {
        let units = load::read(&request.summaries)?;
        let decisions = link::decide(&units, &request.policy)
            .map_err(|error| failure(Fault::Input, error.to_string()))?;
        let written = outputs::write(&decisions, &request.output_dir)?;
        Ok(report::report(&decisions, &written, &request))
    })?;
    std::io::stderr()
        .write_all(report.messages.as_bytes())
        .and_then(|()| std::io::stdout().write_all(report.imports.as_bytes()))
        .blame(Fault::Environment, || "cannot print the report".to_owned())
}
