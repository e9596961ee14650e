//! The distributor of LLVM's own distributed ThinLTO (DTLTO).
//!
//! A link with `-fthinlto-distributor` makes an index for each module, as any ThinLTO link does,
//! and delegates the compilations to a program: this command, with a file that lists them. So the
//! host code and the device code of a program share one client and one cache.
//!
//! Each job is a declared action like any other. The compiler is identified by its content, and is
//! sent along with the libraries that it loads from its own folders.

mod names;
mod slots;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;
use clap::Args;
use weft_action::{Action, ActionError, Claim, Input, Outcome, Phase, Session, Tool, find_program};
use weft_cli::{Blame as _, ExecutionArguments, Fault, failure, files};
use weft_container::{LinkJob, LinkJobs, ThinIndex};
use weft_workers::Workers;

use names::{JobNames, NewNames};
use slots::Slots;

/// Folder of the compiler and its libraries in an action.
const COMPILER: &str = "compiler";

/// Compile the modules of a link for LLVM's linker: `-fthinlto-distributor`
#[derive(Args, Debug)]
pub(crate) struct DistributeArguments {
    /// The list of jobs, which the linker writes: JSON
    #[arg(value_name = "FILE")]
    job_file: PathBuf,
    /// Path of the same compiler on the cluster's workers
    ///
    /// Neither the compiler nor its libraries are sent then. Their contents on this machine still
    /// decide which earlier results are taken.
    #[arg(long, value_name = "PATH", value_parser = absolute)]
    worker_compiler: Option<String>,
    /// Compilers to run at a time without make's jobserver, at most four for each processor
    /// [default: one for each processor]
    ///
    /// A cluster runs as many as --jobs says.
    #[arg(long, value_name = "N", value_parser = weft_cli::numbers::some_threads)]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) execution: ExecutionArguments,
}

fn absolute(path: &str) -> Result<String, String> {
    let is_absolute = path.starts_with('/');
    is_absolute.then(|| path.to_owned()).ok_or_else(|| "it is no absolute path".to_owned())
}

/// A link whose jobs are carried out.
struct Link<'link> {
    session: &'link Session,
    file: &'link LinkJobs,
    /// The compiler and its own libraries.
    compiler: Vec<Tool>,
    /// Slots for compilers that run on this machine because a cluster has failed.
    fallback: Slots,
}

/// Carries out `weft distribute`. Outputs are written as their jobs end.
pub(crate) fn distribute(session: &Session, arguments: &DistributeArguments) -> anyhow::Result<()> {
    weft_action::end_with_parent();
    let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let here = arguments.threads.unwrap_or(processors);
    let workers = match session.jobs_of_cluster().and_then(NonZeroUsize::new) {
        Some(jobs) => Workers::that_wait(jobs),
        None => Workers::new(arguments.threads),
    };
    let path = &arguments.job_file;
    let file =
        LinkJobs::read(&files::read(path)?).blame(Fault::Input, || path.display().to_string())?;
    for key in file.unknown_keys() {
        files::say(format!(
            "weft: warning: {}: LLVM 22 writes no {key}, so it is passed over, whatever it means \
             to a later LLVM\n",
            path.display()
        ));
    }
    let compiler = compiler(Path::new(file.compiler().0), arguments.worker_compiler.as_deref())?;
    let link = Link { session, file: &file, compiler, fallback: Slots::new(here) };
    // After one failure the linker fails in any case, so no further job starts.
    let has_failed = AtomicBool::new(false);
    let results = workers.map(&file.jobs, |job| {
        if has_failed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let result = link.compile(job);
        has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
        result
    });
    results.into_iter().collect()
}

/// Returns the compiler `name` and the libraries beside it, under their names in actions.
#[expect(clippy::disallowed_methods, reason = "a bare program name is looked up as a shell would")]
fn compiler(name: &Path, on_workers: Option<&str>) -> anyhow::Result<Vec<Tool>> {
    let path = find_program(name, std::env::var_os("PATH").as_deref()).ok_or_else(|| {
        let message = format!("there is no {}, which the linker names as compiler", name.display());
        failure(Fault::Environment, message)
    })?;
    let mut tools = Tool::with_own_libraries(COMPILER, &path)
        .blame(Fault::Environment, || format!("cannot read {}", path.display()))?;
    if let (Some(place), Some((program, libraries))) = (on_workers, tools.split_first_mut()) {
        place.clone_into(&mut program.name);
        for library in libraries {
            library.name = format!("{place}/{}", library.name);
        }
    }
    Ok(tools)
}

impl Link<'_> {
    /// Carries out one job and writes its outputs.
    fn compile(&self, job: &LinkJob) -> anyhow::Result<()> {
        let words = self.file.compiler().1.iter().chain(&job.args).map(String::as_str);
        let words: Vec<&str> = words.collect();
        let inputs: BTreeSet<&str> =
            self.file.common.inputs.iter().chain(&job.inputs).map(String::as_str).collect();
        let names = JobNames::new(&words, inputs);
        let contents = names
            .inputs
            .iter()
            .map(|name| Ok((*name, files::read(Path::new(name))?)))
            .collect::<anyhow::Result<Vec<(&str, Vec<u8>)>>>()?;
        let index = contents.iter().find(|(name, _)| Some(*name) == names.index);
        // clang takes an empty file for the index of a module that imports nothing.
        let index = index.filter(|(_, content)| !content.is_empty());
        let index = index
            .map(|(name, content)| {
                ThinIndex::read(content).blame(Fault::Input, || (*name).to_owned())
            })
            .transpose()?;
        let modules = index.iter().flat_map(ThinIndex::modules);
        let new_names = NewNames::new(&names, modules, &job.outputs);
        let renamed =
            index.as_ref().map(|index| index.renamed(|name| new_names.of(name).to_owned()));
        let inputs = contents.iter().map(|(name, content)| {
            let renamed = renamed.as_deref().filter(|_| Some(*name) == names.index);
            Input::new(new_names.of(name), renamed.unwrap_or(content))
        });
        let Some((program, libraries)) = self.compiler.split_first() else { return Ok(()) };
        let action = Action {
            phase: Phase::Compile,
            subject: names.subject().to_owned(),
            program: program.clone(),
            arguments: words.iter().map(|word| new_names.argument(word)).collect(),
            tools: libraries.to_vec(),
            inputs: inputs.collect(),
            outputs: job.outputs.iter().map(|name| new_names.of(name).to_owned()).collect(),
            time_limit: None,
            check: weft_job::check_claim,
        };
        let outcome = self.outcome(&action).map_err(|error| {
            let (fault, program) = (fault(&error), &self.file.common.linker_output);
            let message = new_names.for_people(&error.to_string());
            failure(fault, format!("{}, of {program}: {message}", names.subject()))
        })?;
        let messages = outcome.messages();
        if !messages.is_empty() {
            files::say(format!("{}\n", new_names.for_people(&messages)));
        }
        for (name, content) in job.outputs.iter().zip(&outcome.outputs) {
            files::write(Path::new(name), content)?;
        }
        Ok(())
    }

    fn outcome(&self, action: &Action<'_>) -> anyhow::Result<Outcome> {
        self.session.get(action, || {
            let _turn = self.session.jobs_of_cluster().map(|_| self.fallback.take());
            let outcome = action.run_here()?;
            // A compiler that exits with 0 may have written anything.
            let outputs = action.outputs.iter().map(String::as_str);
            let outputs = outputs.zip(outcome.outputs.iter().map(Vec::as_slice)).collect();
            weft_job::check_claim(&Claim { arguments: Vec::new(), outputs }).map_err(|reason| {
                let program = action.program.path.display();
                anyhow!("{program} reported success, but {reason}:\n{}", outcome.messages())
            })?;
            Ok(outcome)
        })
    }
}

/// Returns the cause of a failure: the compiler, or the machine that cannot start it.
fn fault(error: &anyhow::Error) -> Fault {
    match error.downcast_ref() {
        Some(
            ActionError::Start { .. } | ActionError::Folder { .. } | ActionError::Remote { .. },
        ) => Fault::Environment,
        _ => Fault::Tool,
    }
}
