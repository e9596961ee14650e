//! Builds with feedback from earlier builds, with the real tools: the rounds of `weft tune`
//! on a generated program.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dev_builds::{Program, Settings, Target, Variant};
use dev_programs::deep::{self, Size};
use tempfile::TempDir;
use weft_artifact::{Feedback, KernelTrial};
use weft_tests::reference::build_tools;
use weft_tests::{Run, Workbench, tools};

/// Name of the file in the program's folder.
const FEEDBACK: &str = "kernels.feedback";
/// Deep enough for calls that stay and for values that do not fit into registers.
const PROGRAM: Size = Size { units: 6, levels: 5, calls: 3, statements: 3 };

/// Exit codes: a tool failed, and the environment lacks something.
const EXIT_TOOL: i32 = 5;
const EXIT_ENVIRONMENT: i32 = 4;

/// The program in a folder, built without feedback.
struct Built {
    folder: TempDir,
}

impl Built {
    fn new() -> Self {
        let folder = TempDir::with_prefix("weft-tuning-").expect("a folder for the test");
        deep::write(folder.path(), &PROGRAM, 3).expect("a program");
        let built = Self { folder };
        built.build(&Settings::default());
        built
    }

    fn program(&self) -> Program<'static> {
        Program::open(self.folder.path(), build_tools()).expect("the program")
    }

    fn build(&self, settings: &Settings) {
        let program = self.program();
        program.write_ninja(Variant::Weft, settings).expect("a ninja file");
        program.build(Variant::Weft, Target::Image, 2).expect("the program builds");
    }

    fn image(&self) -> PathBuf {
        self.program().image(Variant::Weft).expect("an image")
    }

    /// Returns the plans, linked modules and cubins, by their names.
    fn outputs(&self) -> BTreeMap<String, Vec<u8>> {
        let program = self.program();
        let mut names = vec!["image.cubin".to_owned()];
        for unit in &program.units().cuda {
            names.extend(["linked.bc", "cubin"].map(|kind| format!("{unit}.{kind}")));
            names.push(format!("plans/{unit}.plan"));
        }
        let content = |name: &String| {
            std::fs::read(program.output(Variant::Weft, name)).expect("an output of the build")
        };
        names.iter().map(|name| (name.clone(), content(name))).collect()
    }

    fn feedback(&self) -> (String, Feedback) {
        let content = std::fs::read(self.folder.path().join(FEEDBACK)).expect("the feedback");
        let feedback = Feedback::read(&content).expect("feedback that can be read");
        (String::from_utf8(content).expect("a text"), feedback)
    }

    fn weft(&self, arguments: &[&str]) -> Run {
        Run::new(tools().weft("weft"), self.folder.path()).args(arguments)
    }
}

fn with_feedback() -> Settings {
    Settings { feedback: Some(FEEDBACK.to_owned()), ..Settings::default() }
}

/// The cost of a kernel as the documentation states it.
fn cost(trial: &KernelTrial) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "costs are far below 2^53")]
    let cycles = (trial.cycles + 8 * trial.local) as f64;
    cycles * (1.0 + 8.0 / f64::from(trial.warps.expect("the limits of sm_90 are known")))
}

#[test]
fn tuning_settles_and_keeps_what_is_better() {
    let built = Built::new();
    let untuned = built.outputs();
    let feedback = built.folder.path().join(FEEDBACK);
    std::fs::write(&feedback, "").expect("a file without feedback");
    built.build(&with_feedback());
    assert!(built.outputs() == untuned, "feedback about nothing changed an output");

    let ninja = build_tools().toolchain.ninja.display().to_string();
    let image = built.image().display().to_string();
    let file = format!("{}/build.ninja", "build/weft");
    let tune = ["tune", "--feedback", FEEDBACK, "--program", &image, "--"];
    let command = [ninja.as_str(), "-f", &file, "-j2", "image"];
    let outcome = built.weft(&[&tune[..], &command].concat()).succeed();
    let rounds = outcome.stderr.lines().filter(|line| line.starts_with("round ")).count();
    assert!((2..=5).contains(&rounds), "a first build and up to four rounds: {}", outcome.stderr);

    // The program is already the one of the file, so another round changes nothing.
    let (text, settled) = built.feedback();
    built.weft(&["feedback", "--previous", FEEDBACK, "-o", "again.feedback", &image]).succeed();
    let again = std::fs::read_to_string(built.folder.path().join("again.feedback"));
    assert_eq!(again.expect("the feedback"), text, "the file has not settled");

    let mut gains = 0;
    for kernel in settled.kernels() {
        let of = |choice| kernel.tried.iter().find(move |trial| trial.choice == choice);
        let first = of(weft_artifact::KernelChoice::default()).expect("the models' own build");
        let chosen = of(kernel.choice).expect("the choice was built");
        assert!(cost(chosen) <= cost(first), "{} became worse", kernel.kernel);
        gains += usize::from(cost(chosen) < cost(first));
        assert!(kernel.tried.len() > 1, "{} was left alone", kernel.kernel);
    }
    assert!(gains > 0, "no kernel gained: {text}");
    let linked = dev_sass::read(&build_tools().toolchain, &built.image()).expect("the image");
    for kernel in settled.kernels() {
        let chosen = kernel.tried.iter().find(|trial| trial.choice == kernel.choice);
        let chosen = chosen.expect("the choice was built");
        let seen = linked.kernels.iter().find(|(name, _)| kernel.kernel.contains(*name));
        let (_, seen) = seen.expect("the kernel is in the image");
        // NVIDIA's disassembler is an independent witness, read by separate code.
        let figures =
            [chosen.registers.into(), chosen.stack.into(), chosen.instructions, chosen.cycles];
        let witnessed = [seen.registers, seen.stack, seen.instructions, seen.cycles];
        assert_eq!(figures, witnessed, "{}", kernel.kernel);
        assert_eq!(chosen.local > 0, seen.local_accesses > 0, "{}", kernel.kernel);
    }

    // The same feedback gives the same bytes again, and no feedback gives the earlier ones.
    let tuned = built.outputs();
    assert!(tuned != untuned, "the choices reached no output");
    built.build(&Settings::default());
    assert!(built.outputs() == untuned, "the build without feedback changed");
    built.build(&with_feedback());
    assert!(built.outputs() == tuned, "the same feedback gave other bytes");
}

#[test]
fn a_build_that_fails_leaves_no_choice_that_was_not_built() {
    let built = Built::new();
    let image = built.image().display().to_string();
    let tune = ["tune", "--feedback", FEEDBACK, "--program", &image, "--"];
    // It succeeds once, so the second build is the first one with a trial.
    let script = "test ! -e mark && touch mark";
    let command = ["sh", "-c", script];
    let outcome = built.weft(&[&tune[..], &command].concat()).expect(EXIT_TOOL);
    outcome.says(&["the build failed: sh ended with exit status: 1"]);
    let (_, feedback) = built.feedback();
    assert!(!feedback.kernels().is_empty(), "nothing could be tried");
    assert!(feedback.choices().kernels().is_empty(), "a choice stayed that was not built");
    let outcome = built.weft(&[&tune[..], &["/no/such/program"]].concat()).expect(EXIT_ENVIRONMENT);
    outcome.says(&["cannot start /no/such/program"]);
}

#[test]
fn a_look_at_a_program_settles_or_tries() {
    let built = Built::new();
    let image = built.image().display().to_string();
    let look = |options: &[&str]| {
        built.weft(&[&["feedback", "-o", FEEDBACK, &image][..], options].concat()).succeed();
        built.feedback().1
    };
    assert!(!look(&[]).choices().kernels().is_empty(), "nothing is tried");
    let settled = look(&["--settle"]);
    assert!(!settled.kernels().is_empty() && settled.choices().kernels().is_empty());
    // The fewest rounds leave room for one trial, which is taken back where it gained nothing. This
    // command builds nothing, so no kernel gains.
    std::fs::remove_file(built.folder.path().join(FEEDBACK)).expect("the feedback");
    let tune = ["tune", "--feedback", FEEDBACK, "--rounds=2", "--program", &image, "--", "true"];
    let outcome = built.weft(&tune).succeed();
    assert_eq!(outcome.stderr.lines().filter(|line| line.starts_with("round ")).count(), 3);
    let (_, feedback) = built.feedback();
    assert!(feedback.choices().kernels().is_empty());
    assert!(feedback.kernels().iter().all(|kernel| kernel.tried.len() == 2));
}

#[test]
fn a_limit_of_registers_holds_for_kernels_that_call_nothing() {
    let bench = Workbench::new();
    let text = "target triple = \"nvptx64-nvidia-cuda\"
        declare i32 @elsewhere(i32)
        define ptx_kernel void @alone(ptr %p) #0 {
          store i32 1, ptr %p
          ret void
        }
        define ptx_kernel void @calls(ptr %p) #0 {
          %v = call i32 @elsewhere(i32 3)
          store i32 %v, ptr %p
          ret void
        }
        attributes #0 = { \"target-cpu\"=\"sm_90\" \"weft-max-registers\"=\"64\" }\n";
    bench.write("k.ll", text);
    bench.assemble_ir("k");
    Run::new(tools().weft("backend-job"), bench.path())
        .args(["codegen", "--no-cache", "k.bc", "-o", "k.ptx"])
        .succeed();
    let ptx = String::from_utf8(bench.read("k.ptx")).expect("a text");
    let (alone, calls) = ptx.split_once(".entry calls(").expect("both kernels");
    assert!(alone.contains(".maxnreg 64"), "{ptx}");
    assert!(!calls.contains(".maxnreg"), "nvlink would refuse it: {ptx}");
}
