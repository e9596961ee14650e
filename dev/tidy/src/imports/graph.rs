//! The imports between the files of a target, and the cycles among them.

use std::collections::{BTreeMap, BTreeSet};

use super::resolution::Target;
use super::tree::Tree;

/// An import of one file by another: the first of each pair of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// Index of the module that imports.
    pub(crate) from: usize,
    /// Index of the module that defines the imported item.
    pub(crate) to: usize,
    pub(crate) line: usize,
    /// Path as it is written.
    pub(crate) path: String,
}

/// Imports by the file that imports and the file that is imported.
pub(crate) type Graph<'tree> = BTreeMap<(&'tree str, &'tree str), Edge>;

/// Finds all imports between files.
pub(crate) fn graph(tree: &Tree) -> Graph<'_> {
    let mut graph = Graph::new();
    for (from, module) in tree.modules.iter().enumerate() {
        let imports = module.imports.iter().map(|import| (&import.path, import.name == "*"));
        let paths = module.paths.iter().map(|path| (path, false));
        for (path, is_glob) in imports.chain(paths) {
            let to = match tree.resolve(from, &path.segments) {
                Some(Target::ItemOf(to)) => to,
                Some(Target::Module(to)) if is_glob => to,
                // A module is imported by the paths that go through its name.
                Some(Target::Module(_)) | None => continue,
            };
            let files = (module.file.as_str(), tree.modules[to].file.as_str());
            if files.0 != files.1 {
                let text = path.segments.join("::");
                graph.entry(files).or_insert(Edge { from, to, line: path.line, path: text });
            }
        }
    }
    graph
}

/// Finds the strongly connected components of more than one file.
pub(crate) fn cycles<'tree>(graph: &Graph<'tree>) -> Vec<BTreeSet<&'tree str>> {
    let mut imported: BTreeMap<&str, Vec<&'tree str>> = BTreeMap::new();
    for (from, to) in graph.keys() {
        imported.entry(from).or_default().push(to);
    }
    let reached = |start: &'tree str| {
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        while let Some(file) = open.pop() {
            for next in imported.get(file).into_iter().flatten() {
                if seen.insert(*next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let starts: BTreeSet<&'tree str> = graph.keys().map(|(from, _)| *from).collect();
    let reach: BTreeMap<&'tree str, BTreeSet<&'tree str>> =
        starts.into_iter().map(|file| (file, reached(file))).collect();
    let component = |(file, reached): (&&'tree str, &BTreeSet<&'tree str>)| {
        let is_mutual = |other: &&&str| reach.get(**other).is_some_and(|back| back.contains(file));
        let members: BTreeSet<&'tree str> = reached.iter().filter(is_mutual).copied().collect();
        // Each component is found from all of its members, and kept from the first.
        (members.first() == Some(file)).then_some(members)
    };
    reach.iter().filter_map(component).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkout::File;

    /// Lists the imports of the files, and then the files of each cycle.
    fn imports(texts: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| File {
            path: format!("src/{path}.rs"),
            text: (*text).to_owned(),
        };
        let files: Vec<File> = texts.iter().map(file).collect();
        let by_path = files.iter().map(|file| (file.path.as_str(), file)).collect();
        let tree = Tree::read(&by_path, "src/lib.rs");
        let graph = graph(&tree);
        let short = |path: &str| path.replace("src/", "").replace(".rs", "");
        let edges = graph
            .iter()
            .map(|((from, to), edge)| format!("{}:{} {}", short(from), edge.line, short(to)));
        let cycles = cycles(&graph);
        let cycles = cycles.iter().map(|cycle| {
            let names: Vec<String> = cycle.iter().map(|file| short(file)).collect();
            format!("cycle {}", names.join(" "))
        });
        edges.chain(cycles).collect()
    }

    #[test]
    fn two_files_that_import_each_other_are_a_cycle() {
        let found = imports(&[
            ("lib", "mod a;\nmod b;\n"),
            ("a", "use crate::b::B;\npub struct A;\n"),
            ("b", "pub struct B(super::a::A);\n"),
        ]);
        assert_eq!(found, ["a:1 b", "b:1 a", "cycle a b"]);
    }

    #[test]
    fn a_parent_that_re_exports_is_not_imported_for_its_childrens_items() {
        let found = imports(&[
            ("lib", "mod a;\n"),
            ("a/mod", "mod b;\nmod c;\npub(crate) use b::B;\n"),
            ("a/b", "pub(crate) struct B;\n"),
            ("a/c", "use super::B;\nuse crate::a as renamed;\nfn c(b: renamed::B) {}\n"),
        ]);
        assert_eq!(found, ["a/c:1 a/b", "a/mod:3 a/b"]);
    }

    #[test]
    fn an_item_of_the_parent_that_a_re_exported_child_uses_makes_a_cycle() {
        let found = imports(&[
            ("lib", "mod b;\npub use b::B;\npub type Result = u8;\n"),
            ("b", "pub struct B;\nfn b() -> crate::Result { 1 }\n"),
        ]);
        assert_eq!(found, ["b:2 lib", "lib:2 b", "cycle b lib"]);
        let declared_only = imports(&[
            ("lib", "mod b;\npub type Result = u8;\n"),
            ("b", "fn b() -> crate::Result { 1 }\n"),
        ]);
        assert_eq!(declared_only, ["b:1 lib"]);
    }

    #[test]
    fn modules_and_functions_of_one_name_globs_and_tests_are_told_apart() {
        let found = imports(&[
            ("lib", "mod a;\nmod link;\nmod c;\n"),
            ("a", "use crate::link;\nuse crate::link::link;\nfn a() { link::other(); link() }\n"),
            ("link", "pub fn link() {}\npub fn other() {}\n#[cfg(test)] mod t { use crate::a; }\n"),
            ("c", "use super::a::*;\nuse anyhow::anyhow;\nfn c() { link(); anyhow::x() }\n"),
        ]);
        assert_eq!(found, ["a:2 link", "c:1 a"]);
    }

    #[test]
    fn variants_and_associated_functions_belong_to_the_file_of_their_type() {
        let found = imports(&[
            ("lib", "mod a;\nmod b;\n"),
            ("a", "use crate::b;\nfn a() { b::B::One; Self::x(); Vec::new() }\n"),
            ("b", "pub enum B { One }\n"),
        ]);
        assert_eq!(found, ["a:2 b"]);
    }
}
