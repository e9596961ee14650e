//! The example, built with Ninja and the real tools: the content of the image, the steps that an
//! edit reruns, the inputs that determine the bytes, and, on a GPU, the results.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use dev_builds::{BuildLog, Edit, Program, Settings, Target, Variant};
use dev_sass::KernelCost;
use tempfile::TempDir;
use weft_tests::reference::{build_tools, copy_with_objects};
use weft_tests::{skip_without_gpu, workspace_root};

/// Kernels of the example that its host code launches, by their demangled names.
const LAUNCHED: [&str; 10] = [
    "advance_particles",
    "apply_filters",
    "collide_particles",
    "emit_particles",
    "fold_response<FastResponse>",
    "fold_response<ThermalResponse>",
    "reduce_spectrum",
    "roulette_particles",
    "scale_dose",
    "tally_flux",
];
/// Kernels of the example that nothing launches.
const DEAD: [&str; 2] = ["debug_dump_particles", "legacy_tally"];

/// A copy of the example, built in one way.
struct Built {
    folder: TempDir,
    variant: Variant,
}

impl Built {
    fn new(variant: Variant, settings: &Settings, jobs: usize) -> Self {
        let folder = TempDir::with_prefix("weft-transport-").expect("a folder for the test");
        let built = Self { folder, variant };
        let source = workspace_root().join("examples/transport");
        let copy = built.folder.path().join("transport");
        let program = Program::copy(&source, &copy, build_tools()).expect("a copy of the example");
        program.write_ninja(variant, settings).expect("a ninja file");
        program.build(variant, Target::Program, jobs).expect("the example builds");
        built
    }

    /// Builds the example with Weft, from objects that another folder has.
    fn of_kept_objects() -> Self {
        let folder = TempDir::with_prefix("weft-transport-").expect("a folder for the test");
        copy_with_objects(&folder.path().join("transport")).expect("a copy of the example");
        let built = Self { folder, variant: Variant::Weft };
        let log = built.rebuild();
        assert_eq!(log.units("compile"), [""; 0], "objects are compiled again");
        built
    }

    fn program(&self) -> Program<'static> {
        Program::open(&self.folder.path().join("transport"), build_tools()).expect("the copy")
    }

    fn rebuild(&self) -> BuildLog {
        self.program().build(self.variant, Target::Program, 2).expect("the example builds again")
    }

    fn kernels(&self) -> BTreeMap<String, KernelCost> {
        let image = self.program().image(self.variant).expect("an image");
        dev_sass::read(&build_tools().toolchain, &image).expect("the image can be read").kernels
    }
}

/// Returns the example as nvcc builds it without device LTO. No test changes it.
fn rdc() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| Built::new(Variant::Rdc, &Settings::default(), 2))
}

/// Returns the example as Weft builds it. No test changes it.
fn weft() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(Built::of_kept_objects)
}

#[test]
fn the_image_holds_every_launched_kernel_and_no_dead_one() {
    let kernels = weft().kernels();
    let names: Vec<_> = kernels.keys().map(String::as_str).collect();
    assert_eq!(names, LAUNCHED, "kernels of the image");
    // The dead kernels are in the image neither as kernels nor under any other name.
    let image = weft().program().image(Variant::Weft).expect("an image");
    let content = std::fs::read(image).expect("the image can be read");
    for name in DEAD {
        let found = content.windows(name.len()).any(|window| window == name.as_bytes());
        assert!(!found, "{name} is in the image");
    }
}

#[test]
fn kernels_that_call_across_units_call_less_and_need_less_stack_than_with_rdc() {
    let (rdc, weft) = (rdc().kernels(), weft().kernels());
    let calling: Vec<_> = rdc.iter().filter(|(_, cost)| cost.calls > 0).collect();
    assert!(calling.len() >= 8, "the example lost its calls across units: {calling:?}");
    for (name, plain) in calling {
        let linked = weft[name];
        assert!(linked.calls < plain.calls, "{name}: {} calls, {}", linked.calls, plain.calls);
        assert!(linked.stack < plain.stack, "{name}: stack {}, {}", linked.stack, plain.stack);
    }
}

#[test]
fn every_byte_is_the_same_in_another_folder_order_and_thread_count() {
    let other = Settings {
        thinlink_options: vec!["--threads=1".to_owned()],
        summaries_reversed: true,
        ..Settings::default()
    };
    let other = Built::new(Variant::Weft, &other, 1);
    let (one, other) = (weft().program(), other.program());
    let mut files = vec!["plans/manifest.json".to_owned(), "image.cubin".to_owned()];
    for unit in &one.units().cuda {
        let kinds = ["linked.bc", "ptx", "cubin", "summary"];
        files.extend(kinds.map(|kind| format!("{unit}.{kind}")));
        files.push(format!("plans/{unit}.plan"));
    }
    for file in files {
        let content = |program: &Program<'_>| {
            let path = program.output(Variant::Weft, &file);
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        assert!(content(&one) == content(&other), "{file} differs");
    }
}

#[test]
fn an_edit_re_runs_what_it_can_reach_and_nothing_else() {
    let built = Built::of_kept_objects();
    assert_eq!(built.rebuild().steps, [], "nothing was edited");

    let private = Edit::find(&built.program(), "private-edit").expect("the marker");
    private.apply().expect("the edit");
    let log = built.rebuild();
    for verb in ["compile", "summarize", "import", "codegen", "assemble"] {
        assert_eq!(log.units(verb), [private.unit()], "{verb} after a private edit");
    }

    let shared = Edit::find(&built.program(), "shared-edit").expect("the marker");
    shared.apply().expect("the edit");
    let log = built.rebuild();
    assert_eq!(log.units("compile"), [shared.unit()]);
    let mut again = log.units("codegen");
    again.sort_unstable();
    // The plans tell which units import the edited function. Its own unit does not emit it.
    assert_eq!(again, importers_of(&built, shared.unit(), "layer_importance"));
    let mut assembled = log.units("assemble");
    assembled.sort_unstable();
    assert_eq!(assembled, again);

    assert_eq!(built.rebuild().steps, [], "nothing was edited since");
}

/// Returns the units whose plans import a function from `unit` whose name contains `function`.
fn importers_of(built: &Built, unit: &str, function: &str) -> Vec<String> {
    let program = built.program();
    let mut importers = Vec::new();
    for module in &program.units().cuda {
        let path = program.output(Variant::Weft, &format!("plans/{module}.plan"));
        let plan = std::fs::read(path).expect("a plan");
        // Plans hold names as plain text, so no decoder is needed to find one.
        let names = String::from_utf8_lossy(&plan).contains(function);
        if module != unit && names {
            importers.push(module.clone());
        }
    }
    importers.sort_unstable();
    importers
}

#[test]
fn on_a_gpu_all_builds_compute_the_same() {
    let outputs = [rdc(), weft()].map(|built| built.program().run(built.variant));
    let [plain, linked] = outputs.map(|output| output.expect("the program runs"));
    if linked.contains("no CUDA device") {
        return skip_without_gpu("checksums");
    }
    let lto = Built::new(Variant::Dlto, &Settings::default(), 2);
    let lto = lto.program().run(Variant::Dlto).expect("the program runs");
    assert_eq!(linked, plain, "Weft and RDC");
    assert_eq!(linked, lto, "Weft and nvcc -dlto");
}
