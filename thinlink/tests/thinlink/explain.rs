//! Questions about a link that was done, and plans that it leaves behind.

use std::fs;
use std::path::Path;

use weft_artifact::Linkage::{External, Internal, LinkonceOdr};

use crate::command_line::{folder, text, thinlink, weft};
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
fn a_link_that_is_not_there_or_damaged_answers_nothing() -> TestResult {
    let folder = folder(&program())?;
    let folder = folder.path();
    answer(folder, &LINK)?;
    let nowhere = weft(folder, &["why-live", "-onowhere", "k"])?;
    assert_eq!(nowhere.status.code(), Some(4));
    fs::write(folder.join("out/decisions.weft"), "hello")?;
    let damaged = weft(folder, &["why-live", "-oout", "k"])?;
    assert_eq!(damaged.status.code(), Some(3));
    assert!(text(&damaged.stderr).contains("not a Weft record of decisions"));
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
