//! Writes `build.ninja`: variables, rules from a text, edges.

use std::fmt::Write as _;
use std::path::Path;

use crate::variant::Tools;
use dev_process::quote;

/// Rules that all builds share.
const HOST_RULES: &str = include_str!("rules/host.ninja");

/// The text of a `build.ninja`, to which statements are added.
pub(super) struct NinjaFile {
    /// Folder of the build, relative to the program's.
    folder: String,
    text: String,
}

/// One build statement.
#[derive(Default)]
pub(super) struct Edge<'names> {
    pub(super) rule: &'names str,
    pub(super) outputs: Vec<String>,
    pub(super) inputs: Vec<String>,
    /// Inputs that Ninja does not name to the command.
    pub(super) implicit: Vec<String>,
    /// Inputs that are made before, but whose change is no reason to run again.
    pub(super) order_only: Vec<String>,
    pub(super) variables: Vec<(&'names str, String)>,
}

impl NinjaFile {
    /// Starts a file with the rules and variables that all builds share.
    pub(super) fn new(folder: String, tools: &Tools) -> Self {
        let mut file = Self { text: "ninja_required_version = 1.10\n".to_owned(), folder };
        file.variable("builddir", &file.folder.clone());
        file.variable_path("cuda", &tools.toolchain.cuda_root);
        file.variable_path("host_cxx", &tools.toolchain.host_cxx);
        file.rules(HOST_RULES);
        file
    }

    /// Adds the statements of `write` and returns the whole text.
    pub(super) fn append(&mut self, write: impl FnOnce(&mut Self)) -> String {
        write(self);
        std::mem::take(&mut self.text)
    }

    /// Returns the folder of the build.
    pub(super) fn folder(&self) -> &str {
        &self.folder
    }

    /// Returns a path below the folder of the build.
    pub(super) fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }

    pub(super) fn variable(&mut self, name: &str, value: &str) {
        self.line(format_args!("{name} = {}", value.replace('$', "$$")));
    }

    /// Adds a variable with a path outside of the program, as one word of a command.
    pub(super) fn variable_path(&mut self, name: &str, path: &Path) {
        self.variable(name, &quote(path.as_os_str()));
    }

    pub(super) fn rules(&mut self, rules: &str) {
        self.line(format_args!("\n{rules}"));
    }

    pub(super) fn edge(&mut self, edge: &Edge<'_>) {
        let list = |mark: &str, paths: &[String]| match paths {
            [] => String::new(),
            paths => format!(" {mark}{}", escaped(paths)),
        };
        self.line(format_args!(
            "build {}: {}{}{}{}",
            escaped(&edge.outputs),
            edge.rule,
            list("", &edge.inputs),
            list("| ", &edge.implicit),
            list("|| ", &edge.order_only),
        ));
        for (name, value) in &edge.variables {
            self.line(format_args!("  {name} = {}", value.replace('$', "$$")));
        }
    }

    /// Adds a name for several files.
    pub(super) fn phony(&mut self, name: &str, inputs: Vec<String>) {
        let outputs = vec![name.to_owned()];
        self.edge(&Edge { rule: "phony", outputs, inputs, ..Edge::default() });
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{line}");
    }
}

fn escaped(paths: &[String]) -> String {
    let escape = |path: &String| path.replace('$', "$$").replace(' ', "$ ").replace(':', "$:");
    paths.iter().map(escape).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_written_with_all_its_inputs() {
        let mut file = NinjaFile { folder: "build/x".to_owned(), text: String::new() };
        let one = |name: &str| vec![name.to_owned()];
        let text = file.append(|file| {
            file.edge(&Edge {
                rule: "import",
                outputs: one("a b.bc"),
                inputs: one("a.bc"),
                implicit: one("plan"),
                order_only: one("all"),
                variables: vec![("unit", "a$".to_owned())],
            });
        });
        assert_eq!(text, "build a$ b.bc: import a.bc | plan || all\n  unit = a$$\n");
        assert_eq!(file.path("y"), "build/x/y");
    }
}
