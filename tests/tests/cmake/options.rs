//! The options of the steps: each reaches its steps, and what units were compiled with is compared.

use std::fs;

use weft_tests::{Run, options, workspace_root};

use crate::project::{Project, from_checkout};

/// Configures the project with options of its program.
fn configured(project: &Project, options: &[String]) -> Run {
    project
        .cmake("Ninja")
        .args(from_checkout())
        .arg(format!("-DPROGRAM_OPTIONS={}", options.join(";")))
}

#[test]
fn every_option_of_the_list_reaches_its_steps() {
    let list = workspace_root().join("cmake/private/_weft_known_options.cmake");
    let known = options::of_cmake(&fs::read_to_string(list).expect("the list"));
    let project = Project::copy("tests/options");
    let words: Vec<String> = known.iter().map(|option| option.word("CMakeLists.txt")).collect();
    configured(&project, &words).succeed();
    let ninja = fs::read_to_string(project.output("build.ninja")).expect("the build file");
    let commands: Vec<&str> = ninja.lines().filter(|line| line.contains("COMMAND = ")).collect();
    options::check(&known, |step| {
        let program = match step {
            "unit" | "summarize" => "summarize --".to_owned(),
            "thinlink" => "thinlink --".to_owned(),
            job => format!("backend-job {job} "),
        };
        let is_it = |line: &&&str| line.contains(&program) && line.contains("program.cu");
        let of_program = |line: &&&str| line.contains(&program) && line.contains("program.weft");
        let found = commands.iter().find(is_it).or_else(|| commands.iter().find(of_program));
        found.unwrap_or_else(|| panic!("no command of {step}")).split_whitespace().collect()
    });
}

/// Returns the command of the build file that starts `program`.
fn command_of(project: &Project, program: &str) -> String {
    let ninja = fs::read_to_string(project.output("build.ninja")).expect("the build file");
    let path = format!("/{program} -");
    let line = ninja.lines().find(|line| line.contains("COMMAND = ") && line.contains(&path));
    line.unwrap_or_else(|| panic!("no command of {program}")).to_owned()
}

#[test]
fn options_reach_nvidias_programs_and_images_are_compressed() {
    let project = Project::copy("tests/options");
    configured(&project, &[]).succeed();
    assert!(command_of(&project, "fatbinary").contains(" --compress-all "));
    let given = ["-Xnvlink=--verbose", "-Xfatbinary=--compress-mode=size"].map(str::to_owned);
    configured(&project, &given).succeed();
    assert!(command_of(&project, "nvlink").contains(" --verbose "));
    let fatbinary = command_of(&project, "fatbinary");
    assert!(fatbinary.contains(" --compress-mode=size ") && !fatbinary.contains("-all"));
}

#[test]
fn the_link_compares_what_units_were_compiled_with() {
    let project = Project::copy("tests/options");
    configured(&project, &[]).succeed();
    let build = || Run::new("cmake", project.build_folder()).args(["--build", "."]);
    let says = ["maxrregcount", "narrow.cu.summary", "wide.cu.summary"];
    let outcome = build().outcome();
    let text = format!("{}{}", outcome.stdout, outcome.stderr);
    assert!(outcome.code != Some(0), "units that differ were linked: {text}");
    assert!(says.iter().all(|part| text.contains(part)), "{text}");

    // An option of the program itself resolves the conflict, for all jobs.
    configured(&project, &["--maxrregcount=40".to_owned()]).succeed();
    project.build();
    let ptx = fs::read_to_string(project.output("program.weft/sm_90/program.cu.ptx"));
    let ptx = ptx.expect("PTX");
    assert!(ptx.contains("maxrregcount=40"), "{ptx}");

    // One unit with the option and others without it is a warning.
    project.edit("CMakeLists.txt", "TARGET wide OPTIONS --maxrregcount=64", "TARGET wide");
    configured(&project, &[]).succeed();
    let outcome = build().succeed();
    let text = format!("{}{}", outcome.stdout, outcome.stderr);
    assert!(text.contains("warning: ") && text.contains("maxrregcount"), "{text}");
}
