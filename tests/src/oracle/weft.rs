//! Linking a program through Weft's executables.

use std::collections::BTreeSet;

use serde_json::Value;

use super::copies::without_aliases;
use super::generator::{assemble, nvlink, ptx_of};
use super::image::Image;
use super::inputs::{LinkInputKind, LinkInputs};
use super::plain::opaque_files;
use super::ptx::Declarations;
use crate::{Workbench, tools};

/// How nvlink 13.5 refuses some programs with a second name for a function, however they are built. They
/// are compared without these names.
const DELETED: &str = "Internal error: reference to deleted symbol";

/// A program that was linked through Weft.
#[derive(Debug)]
pub(super) struct Linked {
    /// The image.
    pub(super) image: Image,
    /// What the PTX of each module declares.
    pub(super) declarations: Vec<Declarations>,
    /// Symbols that the manifest says were removed because nothing refers to them.
    pub(super) removed: BTreeSet<String>,
    modules: Vec<Module>,
    needs_runtime: bool,
}

/// A module's job.
#[derive(Clone, Debug)]
struct Module {
    /// Its file among the inputs.
    file: usize,
    /// Names of what the job writes, without extension.
    output: String,
}

/// Links `inputs`. Files go below `weft`.
pub(super) fn link(bench: &Workbench, inputs: &LinkInputs) -> Result<Linked, String> {
    let manifest = plan(bench, inputs)?;
    let modules = manifest["modules"].as_array().ok_or("the manifest has no modules")?;
    let mut linked = Vec::new();
    for (number, module) in modules.iter().enumerate() {
        let id = text(module, "module_id")?;
        let file = file_of(inputs, id)?;
        let output = format!("weft/m{number}");
        let plan = format!("weft/plans/{}", text(module, "plan")?);
        let mut run = bench
            .weft("backend-job")
            .args(["run", "--emit", "linked,ptx,cubin", "-o", &format!("{output}.x")])
            .args(["--plan", &plan, "--module", &inputs.files[file].path])
            .arg("--ptxas")
            .arg(tools().cuda("ptxas"))
            .args(&inputs.codegen);
        for source in module["import_sources"].as_array().into_iter().flatten() {
            let source = source.as_str().ok_or("an import source is no text")?;
            let path = &inputs.files[file_of(inputs, source)?].path;
            run = run.arg(format!("--import={source}={path}"));
        }
        run.attempt()?;
        linked.push(Module { file, output });
    }
    let read =
        |module: &Module| Declarations::read(&text_of(bench, &format!("{}.ptx", module.output)));
    let declarations = linked.iter().map(read).collect();
    let removed = ["removed_kernels", "removed_variables"].iter();
    let removed = removed.flat_map(|it| manifest[it].as_array().into_iter().flatten());
    let removed = removed.filter_map(Value::as_str).map(str::to_owned).collect();
    let needs_runtime = manifest["device_runtime"].as_bool().unwrap_or(false);
    let image = image(bench, inputs, &linked, ("cubin", "ptx"), needs_runtime)?;
    Ok(Linked { image, declarations, removed, modules: linked, needs_runtime })
}

/// The image of the same linked modules without any optimisation after the import phase.
pub(super) fn unoptimized(
    bench: &Workbench,
    inputs: &LinkInputs,
    linked: &Linked,
) -> Result<Image, String> {
    for Module { output, .. } in &linked.modules {
        let text = ptx_of(bench, &format!("{output}.linked.bc"))?;
        assemble(bench, &text, &format!("{output}.O0.cubin"))?;
    }
    image(bench, inputs, &linked.modules, ("O0.cubin", "O0.cubin.ptx"), linked.needs_runtime)
}

/// Summaries and plans, as far as the manifest.
fn plan(bench: &Workbench, inputs: &LinkInputs) -> Result<Value, String> {
    let folder = bench.file("weft");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut summaries = Vec::new();
    for (number, file) in inputs.files.iter().enumerate() {
        let summary = format!("weft/{number}.summary");
        let mut run = bench.weft("summarize").args(["--module-id", &file.module_id]);
        if file.kind == LinkInputKind::Opaque {
            run = run.arg("--opaque");
        }
        run.args(&inputs.summarize).args(["-o", &summary, &file.path]).attempt()?;
        summaries.push(summary);
    }
    let run = bench.weft("thinlink").args(["-o", "weft/plans", "--has-global-host-info"]);
    run.args(&inputs.thinlink).args(summaries).attempt()?;
    let manifest = bench.read("weft/plans/manifest.json");
    serde_json::from_slice(&manifest).map_err(|error| format!("manifest.json: {error}"))
}

/// The final link, in which each file gives way to the cubins of its modules. Extensions are those of
/// cubins and of the PTX that they were made of.
fn image(
    bench: &Workbench,
    inputs: &LinkInputs,
    modules: &[Module],
    (extension, ptx): (&str, &str),
    needs_runtime: bool,
) -> Result<Image, String> {
    let output = format!("weft/image.{extension}");
    let files = linked_files(bench, inputs, modules, extension)?;
    match nvlink(bench, &files, &output, needs_runtime) {
        Err(story) if story.contains(DELETED) => {}
        outcome => return outcome,
    }
    let texts = modules.iter().map(|it| text_of(bench, &format!("{}.{ptx}", it.output)));
    let texts: Vec<String> = texts.collect();
    for (module, text) in modules.iter().zip(without_aliases(&texts)) {
        assemble(bench, &text, &format!("{}.{extension}", module.output))?;
    }
    nvlink(bench, &files, &output, needs_runtime)
}

/// What the final link gets, in link order.
fn linked_files(
    bench: &Workbench,
    inputs: &LinkInputs,
    modules: &[Module],
    extension: &str,
) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    for (number, file) in inputs.files.iter().enumerate() {
        if file.kind == LinkInputKind::Opaque {
            files.extend(opaque_files(bench, file, &format!("weft/opaque{number}"))?);
        }
        let own = modules.iter().filter(|it| it.file == number);
        files.extend(own.map(|it| format!("{}.{extension}", it.output)));
    }
    Ok(files)
}

fn text_of(bench: &Workbench, name: &str) -> String {
    String::from_utf8_lossy(&bench.read(name)).into_owned()
}

/// The file that holds a module: the modules of an archive, and those of an object that holds several,
/// have ids that begin with the file's.
fn file_of(inputs: &LinkInputs, id: &str) -> Result<usize, String> {
    let files = inputs.files.iter().enumerate();
    let owners = files.filter(|(_, file)| id.starts_with(&file.module_id));
    let longest = owners.max_by_key(|(_, file)| file.module_id.len());
    longest.map(|(number, _)| number).ok_or_else(|| format!("no file holds the module {id}"))
}

fn text<'value>(value: &'value Value, field: &str) -> Result<&'value str, String> {
    value[field].as_str().ok_or_else(|| format!("the manifest's {field} is no text"))
}
