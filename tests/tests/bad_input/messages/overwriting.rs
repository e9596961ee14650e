//! Outputs that name inputs, and ids that name two files.

use std::fs;
use std::os::unix::fs::symlink;

use super::{INPUT, USAGE, job, says, two_units};

#[test]
fn an_output_that_names_an_input_leaves_it_alone() {
    let advice = "an input: name another file";
    let bench = two_units();
    job(&bench, &["import", "--plan=plans/a.plan", "--module=a.bc", "--import=b=b.bc"])
        .args(["-o", "a.linked.bc"])
        .succeed();
    bench.codegen("a").succeed();
    fs::hard_link(bench.file("a.o"), bench.file("hard.o")).unwrap();
    symlink("a.o", bench.file("symbolic.o")).unwrap();
    let summarized = ["--module-id=a", "a.o"];
    for output in ["a.o", "./a.o", "hard.o", "symbolic.o"] {
        let run = bench.weft("summarize").args(summarized).args(["-o", output]);
        says(&run, USAGE, advice);
        let bitcode = format!("--bitcode={output}");
        let run = bench.weft("summarize").args(summarized).args(["-o", "new", &bitcode]);
        says(&run, USAGE, advice);
    }
    let imports = ["import", "--plan=plans/a.plan", "--module=a.bc", "--import=b=b.bc"];
    let before = ["a.o", "a.bc", "b.bc", "plans/a.plan", "a.linked.bc", "a.ptx", "a.summary"]
        .map(|name| (name, bench.read(name)));
    for output in ["-oa.bc", "-ob.bc", "-oplans/a.plan"] {
        says(&job(&bench, &imports).arg(output), USAGE, advice);
    }
    says(&job(&bench, &imports).args(["-onew", "--depfile=b.bc"]), USAGE, advice);
    says(&job(&bench, &["codegen", "a.linked.bc", "-oa.linked.bc"]), USAGE, advice);
    let report = ["codegen", "a.linked.bc", "-onew.ptx", "--report=a.linked.bc"];
    says(&job(&bench, &report), USAGE, advice);
    says(&job(&bench, &["combine", "a.linked.bc", "-oa.linked.bc"]), USAGE, advice);
    let link = ["-o", "plans", "a.summary", "b.summary", "--report=a.summary"];
    says(&bench.weft("thinlink").args(link), USAGE, advice);
    for (name, content) in before {
        assert!(bench.read(name) == content, "{name} was overwritten");
    }
}

#[test]
fn one_id_with_two_files_is_refused() {
    let bench = two_units();
    let imports = |words: &[&str]| {
        job(&bench, &["import", "--plan=plans/a.plan", "--module=a.bc", "-onew"])
            .args(words.iter().copied())
    };
    bench.write("twice.tsv", "a\ta.bc\nb\tb.bc\nb\ta.bc\n");
    let message = "twice.tsv:3: module 'b' has two files, b.bc and a.bc";
    says(&imports(&["--module-map=twice.tsv"]), INPUT, message);
    let stage = ["stage", "--plans=plans", "--module-map=twice.tsv", "--output-dir=staged"];
    says(&job(&bench, &stage), INPUT, message);
    let twice = ["--import=b=b.bc", "--import=b=a.bc"];
    says(&imports(&twice), INPUT, "--import: module 'b' has two files, b.bc and a.bc");
    bench.write("once.tsv", "a\ta.bc\nb\tb.bc\n");
    imports(&["--module-map=once.tsv"]).succeed();
}
