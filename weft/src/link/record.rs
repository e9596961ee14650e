//! The device link as one action: where nothing of it has changed, the cache has its result, and no
//! other executable starts.
//!
//! The action is never sent to another machine: its steps are, one by one. So units are among its
//! inputs by their digests alone, and a large program needs no memory for them.

use std::path::{Path, PathBuf};

use weft_action::{Action, CacheMode, Input, Outcome, Phase, Session, Settings, Tool};
use weft_cli::{Blame as _, ExecutionArguments, Fault, files};
use weft_lto_ir::NvlinkArguments;

use super::device::{DeviceLink, FATBIN, Linked, MANIFEST};
use super::inputs;
use crate::executables::NAME;

/// Returns the result of the device link: from the cache, or by its steps.
pub(super) fn linked(link: &DeviceLink<'_>) -> anyhow::Result<Linked> {
    let outputs = outputs(link);
    let mut settings = Settings { remote: None, ..ExecutionArguments::default().settings()? };
    // A folder to keep is for the files between the steps, and a report tells of them.
    let wants_steps = link.arguments.keep.is_some() || link.arguments.report.is_some();
    if wants_steps || link.arguments.names_files() {
        settings.mode = CacheMode::Off;
    }
    let session = Session::new(NAME, settings);
    let digests: Vec<[u8; 32]> = link.inputs.iter().map(|input| *input.digest.as_bytes()).collect();
    let units = link.inputs.iter().zip(&digests);
    let mut inputs: Vec<Input<'_>> =
        units.map(|(unit, digest)| Input::new(unit.module_id.as_str(), &digest[..])).collect();
    let (libnvvm, libdevice) =
        NvlinkArguments::of(Path::new(&link.tools.nvlink)).libraries().unzip();
    let runtime = link.tools.device_runtime.as_ref().map(PathBuf::from);
    let of_cuda = [("libcudadevrt.a", runtime), ("libdevice.bc", libdevice)];
    let of_cuda = of_cuda.into_iter().filter_map(|(name, path)| Some((name, path?)));
    let of_cuda = of_cuda.map(|(name, path)| anyhow::Ok((name, files::read(&path)?)));
    let of_cuda = of_cuda.collect::<anyhow::Result<Vec<_>>>()?;
    inputs.extend(of_cuda.iter().map(|(name, content)| Input::new(*name, content)));
    let action = Action {
        phase: Phase::Link,
        subject: link.host.output.display().to_string(),
        program: Tool::this_program(NAME),
        arguments: link.declared(),
        tools: tools(link, libnvvm),
        inputs,
        outputs: outputs.clone(),
        time_limit: None,
        check: weft_job::check_claim,
    };
    let mut has_run = false;
    let outcome = session.get(&action, || -> anyhow::Result<Outcome> {
        has_run = true;
        let stderr = link.run(&|stage| session.tell(stage))?.into_bytes();
        // They are no inputs that this program must leave alone.
        let content = |name: &String| {
            let path = link.folder.join(name);
            std::fs::read(&path).blame(Fault::Environment, || path.display().to_string())
        };
        let outputs = outputs.iter().map(content).collect::<anyhow::Result<_>>()?;
        Ok(Outcome { outputs, stderr, ..Outcome::default() })
    })?;
    session.finish();
    say(&outcome.messages());
    for (name, content) in outputs.iter().zip(&outcome.outputs).filter(|_| !has_run) {
        files::write(&link.folder.join(name), content)?;
    }
    Ok(in_folder(link.folder, &outputs))
}

/// Prints what the steps had to say.
fn say(messages: &str) {
    let messages = messages.trim_end();
    if !messages.is_empty() {
        files::say(format!("{messages}\n"));
    }
}

/// Returns the names of the results in the folder of the link: the fat binary, then manifests.
fn outputs(link: &DeviceLink<'_>) -> Vec<String> {
    let manifests = inputs::architectures(link.inputs)
        .into_iter()
        .map(|architecture| format!("{architecture}/{MANIFEST}"));
    std::iter::once(FATBIN.to_owned()).chain(manifests).collect()
}

fn in_folder(folder: &Path, outputs: &[String]) -> Linked {
    let mut paths = outputs.iter().map(|name| folder.join(name));
    Linked { fatbin: paths.next().unwrap_or_default(), manifests: paths.collect() }
}

/// Returns all programs and libraries that the steps start.
fn tools(link: &DeviceLink<'_>, libnvvm: Option<PathBuf>) -> Vec<Tool> {
    let tools = link.tools;
    let programs = [
        &tools.summarize,
        &tools.thinlink,
        &tools.backend_job,
        &tools.ptxas,
        &tools.nvlink,
        &tools.fatbinary,
    ];
    let paths = programs.into_iter().map(PathBuf::from);
    let tool = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Tool { name, path }
    };
    paths.chain(libnvvm).map(tool).collect()
}
