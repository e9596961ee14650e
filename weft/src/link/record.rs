//! The device link as one action: where nothing has changed, the cache has its result, and no other
//! executable starts. Otherwise the same holds for each step.
//!
//! Such an action is never run on another machine, though a remote cache may have its result. So
//! its inputs include only the digests of units, and a large program needs no memory for the units.

use std::path::{Path, PathBuf};

use weft_action::{Action, CacheMode, Input, Outcome, Phase, Session, Settings, Tool};
use weft_cli::{Blame as _, Fault, files};
use weft_lto_ir::NvlinkArguments;

use super::device::{DeviceLink, FATBIN, Linked, MANIFEST};
use super::inputs;
use super::kept::Keeper;
use crate::executables::NAME;

/// Returns the result of the device link: from the cache, or by its steps.
pub(super) fn linked(link: &DeviceLink<'_>) -> anyhow::Result<Linked> {
    let outputs = outputs(link);
    let session = Session::new(NAME, settings(link));
    let messages = messages(link, &session, &outputs);
    // The lookup counts, whether or not the rest succeeds.
    session.finish();
    say(&messages?);
    Ok(in_folder(link.folder, &outputs))
}

/// Makes the files `outputs` in the folder of the link. Returns the messages of the steps.
fn messages(
    link: &DeviceLink<'_>,
    session: &Session,
    outputs: &[String],
) -> anyhow::Result<String> {
    let (tools, libraries) = programs(link)?;
    let digest = session.digest_of(&tools).map(|tools| {
        let libraries =
            libraries.iter().map(|(name, content)| (*name, weft_artifact::digest(content)));
        let all = std::iter::once(("programs", tools)).chain(libraries);
        all.map(|(name, digest)| (name.to_owned(), digest)).collect()
    });
    let folder = link.arguments.keep.is_none().then_some(link.folder);
    let keeper = Keeper::new(session, digest, folder);
    // A kept folder and a report need the files between the steps.
    if link.arguments.keep.is_some() || link.arguments.report.is_some() {
        link.run(&keeper)
    } else {
        whole(link, session, &keeper, (tools, &libraries), outputs)
    }
}

/// Returns the settings of the session. The content of a file named by an option is in no key. A
/// cluster cannot run an action that has only digests of its inputs: it serves as a cache here, and
/// the steps have it run their phases.
fn settings(link: &DeviceLink<'_>) -> Settings {
    let mut settings = link.settings.clone();
    if let Some(remote) = &mut settings.remote {
        remote.is_cache_only = true;
    }
    if link.arguments.names_files() {
        settings.mode = CacheMode::Off;
        settings.remote = None;
    }
    settings
}

/// Gets the files `outputs` of the whole device link into its folder, and returns what the steps
/// had to say.
fn whole(
    link: &DeviceLink<'_>,
    session: &Session,
    keeper: &Keeper<'_>,
    (tools, libraries): (Vec<Tool>, &[(&'static str, Vec<u8>)]),
    outputs: &[String],
) -> anyhow::Result<String> {
    let units = link.inputs.iter();
    let units = units.map(|unit| Input::new(unit.module_id.as_str(), unit.digest.as_bytes()));
    let libraries = libraries.iter().map(|(name, content)| Input::new(*name, content));
    let action = Action {
        phase: Phase::Link,
        subject: link.host.output.display().to_string(),
        program: Tool::this_program(NAME),
        arguments: link.declared(),
        tools,
        inputs: units.chain(libraries).collect(),
        outputs: outputs.to_vec(),
        time_limit: None,
        check: weft_job::check_claim,
    };
    let mut has_run = false;
    let outcome = session.get(&action, || -> anyhow::Result<Outcome> {
        has_run = true;
        let stderr = link.run(keeper)?.into_bytes();
        // They are not inputs that this program must leave alone.
        let content = |name: &String| {
            let path = link.folder.join(name);
            std::fs::read(&path).blame(Fault::Environment, || path.display().to_string())
        };
        let outputs = outputs.iter().map(content).collect::<anyhow::Result<_>>()?;
        Ok(Outcome { outputs, stderr, ..Outcome::default() })
    })?;
    for (name, content) in outputs.iter().zip(&outcome.outputs).filter(|_| !has_run) {
        files::write(&link.folder.join(name), content)?;
    }
    Ok(outcome.messages())
}

/// Prints the messages of the steps.
fn say(messages: &str) {
    let messages = messages.trim_end();
    if !messages.is_empty() {
        files::say(format!("{messages}\n"));
    }
}

/// Returns the names of the results in the folder of the link: the fat binary, then manifests.
fn outputs(link: &DeviceLink<'_>) -> Vec<String> {
    let (architectures, _) = inputs::architectures(link.inputs);
    let manifests =
        architectures.into_iter().map(|architecture| format!("{architecture}/{MANIFEST}"));
    std::iter::once(FATBIN.to_owned()).chain(manifests).collect()
}

fn in_folder(folder: &Path, outputs: &[String]) -> Linked {
    let mut paths = outputs.iter().map(|name| folder.join(name));
    Linked { fatbin: paths.next().unwrap_or_default(), manifests: paths.collect() }
}

/// Programs and shared libraries, and the contents of other libraries by their names.
type Programs = (Vec<Tool>, Vec<(&'static str, Vec<u8>)>);

/// Returns all programs and libraries that the steps use.
fn programs(link: &DeviceLink<'_>) -> anyhow::Result<Programs> {
    let tools = link.tools;
    let programs = [
        &tools.summarize,
        &tools.thinlink,
        &tools.backend_job,
        &tools.ptxas,
        &tools.nvlink,
        &tools.fatbinary,
    ];
    let (libnvvm, libdevice) = NvlinkArguments::of(Path::new(&tools.nvlink)).libraries().unzip();
    let paths = programs.into_iter().map(PathBuf::from);
    let tool = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Tool { name, path }
    };
    let tools_and_library = paths.chain(libnvvm).map(tool).collect();
    let runtime = tools.device_runtime.as_ref().map(PathBuf::from);
    let libraries = [("libcudadevrt.a", runtime), ("libdevice.bc", libdevice)];
    let libraries = libraries.into_iter().filter_map(|(name, path)| Some((name, path?)));
    let libraries = libraries.map(|(name, path)| anyhow::Ok((name, files::read(&path)?)));
    Ok((tools_and_library, libraries.collect::<anyhow::Result<_>>()?))
}
