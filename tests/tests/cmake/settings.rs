//! The settings file of a project.

use std::fs;

use tempfile::TempDir;
use weft_tests::{Run, tools};

use crate::project::{Project, from_checkout};

#[test]
fn the_settings_file_of_the_project_gives_two_checkouts_one_cache() {
    let shared = TempDir::with_prefix("weft-shared-").expect("a folder");
    let settings = format!("[cache]\ndir = {:?}\n", shared.path());
    let row = |phase: &str| -> (u64, u64) {
        let stats = Run::new(tools().weft("weft"), shared.path()).args(["cache", "stats"]);
        let stats = stats.arg("--cache-dir").arg(shared.path()).succeed().stdout;
        let row = stats.lines().find(|line| line.starts_with(phase)).expect("a row");
        let mut numbers = row.split_whitespace().skip(1).map_while(|word| word.parse().ok());
        (numbers.next().expect("hits"), numbers.next().expect("misses"))
    };
    let mut rows = Vec::new();
    let images = [0, 1].map(|_| {
        let project = Project::copy("tests/arithmetic");
        fs::write(project.source().join("weft.toml"), &settings).expect("a settings file");
        project.cmake("Ninja").args(from_checkout()).succeed();
        let build = Run::new("cmake", project.build_folder()).args(["--build", ".", "-j2"]);
        // This is the default for users, while the other tests turn the cache off.
        build.variable("WEFT_CACHE", "").variable("WEFT_CACHE_DIR", "").succeed();
        rows.push((row("codegen"), row("assemble")));
        fs::read(project.image("program")).expect("an image")
    });
    assert!(images[0] == images[1], "two checkouts gave different images");
    // Both of the project's units have code, so each has its own results.
    let of_two_units = [((0, 2), (0, 2)), ((2, 2), (2, 2))];
    assert_eq!(rows, of_two_units, "the second checkout has to make nothing");
}
