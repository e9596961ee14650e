//! The link order of archives, and what does not depend on the order of arguments.

use std::fs;

use weft_artifact::Linkage::{External, LinkonceAny};
use weft_artifact::{Artifact as _, SummaryFile};

use crate::command_line::{text, thinlink};
use crate::support::{Module, TestResult, units};

/// A definition of `f`.
fn defining(id: &str, content: u32) -> Module {
    Module::new(id).function("f", LinkonceAny, &[]).content("f", content)
}

#[test]
fn members_come_where_their_archive_does_and_in_its_order() -> TestResult {
    let folder = tempfile::tempdir()?;
    let members = [defining("lib.a/z.o", 1), defining("lib.a/b.o", 2)];
    let members = units(&members)?.into_iter().map(|unit| unit.summary);
    let archive = SummaryFile { summaries: members.collect() };
    fs::write(folder.path().join("lib.summary"), archive.encode()?)?;
    let others = [
        Module::new("main.cu").launched("k", &["f"]).function("g", External, &[]),
        defining("late.cu", 3),
    ];
    for unit in units(&others)? {
        fs::write(folder.path().join(unit.path), SummaryFile::from(unit.summary).encode()?)?;
    }
    let summaries = ["lib.summary", "main.cu.summary", "late.cu.summary"];
    for (order, kept) in [
        ("main.cu\nlib.a\nlate.cu\n", "lib.a/z.o"),
        ("lib.a\n", "lib.a/z.o"),
        ("late.cu\nlib.a\n", "late.cu"),
        ("main.cu\n\nlib.a/b.o\nlib.a\n", "lib.a/b.o"),
    ] {
        fs::write(folder.path().join("order.txt"), order)?;
        let mut arguments = vec!["-o", "out", "--link-order", "order.txt"];
        arguments.extend(summaries);
        let output = thinlink(folder.path(), &arguments)?;
        assert!(output.status.success(), "{order:?}: {}", text(&output.stderr));
        let mut keepers = Vec::new();
        let mut plans = Vec::new();
        for module in ["lib.a/z.o", "lib.a/b.o", "late.cu"] {
            let path = format!("out/{module}.plan");
            let printed = thinlink(folder.path(), &["plan", "--print", &path])?;
            if text(&printed.stdout).lines().any(|line| line == "keep f") {
                keepers.push(module);
            }
            plans.push(fs::read(folder.path().join(path))?);
        }
        assert_eq!(keepers, [kept], "{order:?}");

        // The order of arguments is no link order.
        arguments.truncate(4);
        arguments.extend(summaries.iter().rev());
        assert!(thinlink(folder.path(), &arguments)?.status.success());
        for (module, plan) in ["lib.a/z.o", "lib.a/b.o", "late.cu"].iter().zip(plans) {
            assert!(fs::read(folder.path().join(format!("out/{module}.plan")))? == plan);
        }
    }
    Ok(())
}
