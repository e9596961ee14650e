//! The page of some units of ggml-cuda, which are real code with long names.

use dev_programs::ggml;
use weft_report::BuildReport;
use weft_tests::kept::ggml_objects;
use weft_tests::{Workbench, tools};

use crate::page::answers::assert_equal;
use crate::page::made::Made;
use crate::page::walk::walk;

/// Units that are compiled soon, some of which share functions.
const UNITS: [&str; 6] = ["clamp", "fill", "norm", "scale", "sumrows", "unary"];
/// Every so many symbols and candidates are asked about.
const STEP: usize = 5;

/// Compiles and links the units, and makes machine code of each, with reports.
fn build(bench: &Workbench) {
    let all = ggml::units();
    let path = |name: &str| -> String {
        let ending = format!("/{name}.cu");
        all.iter().find(|unit| unit.ends_with(&ending)).unwrap().clone()
    };
    for (name, object) in UNITS.iter().zip(ggml_objects(&UNITS.map(path))) {
        std::fs::copy(object, bench.file(&format!("{name}.o"))).unwrap();
        bench.summarize(name);
    }
    bench.thinlink(&UNITS, &["--report", "thinlink.json"]);
    let mut list = vec!["program\tthinlink.json".to_owned()];
    for name in UNITS {
        bench
            .weft("backend-job")
            .args(["run", "--plan", &format!("plans/{name}.plan"), "--emit=ptx,cubin"])
            .args(["--module", &format!("{name}.bc"), "--report", &format!("{name}.json")])
            .args(UNITS.map(|other| format!("--import={other}={other}.bc")))
            .args(["--ptxas", &tools().cuda("ptxas").to_string_lossy()])
            .args(["-o", &format!("{name}.cubin")])
            .succeed();
        list.extend(["json", "ptx"].map(|kind| format!("{name}\t{name}.{kind}")));
    }
    bench.write("reports.tsv", list.join("\n"));
}

#[test]
fn the_page_of_real_units_shows_what_the_report_says_and_answers_as_the_commands_do() {
    let bench = Workbench::new();
    build(&bench);
    let made = Made::of(BuildReport::default()).with_data(bench.path(), "ggml", ("", ""));
    walk(&made);
    assert_equal(&made, &bench.file("plans"), STEP);
}
