//! Linking of a program with Weft's executables.

use std::collections::BTreeSet;

use serde_json::Value;

use super::code;
use super::difference::Difference;
use super::generator::{assemble, nvlink, ptx_of};
use super::image::Image;
use super::inputs::{LinkInputKind, LinkInputs};
use super::plain::opaque_files;
use super::prevailing::without_aliases;
use super::ptx::Declarations;
use crate::{Workbench, tools};

/// Message with which nvlink 13.5 refuses some programs with aliases of functions, also without
/// Weft. Such programs are compared without aliases.
const DELETED: &str = "Internal error: reference to deleted symbol";
/// Words of the thin link's log where local constants move to global memory.
const MOVED: &str = " move to global memory";
/// Option by which users move them.
const MOVING: &str = "--largest-constant";
/// Options that turn off optimizations of the thin link by which kernels reach and need less.
const OPTIMIZATIONS: [&str; 2] = ["--devirtualize=false", "--propagate-attrs=false"];

/// A program that was linked through Weft.
#[derive(Debug)]
pub(super) struct Linked {
    /// Linked image.
    pub(super) image: Image,
    /// Declarations in the PTX of each module.
    pub(super) declarations: Vec<Declarations>,
    /// Symbols that the manifest lists as removed because nothing refers to them.
    pub(super) removed: BTreeSet<String>,
    /// Whether local constants moved to global memory.
    pub(super) moves_constants: bool,
    /// Kernels whose code the final link changed.
    pub(super) changes: Vec<Difference>,
}

/// Plans of a program, in a folder of the bench.
struct Planned {
    folder: &'static str,
    manifest: Value,
    modules: Vec<Module>,
    moves_constants: bool,
}

/// Backend job of a module.
struct Module {
    /// Number of the module's file among the inputs.
    file: usize,
    /// Path of the module's plan.
    plan: String,
    /// Modules that the job compiles, too, or imports from, each with the number of its file.
    sources: Vec<(String, usize)>,
    /// Name of the job's outputs, without the number of the partition and the extension.
    name: String,
    /// Names of the job's outputs, without extension: one for each partition.
    outputs: Vec<String>,
}

/// Links `inputs` through Weft. Files go below `weft`.
pub(super) fn link(bench: &Workbench, inputs: &LinkInputs) -> Result<Linked, String> {
    let planned = plan(bench, inputs, "weft", inputs.split, &[])?;
    let mut texts = Vec::new();
    for module in &planned.modules {
        let options: Vec<&str> = inputs.job.iter().map(String::as_str).collect();
        run_job(bench, inputs, module, "ptx,cubin", &options)?;
        texts.extend(module.outputs.iter().map(|name| text_of(bench, &format!("{name}.ptx"))));
    }
    let removed = ["removed_kernels", "removed_variables"].iter();
    let removed = removed.flat_map(|key| planned.manifest[key].as_array().into_iter().flatten());
    let image = image(bench, inputs, &planned, &texts)?;
    let outputs = planned.modules.iter().flat_map(|module| &module.outputs);
    let cubins = outputs.map(|name| bench.read(&format!("{name}.cubin")));
    // The cubin of a module without code is an empty file.
    let cubins: Vec<_> = cubins.filter(|cubin| !cubin.is_empty()).collect();
    Ok(Linked {
        changes: code::changes(&cubins, &bench.read("weft/image.cubin"))?,
        declarations: texts.iter().map(|text| Declarations::read(text)).collect(),
        removed: removed.filter_map(Value::as_str).map(str::to_owned).collect(),
        moves_constants: planned.moves_constants,
        image,
    })
}

/// Returns the image of the same program without any optimization: the thin link removes, renames
/// and imports symbols as usual, and LLVM's code generator does the rest. Files go below `weft0`.
pub(super) fn unoptimized(bench: &Workbench, inputs: &LinkInputs) -> Result<Image, String> {
    let planned = plan(bench, inputs, "weft0", 0, &OPTIMIZATIONS)?;
    let mut texts = Vec::new();
    for module in &planned.modules {
        run_job(bench, inputs, module, "linked", &["--Xnvvm=-opt=0"])?;
        for name in &module.outputs {
            let linked = format!("{name}.x");
            let is_bitcode = bench.read(&linked).starts_with(b"BC\xC0\xDE");
            let text = if is_bitcode { ptx_of(bench, &linked)? } else { text_of(bench, &linked) };
            assemble(bench, &text, &format!("{name}.cubin"))?;
            texts.push(text);
        }
    }
    image(bench, inputs, &planned, &texts)
}

/// Makes the summaries and the plans of a program.
fn plan(
    bench: &Workbench,
    inputs: &LinkInputs,
    folder: &'static str,
    split: usize,
    options: &[&str],
) -> Result<Planned, String> {
    let path = bench.file(folder);
    std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut summaries = Vec::new();
    for (number, file) in inputs.files.iter().enumerate() {
        let summary = format!("{folder}/{number}.summary");
        let mut run = bench.weft("summarize").args(["--module-id", &file.module_id]);
        if file.kind == LinkInputKind::Opaque {
            run = run.arg("--opaque");
        }
        let nvlink = tools().cuda("nvlink");
        run = run.arg("--nvlink").arg(nvlink).args(&inputs.summarize);
        run.args(["-o", &summary, &file.path]).attempt()?;
        summaries.push(summary);
    }
    let (plans, order) = (format!("{folder}/plans"), format!("{folder}/link-order.txt"));
    let ids = inputs.files.iter().map(|file| format!("{}\n", file.module_id));
    bench.write(&order, ids.collect::<String>());
    let run = bench.weft("thinlink").args(["-o", &plans, "--has-global-host-info", "--verbose"]);
    // Threads divide the summaries, and must not affect the result.
    let threads = if inputs.files.len().is_multiple_of(2) { "--threads=0" } else { "--threads=1" };
    let run = run.args(["--link-order", &order, threads]);
    let name = |option: &str| option.split('=').next().map(str::to_owned);
    let given = |option: &str| inputs.thinlink.iter().any(|stated| name(stated) == name(option));
    let options = options.iter().filter(|option| !given(option)).copied();
    let log = run.args(&inputs.thinlink).args(options).args(summaries).attempt()?.stderr;
    let is_moving = |option: &String| option.starts_with(MOVING);
    let moves_constants = log.contains(MOVED) || inputs.thinlink.iter().any(is_moving);
    let manifest = bench.read(&format!("{plans}/manifest.json"));
    let manifest: Value =
        serde_json::from_slice(&manifest).map_err(|error| format!("manifest.json: {error}"))?;
    let listed = manifest["modules"].as_array().ok_or("the manifest has no modules")?;
    let mut modules = Vec::new();
    for (number, module) in listed.iter().enumerate() {
        let name = format!("{folder}/m{number}");
        let mut sources = Vec::new();
        let needed = ["members", "import_sources"].iter();
        for source in needed.flat_map(|key| module[key].as_array().into_iter().flatten()) {
            let id = source.as_str().ok_or("a needed module is no text")?;
            sources.push((id.to_owned(), file_of(inputs, id)?));
        }
        modules.push(Module {
            file: file_of(inputs, text(module, "module_id")?)?,
            plan: format!("{plans}/{}", text(module, "plan")?),
            sources,
            outputs: (0..split.max(1)).map(|part| format!("{name}.{part}")).collect(),
            name,
        });
    }
    Ok(Planned { folder, manifest, modules, moves_constants })
}

/// Carries out the plan of a module, and writes the outputs that `emit` names.
fn run_job(
    bench: &Workbench,
    inputs: &LinkInputs,
    module: &Module,
    emit: &str,
    options: &[&str],
) -> Result<(), String> {
    let path = |file: usize| &inputs.files[file].path;
    let imports = module.sources.iter().map(|(id, file)| format!("--import={id}={}", path(*file)));
    let run = bench.weft("backend-job").args(["run", "--emit", emit, "--ptxas"]);
    let output = match &module.outputs[..] {
        [one] => vec![format!("{one}.x")],
        parts => vec![format!("{}.{{part}}.x", module.name), format!("--split={}", parts.len())],
    };
    run.arg(bench.compiler(0).ptxas())
        .arg("--nvlink")
        .arg(tools().cuda("nvlink"))
        .arg("-o")
        .args(output)
        .args(["--plan", &module.plan])
        .args(["--module", path(module.file)])
        .args(imports)
        .args(options.iter().copied())
        .attempt()
        .map(drop)
}

/// Runs the final link, in which the cubins of a file's modules replace the file. `texts` holds the
/// PTX of all modules.
fn image(
    bench: &Workbench,
    inputs: &LinkInputs,
    planned: &Planned,
    texts: &[String],
) -> Result<Image, String> {
    let Planned { folder, manifest, modules, .. } = planned;
    let mut files = Vec::new();
    for (number, file) in inputs.files.iter().enumerate() {
        if file.kind == LinkInputKind::Opaque {
            files.extend(opaque_files(bench, file, &format!("{folder}/opaque{number}"))?);
        }
        let own = modules.iter().filter(|module| module.file == number);
        let own = own.flat_map(|module| &module.outputs);
        files.extend(own.map(|name| format!("{name}.cubin")));
    }
    let output = format!("{folder}/image.cubin");
    let needs_runtime = manifest["device_runtime"].as_bool().unwrap_or(false);
    match nvlink(bench, &files, &output, needs_runtime) {
        Err(story) if story.contains(DELETED) => {}
        outcome => return outcome,
    }
    let outputs = modules.iter().flat_map(|module| &module.outputs);
    for (name, text) in outputs.zip(without_aliases(texts)) {
        assemble(bench, &text, &format!("{name}.cubin"))?;
    }
    nvlink(bench, &files, &output, needs_runtime)
}

/// Returns the number of the file that holds a module. The ids of an archive's modules, and of the
/// modules of an object that holds several, begin with the file's id.
fn file_of(inputs: &LinkInputs, id: &str) -> Result<usize, String> {
    let files = inputs.files.iter().enumerate();
    let owners = files.filter(|(_, file)| id.starts_with(&file.module_id));
    let longest = owners.max_by_key(|(_, file)| file.module_id.len());
    longest.map(|(number, _)| number).ok_or_else(|| format!("no file holds the module {id}"))
}

fn text<'value>(value: &'value Value, field: &str) -> Result<&'value str, String> {
    value[field].as_str().ok_or_else(|| format!("the manifest's {field} is no text"))
}

fn text_of(bench: &Workbench, name: &str) -> String {
    String::from_utf8_lossy(&bench.read(name)).into_owned()
}
