//! The build with Weft: one summary per unit, one thin link, then the jobs of each module.

use crate::job_times;
use crate::ninja_file::{Edge, NinjaFile};
use crate::settings::Settings;
use crate::statements::{compile, link};
use crate::step_usage;
use crate::units::Units;
use dev_process::quote;

use crate::variant::{ARCHITECTURE, ARCHITECTURE_NUMBER, Tools, Variant, build_folder};

const RULES: &str = include_str!("rules/weft.ninja");
/// Rules for units by their compiler.
const CLANG_RULES: &str = include_str!("rules/weft_clang.ninja");
const NVCC_RULES: &str = include_str!("rules/weft_nvcc.ninja");

/// File with the bitcode path of each module, for the import phase.
pub(super) const MODULE_MAP: &str = "modules.tsv";
/// File with the modules in link order, for the thin link.
pub(super) const LINK_ORDER: &str = "link-order.txt";
/// Linked device image.
pub(super) const IMAGE: &str = "image.cubin";
/// Linked device image in the form that the program holds.
const FATBIN: &str = "image.fatbin";
/// Ending of the codegen phase's report on a module.
pub(super) const REPORT: &str = "codegen.json";
/// Folder that the thin link writes to.
const PLANS: &str = "plans";

/// Renders [`MODULE_MAP`].
pub(super) fn module_map(units: &Units, variant: Variant, settings: &Settings) -> String {
    let folder = build_folder(variant);
    let id = |unit: &String| module_id(&folder, unit, settings);
    let line = |unit: &String| [&id(unit), "\t", &folder, "/", unit, ".bc\n"].concat();
    units.modules().map(line).collect()
}

/// Renders [`LINK_ORDER`]: the order in which the other builds link the same units.
pub(super) fn link_order(units: &Units, variant: Variant, settings: &Settings) -> String {
    let folder = build_folder(variant);
    units.modules().map(|unit| module_id(&folder, unit, settings) + "\n").collect()
}

/// Returns the id of a unit's module in the build folder `folder`.
fn module_id(folder: &str, unit: &str, settings: &Settings) -> String {
    if settings.ids_of_objects { format!("{folder}/{unit}.o") } else { unit.to_owned() }
}

/// Returns the modules with a job: all, or the first of each job if their number is given.
/// The thin link divides the modules in the same way, in the order of their ids.
fn firsts(units: &Units, number: Option<usize>) -> Vec<&str> {
    let mut modules: Vec<&str> = units.modules().map(String::as_str).collect();
    let Some(number) = number else { return modules };
    modules.sort_unstable();
    let (count, number) = (modules.len(), number.min(modules.len()));
    let job = |position: usize| position * number / count;
    let is_first = |position: usize| position == 0 || job(position) != job(position - 1);
    let firsts = modules.into_iter().enumerate().filter(|(position, _)| is_first(*position));
    firsts.map(|(_, module)| module).collect()
}

/// Writes all statements of the build `variant`, with a job of each module, or with as many as the
/// settings say.
pub(super) fn write(
    file: &mut NinjaFile,
    units: &Units,
    tools: &Tools,
    settings: &Settings,
    variant: Variant,
) {
    let full = (variant == Variant::Full).then(|| settings.full_jobs.unwrap_or(1));
    variables(file, tools, settings, full);
    let of_units = if variant == Variant::WeftNvcc {
        nvcc_variables(file, units, tools, settings);
        NVCC_RULES
    } else {
        file.variable("compile_options", &settings.compile_options.join(" "));
        CLANG_RULES
    };
    let rules = [of_units, RULES].concat();
    if settings.job_times {
        file.rules(&job_times::with_times(&rules));
    } else if settings.usage {
        file.rules(&step_usage::with_usage(&rules));
    } else {
        file.rules(&rules);
    }
    let cuda = compile(file, "compile", &units.cuda);
    let host = compile(file, "compile-host", &units.host);
    summaries(file, units, settings);
    let first = firsts(units, full);
    for unit in &first {
        jobs(file, unit, settings);
    }
    let device = image(file, &first);
    link(file, "link-guarded", [cuda, host].concat(), device);
}

fn variables(file: &mut NinjaFile, tools: &Tools, settings: &Settings, full: Option<usize>) {
    let toolchain = &tools.toolchain;
    for (name, path) in [
        ("clang", &toolchain.clang),
        ("clang_cxx", &toolchain.clang_cxx),
        ("ptxas", &toolchain.ptxas),
        ("nvlink", &toolchain.nvlink),
        ("device_runtime", &toolchain.cuda_root.join("lib/libcudadevrt.a")),
        ("fatbinary", &toolchain.fatbinary),
        ("summarize", &tools.executables.join("summarize")),
        ("thinlink", &tools.executables.join("thinlink")),
        ("backend_job", &tools.executables.join("backend-job")),
        ("weft", &tools.executables.join("weft")),
    ] {
        file.variable_path(name, path);
    }
    file.variable("architecture", ARCHITECTURE);
    file.variable("architecture_number", ARCHITECTURE_NUMBER);
    file.variable("codegen_options", &settings.codegen_options.join(" "));
    let full = full.map(|number| format!("--full={number}"));
    let feedback = settings.feedback.as_ref().map(|file| format!("--feedback={file}"));
    let options = settings.thinlink_options.iter().chain(&full).chain(&feedback);
    let thinlink_options: Vec<&str> = options.map(String::as_str).collect();
    file.variable("thinlink_options", &thinlink_options.join(" "));
    let execution_options = match settings.execution_options.as_slice() {
        [] => "--no-cache".to_owned(),
        options => options.join(" "),
    };
    file.variable("execution_options", &execution_options);
    file.variable("plans", &file.path(PLANS));
    file.variable("module_map", &file.path(MODULE_MAP));
    file.variable("link_order", &file.path(LINK_ORDER));
    file.variable("fatbin", &file.path(FATBIN));
}

/// Writes the variables for units that nvcc compiles.
fn nvcc_variables(file: &mut NinjaFile, units: &Units, tools: &Tools, settings: &Settings) {
    file.variable_path("nvcc", &tools.toolchain.nvcc);
    let options = [settings.compile_options.as_slice(), &settings.nvcc_options].concat();
    file.variable("compile_options", &options.join(" "));
    let nvlink = quote(tools.toolchain.nvlink.as_os_str());
    file.variable("nvlink_options", &format!("--nvlink {nvlink}"));
    let objects = units.cuda.iter().map(|unit| format!("--nvcc-object {}", of(file, unit, "o")));
    let objects: Vec<String> = objects.collect();
    file.variable("register_options", &objects.join(" "));
}

/// Writes the statements from objects and device bitcode to plans.
fn summaries(file: &mut NinjaFile, units: &Units, settings: &Settings) {
    let modules = units.modules().map(|unit| ("summarize", unit));
    let host = units.host.iter().map(|unit| ("summarize-host", unit));
    let mut summaries = Vec::new();
    for (rule, unit) in modules.chain(host) {
        let mut outputs = vec![of(file, unit, "summary")];
        summaries.push(outputs[0].clone());
        if rule == "summarize" {
            outputs.push(of(file, unit, "bc"));
        }
        let is_compiled = !units.bitcode.contains(unit);
        let inputs = vec![if is_compiled { of(file, unit, "o") } else { unit.clone() }];
        file.edge(&Edge {
            rule,
            outputs,
            inputs,
            variables: names(file, unit, settings),
            ..Edge::default()
        });
    }
    if settings.summaries_reversed {
        summaries.reverse();
    }
    file.phony("summaries", summaries.clone());
    let mut plans: Vec<String> = units.modules().map(|unit| plan(file, unit, settings)).collect();
    plans.push(file.path(&format!("{PLANS}/manifest.json")));
    let mut implicit = vec![file.path(LINK_ORDER)];
    implicit.extend(settings.feedback.clone());
    let inputs = summaries;
    file.edge(&Edge { rule: "thinlink", outputs: plans, inputs, implicit, ..Edge::default() });
    file.phony("bitcode", units.modules().map(|unit| of(file, unit, "bc")).collect());
}

/// Writes the statements of the three phases of one module.
fn jobs(file: &mut NinjaFile, unit: &str, settings: &Settings) {
    let [bitcode, linked, ptx, cubin] =
        ["bc", "linked.bc", "ptx", "cubin"].map(|ending| of(file, unit, ending));
    file.edge(&Edge {
        rule: "import",
        outputs: vec![linked.clone()],
        inputs: vec![plan(file, unit, settings), bitcode],
        implicit: vec![file.path(MODULE_MAP)],
        order_only: vec!["bitcode".to_owned()],
        variables: names(file, unit, settings),
    });
    for (rule, from, to) in [("codegen", linked, ptx.clone()), ("assemble", ptx, cubin)] {
        let (inputs, outputs) = (vec![from], vec![to]);
        let mut variables = names(file, unit, settings);
        if settings.reports && rule == "codegen" {
            variables.push(("report", format!("--report {}", of(file, unit, REPORT))));
        }
        file.edge(&Edge { rule, outputs, inputs, variables, ..Edge::default() });
    }
}

/// Writes the statements from the cubins to the host object that registers the image.
fn image(file: &mut NinjaFile, modules: &[&str]) -> String {
    let mut from: Vec<String> = modules.iter().map(|unit| of(file, unit, "cubin")).collect();
    for (rule, output) in [
        ("nvlink", IMAGE),
        ("fatbinary", FATBIN),
        ("register", "registration.c"),
        ("compile-registration", "registration.o"),
    ] {
        let output = vec![file.path(output)];
        let inputs = std::mem::replace(&mut from, output.clone());
        file.edge(&Edge { rule, outputs: output, inputs, ..Edge::default() });
    }
    from.concat()
}

fn of(file: &NinjaFile, unit: &str, ending: &str) -> String {
    file.path(&format!("{unit}.{ending}"))
}

fn plan(file: &NinjaFile, unit: &str, settings: &Settings) -> String {
    let id = module_id(file.folder(), unit, settings);
    file.path(&format!("{PLANS}/{id}.plan"))
}

/// Returns the variables of an edge that name the unit to the rule's command.
fn names(file: &NinjaFile, unit: &str, settings: &Settings) -> Vec<(&'static str, String)> {
    let id = module_id(file.folder(), unit, settings);
    vec![("unit", id), ("stem", file.path(unit))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_map_names_the_bitcode_of_units_with_device_code() {
        let one = |name: &str| vec![name.to_owned()];
        let units =
            Units { cuda: one("src/a.cu"), host: one("src/b.cpp"), bitcode: one("src/c.bc") };
        let map = "src/a.cu\tbuild/weft/src/a.cu.bc\nsrc/c.bc\tbuild/weft/src/c.bc.bc\n";
        let settings = Settings::default();
        assert_eq!(module_map(&units, Variant::Weft, &settings), map);
        assert_eq!(link_order(&units, Variant::Weft, &settings), "src/a.cu\nsrc/c.bc\n");
    }

    #[test]
    fn a_number_of_jobs_divides_the_modules() {
        let cuda = ["e", "a", "d", "b", "c"].map(str::to_owned).into();
        let units = Units { cuda, ..Units::default() };
        let firsts = |number| firsts(&units, number).concat();
        assert_eq!(firsts(None), "eadbc");
        assert_eq!(firsts(Some(1)), "a");
        assert_eq!(firsts(Some(2)), "ad");
        assert_eq!(firsts(Some(9)), "abcde");
    }
}
