//! Machines that lack something.

use weft_tests::Workbench;

use crate::files::KERNEL;
use crate::messages::{ENVIRONMENT, in_shell, job, says, thinlink, two_units, weft};

#[test]
fn outputs_that_cannot_be_written() {
    let bench = two_units();
    let print = ["--print", "a.summary"];
    let full = in_shell(&bench, "exec \"$0\" \"$@\" > /dev/full", "summarize", &print);
    says(&full, ENVIRONMENT, "cannot write to standard output: No space left");
    // A folder is where the plan of a unit was that is no longer there.
    bench.remove("plans/b.plan");
    std::fs::create_dir(bench.file("plans/b.plan")).unwrap();
    let link = bench.weft("thinlink").args(["-o", "plans", "a.summary"]);
    says(&link, ENVIRONMENT, "cannot remove plans/b.plan: Is a directory");
    std::fs::create_dir(bench.file("saved")).unwrap();
    bench.write("saved/out", "");
    let files = ["--plan", "plans/a.plan", "--module", "a.bc", "--import", "b=b.bc"];
    let run = job(&bench, &["run", "--emit=linked", "--save=saved", "-o", "new"]).args(files);
    says(&run, ENVIRONMENT, "cannot make saved/out: File exists");
}

#[test]
fn a_folder_for_temporary_files_that_is_not_there() {
    let bench = Workbench::new();
    bench.write("k.ptx", KERNEL);
    let assemble = bench.assemble("k").variable("TMPDIR", "/nowhere");
    says(&assemble, ENVIRONMENT, "cannot prepare the folder of ptxas: No such file");
}

#[test]
fn more_threads_than_there_is_room_for() {
    let bench = two_units();
    let words = ["--threads=2", "-o", "new", "a.summary", "b.summary"];
    // The stack of the first thread alone is larger than all that the process may have.
    let script = "ulimit -v 2000000; RUST_MIN_STACK=4000000000 exec \"$0\" \"$@\"";
    says(&in_shell(&bench, script, "thinlink", &words), ENVIRONMENT, "cannot start the threads: ");
    thinlink(&bench, &["a.summary", "b.summary"]).succeed();
}

#[test]
fn a_compiler_that_is_not_there() {
    let bench = Workbench::new();
    let common = "{\"linker_output\": \"p\", \"args\": [\"/nowhere/clang\"], \"inputs\": []}";
    bench.write("jobs.json", format!("{{\"common\": {common}, \"jobs\": []}}"));
    let message = "there is no /nowhere/clang, which the linker names as compiler";
    says(&weft(&bench, &["distribute", "jobs.json"]), ENVIRONMENT, message);
}
