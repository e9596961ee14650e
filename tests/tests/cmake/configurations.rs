//! Several configurations in one build folder, by Ninja Multi-Config.

use std::collections::BTreeMap;
use std::fs;

use weft_tests::Run;

use crate::project::{Project, from_checkout, steps, units};

/// Builds one configuration and returns the steps that ran.
fn build(project: &Project, configuration: &str) -> BTreeMap<String, Vec<String>> {
    let build = Run::new("cmake", project.build_folder()).args(["--build", ".", "-j2"]);
    steps(&build.args(["--config", configuration]).succeed().stdout)
}

/// Builds both in one folder, and again after an edit. `release` is the image of a folder with that
/// configuration alone.
pub(crate) fn debug_and_release_of_one_build_folder_have_images_of_their_own(release: &[u8]) {
    let project = Project::copy("tests/cmake/libraries");
    project.cmake("Ninja Multi-Config").args(from_checkout()).succeed();
    let image = |configuration: &str| {
        let path = project.output(&format!("program.weft/{configuration}/sm_90/image.cubin"));
        fs::read(path).expect("an image")
    };
    for configuration in ["Release", "Debug"] {
        let first = build(&project, configuration);
        assert_eq!(units(&first, "codegen").len(), 5, "{configuration}: {first:?}");
        project.run(&format!("{configuration}/program"));
        let nothing = build(&project, configuration);
        assert_eq!(nothing, BTreeMap::new(), "{configuration}: nothing changed");
        let report = fs::read_to_string(project.output(&format!("{configuration}/report.txt")));
        assert!(report.expect("a report").contains("physics/step.cu"), "{configuration}");
    }
    assert!(image("Debug") != image("Release"), "Debug has the options of Release");
    assert!(image("Release") == release, "Release differs from a folder of its own");

    // An edit reaches both, each when it is built.
    project.edit("noise/noise.cu", "12345", "12347");
    for configuration in ["Debug", "Release"] {
        let before = image(configuration);
        let steps = build(&project, configuration);
        assert_eq!(units(&steps, "summarize"), ["noise/noise.cu"], "{configuration}: {steps:?}");
        assert!(before != image(configuration), "{configuration} has the old code");
    }
}
