//! Statements that all builds share: compiling units and linking the executable.

use crate::ninja_file::{Edge, NinjaFile};

/// Compiles each unit to an object and returns the objects.
pub(super) fn compile(file: &mut NinjaFile, rule: &str, units: &[String]) -> Vec<String> {
    let mut objects = Vec::new();
    for unit in units {
        let object = file.path(&format!("{unit}.o"));
        file.edge(&Edge {
            rule,
            outputs: vec![object.clone()],
            inputs: vec![unit.clone()],
            variables: vec![("unit", unit.clone())],
            ..Edge::default()
        });
        objects.push(object);
    }
    objects
}

/// Links the executable by a rule from the units' objects and the object with the device image, and
/// names the targets.
pub(super) fn link(file: &mut NinjaFile, rule: &str, objects: Vec<String>, device: String) {
    let executable = file.path("program");
    file.edge(&Edge {
        rule,
        outputs: vec![executable.clone()],
        inputs: [objects.as_slice(), std::slice::from_ref(&device)].concat(),
        ..Edge::default()
    });
    file.phony("objects", objects);
    file.phony("image", vec![device]);
    file.phony("program", vec![executable]);
}
