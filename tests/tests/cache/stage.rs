//! Staged imports: a file for each module holds the imports of its plan, and gives the same linked
//! module.

use weft_artifact::{Artifact as _, StagedImports};
use weft_tests::Workbench;
use weft_tests::chain::{self, UNITS};

/// Returns a bench with the units after the thin link.
fn planned() -> Workbench {
    let bench = chain::written();
    bench.prepare(&["a", "b", "c"]);
    bench.thinlink(&["a", "b", "c"], &[]);
    bench
}

fn stage(bench: &Workbench, modules: &str) -> weft_tests::Run {
    bench.write("modules.tsv", modules);
    let options = ["stage", "--plans", "plans", "--module-map", "modules.tsv", "-o", "imports"];
    bench.weft("backend-job").args(options)
}

#[test]
fn staged_imports_are_what_the_plan_names_and_give_the_same_module() {
    let bench = planned();
    stage(&bench, "a\ta.bc\nb\tb.bc\nc\tc.bc\n").succeed();
    for (name, _) in UNITS {
        bench.import(name, &["a", "b", "c"]).succeed();
        let declared = bench.read(&format!("{name}.linked.bc"));
        let staged = format!("imports/{name}.imports");
        bench
            .weft("backend-job")
            .args(["import", "--plan", &format!("plans/{name}.plan")])
            .args(["--module", &format!("{name}.bc"), "--staged", &staged])
            .args(["-o", "staged.bc"])
            .succeed();
        assert!(bench.read("staged.bc") == declared, "{name}");
    }
    let staged = StagedImports::decode(&bench.read("imports/a.imports")).unwrap();
    let names: Vec<_> = staged.modules.iter().map(|module| module.module_id.as_str()).collect();
    assert_eq!(names, ["b", "c"]);
    assert_eq!(staged.modules[0].file, bench.read("b.bc"));
    assert_eq!(StagedImports::decode(&bench.read("imports/c.imports")).unwrap().modules, []);
}

#[test]
fn a_source_that_the_map_lacks() {
    let bench = planned();
    let outcome = stage(&bench, "a\ta.bc\n").expect(3);
    outcome.says(&["plans/a.plan: the plan imports from 'b', which modules.tsv lacks"]);
    assert!(!bench.file("imports").exists());
}

#[test]
fn staged_imports_of_another_plan() {
    let bench = planned();
    stage(&bench, "a\ta.bc\nb\tb.bc\nc\tc.bc\n").succeed();
    let run = bench
        .weft("backend-job")
        .args(["import", "--plan", "plans/a.plan", "--module", "a.bc", "-o", "wrong.bc"])
        .args(["--staged", "imports/c.imports"]);
    run.expect(3).says(&["plans/a.plan: the plan imports from 'b'", "imports/c.imports lacks"]);
    assert!(!bench.file("wrong.bc").exists());
}
