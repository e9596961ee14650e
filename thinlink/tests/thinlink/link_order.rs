//! The link order of archives, and what does not depend on the order of arguments.

use std::error::Error;
use std::fs;
use std::path::Path;

use thinlink::outputs;
use weft_artifact::Linkage::{External, Internal, LinkonceAny};
use weft_artifact::{Artifact as _, SummaryFile};

use crate::command_line::{text, thinlink, weft};
use crate::links::complete;
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
            let printed = weft(folder.path(), &["plan", "--print", &path])?;
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

/// A file's units are read in its order, and their code is joined in the order of module ids.
#[test]
fn the_order_of_the_units_in_a_file_does_not_matter() -> TestResult {
    let members = [
        Module::new("a.o")
            .launched("k", &["f"])
            .function("own", Internal, &["g"])
            .alias("other", External, "k"),
        Module::new("b.o").function("f", External, &["g", "local"]).function(
            "local",
            Internal,
            &[],
        ),
        Module::new("c.o").function("g", External, &["h"]).used("g").declaration("h"),
    ];
    let summaries: Vec<_> = units(&members)?.into_iter().map(|unit| unit.summary).collect();
    let link = |order: [usize; 3]| -> Result<_, Box<dyn Error>> {
        let summaries = order.into_iter().map(|member| summaries[member].clone()).collect();
        let file = SummaryFile { summaries }.encode()?;
        let (units, code) = thinlink::pack_file(Path::new("lib.summary"), &file)?;
        assert_eq!(units.len(), 3);
        let decided = thinlink::link(&units, code, &complete())?;
        Ok((outputs::in_memory(&decided)?.0, decided.warnings))
    };
    let (files, warnings) = link([0, 1, 2])?;
    let by = "'g' of lib.summary(c.o) refers to it, and no input defines it";
    assert_eq!(warnings, [format!("undefined symbol 'h': {by}")]);
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert!(link(order)? == (files.clone(), warnings.clone()), "{order:?}");
    }
    Ok(())
}
