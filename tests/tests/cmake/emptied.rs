//! A build whose folders of steps somebody emptied makes their files again.

use std::collections::BTreeMap;
use std::fs;

use crate::project::{Project, from_checkout, units};

#[test]
fn emptied_folders_of_steps_are_filled_again() {
    for generator in ["Ninja", "Unix Makefiles"] {
        let project = Project::copy("tests/cmake/programs");
        project.cmake(generator).args(from_checkout()).succeed();
        project.build();
        let image = fs::read(project.image("one")).expect("an image");
        // Three programs, which share the summaries of a library.
        for name in ["one", "two", "three", "grid"] {
            let folder = project.output(&format!("{name}.weft"));
            fs::remove_dir_all(&folder).expect("a folder is removed");
            fs::create_dir(&folder).expect("a folder");
        }
        let steps = project.build();
        assert_eq!(units(&steps, "thinlink"), ["one", "three", "two"], "{generator}: {steps:?}");
        assert!(image == fs::read(project.image("one")).expect("an image"), "{generator}");
        project.run("one");
        assert_eq!(project.build(), BTreeMap::new(), "{generator}: nothing changed");
    }
}
