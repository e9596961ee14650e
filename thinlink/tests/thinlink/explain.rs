//! Questions about a link that was done, and plans that it leaves behind.

use std::fs;
use std::path::Path;

use weft_artifact::Linkage::{External, Internal, LinkonceOdr};

use crate::command_line::{folder, text, thinlink};
use crate::support::{Module, TestResult};

fn program() -> [Module; 3] {
    [
        Module::new("a.cu").launched("k", &["f", "copied"]).kernel("dead", &["helper"]).function(
            "copied",
            LinkonceOdr,
            &[],
        ),
        Module::new("b.cu")
            .function("f", External, &["local"])
            .function("local", Internal, &[])
            .function("helper", External, &["deeper"])
            .function("copied", LinkonceOdr, &[]),
        Module::new("c.cu").function("deeper", External, &["deeper"]),
    ]
}

const LINK: [&str; 6] =
    ["-o", "out", "--has-global-host-info", "a.cu.summary", "b.cu.summary", "c.cu.summary"];

/// The answer of a successful question.
fn answer(folder: &Path, question: &[&str]) -> Result<String, Box<dyn std::error::Error>> {
    let output = thinlink(folder, question)?;
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    if output.status.success() && stderr.is_empty() {
        Ok(stdout.into_owned())
    } else {
        Err(format!("thinlink {question:?}: {stderr}").into())
    }
}

#[test]
fn the_way_to_a_root_is_shown_and_what_goes_with_a_dead_symbol() -> TestResult {
    let folder = folder(&program())?;
    let folder = folder.path();
    answer(folder, &LINK)?;
    let cases = [
        (
            ["why-live", "local"],
            "local of b.cu stays:\n  referred to by f of b.cu\n  referred to by k of a.cu\n  \
             host code refers to it, or may, as the host symbol is local\n",
        ),
        (
            ["why-dead", "deeper"],
            "deeper of c.cu goes:\n  referred to by nothing that stays, but by helper of b.cu\n  \
             referred to by nothing that stays, but by dead of a.cu\n  nothing refers to it\n",
        ),
        (["why-live", "de?d"], "dead of a.cu goes: ask why-dead\n"),
        (["why-dead", "[k]"], "k of a.cu stays: ask why-live\n"),
        (
            ["why-live", "copied"],
            "copied of a.cu stays:\n  referred to by k of a.cu\n  host code refers to it, or may, as \
             the host symbol is local\ncopied of b.cu stays:\n  a copy; the program's is copied of \
             a.cu\n  referred to by k of a.cu\n  host code refers to it, or may, as the host symbol \
             is local\n",
        ),
    ];
    for ([question, symbol], expected) in cases {
        assert_eq!(answer(folder, &[question, "-o", "out", symbol])?, expected, "{symbol}");
    }
    let unknown = thinlink(folder, &["why-live", "-oout", "nobody"])?;
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("no module defines 'nobody'"));
    let nowhere = thinlink(folder, &["why-live", "-onowhere", "k"])?;
    assert_eq!(nowhere.status.code(), Some(4));
    fs::write(folder.join("out/decisions.weft"), "hello")?;
    let damaged = thinlink(folder, &["why-live", "-oout", "k"])?;
    assert_eq!(damaged.status.code(), Some(3));
    assert!(text(&damaged.stderr).contains("not a Weft record of decisions"));
    Ok(())
}

#[test]
fn imports_are_shown_with_what_they_cost() -> TestResult {
    let folder = folder(&program())?;
    let folder = folder.path();
    answer(folder, &LINK)?;
    let why = |question, module, symbol| answer(folder, &[question, "-o", "out", module, symbol]);
    let imported = why("why-imported", "a.cu", "f")?;
    // Ten instructions of its own and a call of one; the limit, and what the call of it takes.
    let lines = [
        "a.cu imports f from b.cu",
        "  cost: 12 instructions",
        "  threshold: 508 instructions",
        "  class: default",
        "  level: 1",
        "  pass: direct",
        "  caller: k of a.cu",
    ];
    assert_eq!(imported.lines().collect::<Vec<_>>(), lines);
    let refused = why("why-not-imported", "a.cu", "deeper")?;
    assert!(refused.starts_with("a.cu does not import deeper"), "{refused}");
    assert!(why("why-not-imported", "a.cu", "f")?.starts_with("But a.cu imports f"));
    assert!(why("why-imported", "b.cu", "k")?.starts_with("But b.cu does not import k"));
    let unknown = thinlink(folder, &["why-imported", "-oout", "z.cu", "f"])?;
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("there is no module 'z.cu'"));
    Ok(())
}

#[test]
fn plans_are_printed_and_compared() -> TestResult {
    let folder = folder(&program())?;
    let folder = folder.path();
    answer(folder, &LINK)?;
    let print = answer(folder, &["plan", "--print", "out/a.cu.plan"])?;
    let expected = [
        "module a.cu",
        "architecture sm_90",
        "internalize copied",
        "remove dead",
        "import f from b.cu",
    ];
    assert_eq!(print.lines().take(5).collect::<Vec<_>>(), expected, "{print}");
    fs::copy(folder.join("out/a.cu.plan"), folder.join("old.plan"))?;
    let again = [&LINK[..], &["--keep=dead", "--maxrregcount=64", "-O2"]].concat();
    answer(folder, &again)?;
    let difference = answer(folder, &["plan", "--diff", "old.plan", "out/a.cu.plan"])?;
    let lines: Vec<_> = difference.lines().collect();
    assert_eq!(lines[0], "- remove dead");
    assert!(lines.contains(&"+ option maxrregcount=64") && lines.contains(&"+ option opt-level=2"));
    assert!(lines.contains(&"+ import helper from b.cu"), "{difference}");
    let same = answer(folder, &["plan", "--diff", "old.plan", "old.plan"])?;
    assert!(same.is_empty(), "{same}");
    let neither = thinlink(folder, &["plan"])?;
    assert_eq!(neither.status.code(), Some(2));
    Ok(())
}

#[test]
fn plans_of_vanished_modules_go_and_other_files_stay() -> TestResult {
    let folder = folder(&program())?;
    let folder = folder.path();
    answer(folder, &LINK)?;
    fs::write(folder.join("out/notes.plan"), "mine")?;
    fs::write(folder.join("outside.plan"), "mine")?;
    let manifest = folder.join("out/manifest.json");
    let forged = fs::read_to_string(&manifest)?.replace("\"b.cu", "\"../outside");
    answer(folder, &LINK[..5])?;
    assert!(!folder.join("out/c.cu.plan").exists());
    assert!(folder.join("out/b.cu.plan").exists() && folder.join("out/notes.plan").exists());
    fs::write(&manifest, forged)?;
    // Without b.cu there are undefined symbols to be warned of.
    assert!(thinlink(folder, &LINK[..4])?.status.success());
    assert!(folder.join("outside.plan").exists(), "no manifest leads outside");
    fs::write(&manifest, "no manifest")?;
    answer(folder, &LINK)?;
    assert!(folder.join("out/c.cu.plan").exists());
    Ok(())
}

#[test]
fn wrong_values_of_options_are_usage_errors() -> TestResult {
    let folder = folder(&program())?;
    for options in [
        &["--ftz=maybe"][..],
        &["--force-partial", "--force-whole"],
        &["-O4"],
        &["--maxrregcount=-1"],
        &["--compute-dead=perhaps"],
    ] {
        let output = thinlink(folder.path(), &[&LINK[..], options].concat())?;
        assert_eq!(output.status.code(), Some(2), "{options:?}");
    }
    assert!(!folder.path().join("out").exists());
    Ok(())
}
