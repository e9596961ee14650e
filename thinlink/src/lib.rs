//! The thin link: all summaries in, one plan per module and a manifest out.
//!
//! It decides for the whole program what one module cannot know: which kernels the host ever
//! launches, which copy of a merged symbol stays, what nobody refers to, and whose bodies are worth
//! having in which module. It reads summaries only: it runs no compiler, links no LLVM and starts no
//! process. The phases, each a module of this crate, each with its cost:
//!
//! | phase | module | cost |
//! |---|---|---|
//! | read the summaries | [`load`] | bytes read, in parallel |
//! | merge them, resolve names | `index` | n log n in the symbols |
//! | what the host refers to | `host` | entries, times log of the references |
//! | what opaque device code names | `outside` | n log n in the names |
//! | which options hold for all | `consensus` | eight steps per module |
//! | whole or partial | `mode` | units and images |
//! | what is live | `liveness` | symbols and edges, once each |
//! | what nobody defines | `undefined` | edges of live code, in parallel |
//! | which virtual calls are direct | `devirtualise` | symbols, and per slot the tables of its type |
//! | what each module imports and needs | `imports` | per module: its edges and those of what it imports, in parallel |
//! | what becomes of each definition | `resolve` | symbols, in parallel |
//! | what is known of functions | `attributes` | functions and calls, once each |
//! | why each definition stays or goes | `decisions` | definitions, and edges of what goes |
//! | plans, decisions and manifest as bytes | [`outputs`] | bytes written, in parallel |
//!
//! The core, [`link`], takes values and returns values. Files are touched by [`load::read`] before
//! it and by [`run`] after it, once everything is decided and encoded: wrong input writes nothing.

mod action;
pub mod arguments;
mod attributes;
mod clashes;
mod consensus;
mod decisions;
mod devirtualise;
mod error;
mod explain;
mod glob;
mod host;
mod imports;
mod index;
mod link;
mod liveness;
pub mod load;
mod mode;
pub mod outputs;
mod outside;
mod report;
mod resolve;
mod root_policy;
mod undefined;
mod vanished;

use std::io::Write as _;
use std::path::PathBuf;

use weft_action::Session;
use weft_cli::{Blame as _, Declared, Fault, failure, files};

use action::ThinLinkAction;
pub use arguments::Arguments;
use arguments::Request;
pub use error::LinkError;
pub use link::{Link, Policy, Tally, link};
pub use load::Unit;
pub use mode::ModeChoice;
use outputs::OutputFile;
pub use root_policy::RootPolicy;

/// The whole program, as the command line asks for it.
pub fn run(arguments: Declared<Arguments>) -> anyhow::Result<()> {
    // Where the outputs go and how many threads there are cannot change them.
    let declared = arguments.arguments_without(&["--output-dir", "--threads"]);
    let execution = arguments.execution.clone();
    let arguments = arguments.into_inner();
    if let Some(query) = arguments.query {
        return print(&explain::answer(&query)?);
    }
    let request = arguments.resolve()?;
    execution.with_session("thinlink", |session| thin_link(session, declared, &request))
}

fn thin_link(session: &Session, declared: Vec<String>, request: &Request) -> anyhow::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(request.threads)
        .build()
        .blame(Fault::Environment, || "cannot start the threads".to_owned())?;
    let (paths, outcome) = pool.install(|| -> anyhow::Result<_> {
        let loaded = load::read(&request.summaries)?;
        let action = ThinLinkAction::new(&loaded, declared);
        let outcome = session.get(&action.describe(), || {
            let link = link(&loaded.units, &request.policy)
                .map_err(|error| failure(Fault::Input, error.to_string()))?;
            action.outcome(&link, request)
        })?;
        Ok((action.paths, outcome))
    })?;
    let paths = paths.into_iter().map(PathBuf::from);
    let outputs: Vec<OutputFile> =
        paths.zip(outcome.outputs).map(|(path, content)| OutputFile { path, content }).collect();
    let vanished = vanished::plans(&request.output_dir, &outputs);
    for file in outputs {
        files::write(&request.output_dir.join(&file.path), &file.content)?;
    }
    vanished::remove(&request.output_dir, &vanished)?;
    std::io::stderr()
        .write_all(&outcome.stderr)
        .and_then(|()| std::io::stdout().write_all(&outcome.stdout))
        .blame(Fault::Environment, || "cannot print the report".to_owned())
}

fn print(text: &str) -> anyhow::Result<()> {
    std::io::stdout()
        .write_all(text.as_bytes())
        .blame(Fault::Environment, || "cannot print the answer".to_owned())
}
