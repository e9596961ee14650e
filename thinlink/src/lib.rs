//! The thin link: all summaries in, one plan per module and a manifest out.
//!
//! It decides for the whole program what one module cannot know: which kernels the host ever
//! launches, which definition of a merged symbol prevails, which symbols nothing refers to, and
//! which bodies are worth importing into which module. It reads summaries only: it runs no
//! compiler, links no LLVM and starts no process. The phases, each with its cost:
//!
//! | phase | module | cost |
//! |---|---|---|
//! | read, check and pack the summaries | `load` | bytes read, in parallel |
//! | merge them, resolve names | `model::index` | n log n in the symbols |
//! | references of the host | `analyses::host` | entries, times log of the references |
//! | names in opaque device code | `analyses::opaque_code` | n log n in the names |
//! | the image's virtual architecture | `analyses::virtual_architecture` | images without bitcode |
//! | options that hold for all | `analyses::consensus` | seven steps per module |
//! | whole or partial | `analyses::mode` | units and images |
//! | live symbols | `analyses::liveness` | symbols in parallel, edges once each |
//! | modules that are compiled as one | `analyses::bundles` | definitions and names, once each |
//! | undefined symbols | `analyses::undefined` | edges of live code, in parallel |
//! | choices of feedback | `analyses::kernel_choices` | live kernels, where there is feedback |
//! | dynamic shared memory | `analyses::dynamic_shared` | its few declarations |
//! | direct virtual calls | `analyses::devirtualize` | symbols, and per slot its type's tables |
//! | copies for modules | `closing` | closures up to a limit, then the edges of each copy |
//! | imports of each module | `imports` | edges of the module's own and imported bodies |
//! | jobs of modules of LTO IR | `lto_ir` | what each job reaches, a few times |
//! | resolution of definitions | `emit::resolve` | symbols, in parallel |
//! | attributes of functions | `analyses::attributes` | functions and calls, once each |
//! | reasons of decisions | `emit::decisions` | definitions, and edges of removed ones |
//! | plan of each module | `emit::plans` | its symbols and the ones that it needs, in parallel |
//! | plans, decisions and manifest as bytes | [`outputs`] | bytes written, in parallel |
//!
//! Rooms, top to bottom; a file imports from its own room or from lower ones:
//!
//! 1. `cli`: arguments, requests, the declared action
//! 2. `link`: the phases in their order
//! 3. `emit`: plans, decisions, manifest and report
//! 4. `lto_ir`: jobs of modules of NVIDIA's LTO IR
//! 5. `imports`: bodies that each module takes from others
//! 6. `closing`: functions that are copied into modules
//! 7. `candidates`: definitions as something to import
//! 8. `analyses`: facts about the whole program
//! 9. `load`: files to packed units
//! 10. `model`: the program, the merged index, the policy
//!
//! The core, [`link()`], takes values and returns values. Files are touched by `load` before it and
//! by [`outputs`] after it, once everything is decided: wrong input writes nothing. Between them
//! the summaries are kept only in packed form, and plans only if the cache wants them all, since
//! all summaries or all plans together are the largest data.

// These macros panic, which counts as a defect, where nobody reads the output any more.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod analyses;
mod candidates;
mod cli;
mod closing;
mod emit;
mod imports;
mod link;
mod load;
mod lto_ir;
mod model;
mod trials;

use std::mem::ManuallyDrop;
use std::path::Path;

use weft_action::{Outcome, Phase, Session};
use weft_cli::{Blame as _, Declared, Fault, failure, files};
use weft_job::JobReport;

use cli::action::ThinLinkAction;
pub use cli::arguments::Arguments;
use cli::arguments::Request;
pub use emit::decided::{Decided, Tally};
use emit::destination::Folder;
pub use emit::files::OutputFile;
pub use emit::outputs;
use emit::{report, stale_plans};
pub use link::link;
use load::Loaded;
pub use load::{Unit, pack, pack_file};
pub use model::archives::Archives;
pub use model::error::LinkError;
pub use model::hidden_symbols::HiddenSymbols;
pub use model::link_order::LinkOrder;
pub use model::policy::{
    ClosingPolicy, ImportModel, ImportPolicy, ModeChoice, Packing, Policy, RootPolicy,
};

/// Runs the program as the command line asks for it.
pub fn run(arguments: Declared<Arguments>) -> anyhow::Result<()> {
    // The output folder, the number of threads and the job's report cannot change the outputs. The
    // libraries, the workload definition, the link order, the members of archives, the hidden
    // symbols and the feedback are inputs.
    let left_out = [
        "--output-dir",
        "--library",
        "--threads",
        "--thinlto-workload-def",
        "--link-order",
        "--archive-members",
        "--hidden-host-symbols",
        "--feedback",
        "--report",
    ];
    let declared = arguments.arguments_without(&left_out);
    let execution = arguments.execution.clone();
    let arguments = arguments.into_inner();
    let request = arguments.resolve()?;
    execution.with_session("thinlink", |session| thin_link(session, declared, &request))
}

fn thin_link(session: &Session, declared: Vec<String>, request: &Request) -> anyhow::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new()
        // The pool takes 0 for one per processor.
        .num_threads(request.threads.min(request.summaries.len()))
        // Use the calling thread as a worker: that saves a thread, and its memory grows in larger
        // steps.
        .use_current_thread()
        .build()
        .blame(Fault::Environment, || "cannot start the threads".to_owned())?;
    let mut facts = JobReport::default();
    let outcome = pool.install(|| -> anyhow::Result<_> {
        let is_direct = session.is_direct(Phase::Thinlink);
        let Loaded { contents, units, code } =
            load::read(&request.summaries, &request.libraries, !is_direct)?;
        // The largest values are never dropped, since the rest of the program takes less time than
        // dropping them.
        let units = ManuallyDrop::new(units);
        let action = ThinLinkAction::new(&contents, &units, request, declared)?;
        let stale_plans = stale_plans::find(&request.output_dir, &action.paths);
        let outcome = session.get(&action.describe(), || {
            let decided = link(&units, code, &request.policy)
                .map_err(|error| failure(Fault::Input, error.to_string()))?;
            let decided = ManuallyDrop::new(decided);
            decided.architecture().clone_into(&mut facts.architecture);
            facts.warnings.clone_from(&decided.warnings);
            facts.notes.clone_from(&decided.log);
            let (outputs, tallies) = if is_direct {
                // Nobody needs all outputs in memory.
                (Vec::new(), outputs::into_folder(&decided, &request.output_dir)?)
            } else {
                let (files, tallies) = outputs::in_memory(&decided)?;
                (files.into_iter().map(|file| file.content).collect(), tallies)
            };
            let report = report::report(&decided, &tallies, request.report);
            let (stdout, stderr) = (report.imports.into_bytes(), report.messages.into_bytes());
            anyhow::Ok(Outcome { outputs, stdout, stderr })
        })?;
        if !is_direct {
            let folder = Folder(&request.output_dir);
            for (path, content) in action.paths.iter().zip(&outcome.outputs) {
                folder.write(Path::new(path), content)?;
            }
        }
        stale_plans::remove(&request.output_dir, &stale_plans)?;
        Ok(outcome)
    })?;
    request.job_report.write(session, facts)?;
    files::say(&outcome.stderr);
    files::print(&outcome.stdout)
}
