//! Wrong command lines.

use weft_tests::{Run, Workbench, tools};

use crate::files::KERNEL;
use crate::messages::{ENVIRONMENT, USAGE, job, says, thinlink, two_units, weft};

#[test]
fn nothing_to_work_on() {
    let bench = Workbench::new();
    bench.write("empty", "");
    says(&thinlink(&bench, &["@empty"]), USAGE, "no summaries: the response files are empty");
    let combine = job(&bench, &["combine", "-o", "new", "@empty"]);
    says(&combine, USAGE, "no modules: the response files are empty");
}

#[test]
fn settings_that_cannot_be_had() {
    let bench = two_units();
    let link = || thinlink(&bench, &["a.summary", "b.summary"]);
    let folder = link().variable("WEFT_CONFIG", bench.path());
    says(&folder, ENVIRONMENT, "cannot read the settings in /");
    bench.write("weft.toml", "[remote]\ntimeout = 0\n");
    let zero = link().variable("WEFT_CONFIG", bench.file("weft.toml"));
    let zero = zero.variable("WEFT_REMOTE_EXECUTOR", "grpc://localhost:1");
    let message = "0 in the settings file, for what WEFT_REMOTE_TIMEOUT sets, is no whole number";
    says(&zero, USAGE, message);
    let header = ["--remote-header=key", "--remote-executor=grpc://localhost:1", "a.summary"];
    says(&thinlink(&bench, &header), USAGE, "a remote header must be given as NAME=VALUE");
    let nowhere = Run::new("env", bench.path()).args(["-i"]).arg(tools().weft("weft"));
    let message = "there is no cache: neither --cache-dir nor HOME says where it is";
    says(&nowhere.args(["cache", "stats"]), USAGE, message);
}

#[test]
fn ptxas_and_its_files() {
    let bench = Workbench::new();
    bench.write("k.ptx", KERNEL);
    let assemble = |option: &str| job(&bench, &["assemble", option, "-o", "new", "k.ptx"]);
    let missing = assemble("--ptxas=/nowhere");
    let message = "there is no /nowhere: --ptxas names NVIDIA's assembler, of CUDA 12 or 13; ";
    says(&missing, ENVIRONMENT, message);
    let ptxas = format!("--ptxas={}", tools().cuda("ptxas").display());
    let no_file = assemble(&ptxas).arg("--Xptxas=--options-file");
    says(&no_file, USAGE, "--Xptxas: --options-file takes a file, and none follows");
}

#[test]
fn split_code_with_whole_modules() {
    let bench = two_units();
    let files = ["--plan", "plans/a.plan", "--module", "a.bc", "--import", "b=b.bc"];
    let run = job(&bench, &["run", "--emit=linked,ptx", "--split=2", "-o", "a{part}.x"]);
    let message =
        "the linked and the optimised module are never split: leave {part} out of the name";
    says(&run.args(files), USAGE, message);
}

#[test]
fn images_and_reports() {
    let bench = Workbench::new();
    bench.write("list", "");
    let register = weft(&bench, &["register", "-o", "new.c", "a\"b.fatbin"]);
    says(&register, USAGE, "the image's name must be text without \" and \\");
    let report = |words: &[&str]| weft(&bench, &[&["report", "list"], words].concat());
    let limit = report(&["--fail-if=regs+5"]);
    let message = "--fail-if 'regs+5' is a limit on a difference, which needs --against";
    says(&limit, USAGE, message);
    report(&["--json", "r.json"]).succeed();
    let message = "--against r.json: is a report, and a report is compared with no other file";
    says(&report(&["--against", "r.json", "--against", "r.json"]), USAGE, message);
}

#[test]
fn options_that_are_refused() {
    let bench = Workbench::new();
    let message = "--inline-info is not taken: neither LLVM's code generator nor ptxas records";
    says(&thinlink(&bench, &["--inline-info", "a.summary"]), USAGE, message);
    let message = "--import-declaration is not taken: a module declares all that its own";
    says(&thinlink(&bench, &["--import-declaration", "a.summary"]), USAGE, message);
}

#[test]
fn options_of_the_inliner_without_optimization() {
    let bench = two_units();
    let import = || bench.import("a", &["b"]).succeed();
    import();
    let codegen = |words: &[&str]| {
        job(&bench, &["codegen", "a.linked.bc", "-onew.ptx"]).args(words.iter().copied())
    };
    for option in ["--inline-budget=5", "--nv-inline-all", "--disable-inlining"] {
        let name = option.split('=').next().unwrap();
        let message = format!("{name} would do nothing: -O0 inlines only what must be");
        says(&codegen(&["-O0", option]), USAGE, &message);
    }
    codegen(&["-O1", "--inline-budget=5"]).succeed();
    bench.thinlink(&["a", "b"], &["-O0"]);
    import();
    let message = "--inline-budget would do nothing: the thin link's -O0 inlines only what must be";
    says(&codegen(&["--inline-budget=5"]), USAGE, message);
    codegen(&["-O2", "--inline-budget=5"]).succeed();
    codegen(&[]).succeed();
}

#[test]
fn negative_numbers_are_told_what_is_accepted() {
    let bench = two_units();
    let limit = thinlink(&bench, &["a.summary", "--closure-limit", "-1"]);
    says(&limit, USAGE, "-1 is not in 0..=4294967295");
    let threads = thinlink(&bench, &["a.summary", "--threads", "-1"]);
    says(&threads, USAGE, "expected a number from 0 on");
    let split = ["codegen", "a.bc", "-onew", "--threads", "-1"];
    says(&job(&bench, &split), USAGE, "expected a number from 1 on");
}
