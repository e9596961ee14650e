//! Imports between the files of a crate go one way: no cycle of files, and no import from a lower
//! room to an upper one.
//!
//! A room is a top-level module of a library, or of a program without one. `dev/tidy/rooms.txt`
//! states the order of the rooms.

use std::collections::{BTreeMap, BTreeSet};

use crate::checkout::File;
use crate::imports::graph::{Graph, cycles, graph};
use crate::imports::tree::Tree;
use crate::violation::Violation;

/// File with the orders of the rooms.
const ORDERS: &str = "dev/tidy/rooms.txt";
/// Folders of a package with targets of one file each, or of a folder with a `main.rs`.
const TARGET_FOLDERS: &[&str] = &["benches", "examples", "fuzz_targets", "src/bin", "tests"];

/// Targets of which the first that a package has is the one with rooms.
const MAIN_TARGETS: &[&str] = &["/src/lib.rs", "/src/main.rs"];

/// Findings of all crates.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// One for each strongly connected component of more than one file.
    pub(crate) cycles: Vec<Violation>,
    /// One for each pair of files of which the lower imports the upper.
    pub(crate) upward: Vec<Violation>,
    /// Rooms without a place in the order, and places without a room.
    pub(crate) orders: Vec<Violation>,
}

/// Examines the imports of all packages of the checkout.
pub(crate) fn findings(files: &[File]) -> Findings {
    let by_path: BTreeMap<&str, &File> =
        files.iter().map(|file| (file.path.as_str(), file)).collect();
    let orders = by_path.get(ORDERS).map_or_else(BTreeMap::new, |file| orders(&file.text));
    let mut findings = Findings::default();
    for (package, manifest) in packages(files) {
        let targets = targets(package, files);
        let named = |end: &&str| {
            targets.iter().find(|root| root.strip_prefix(package) == Some(*end)).copied()
        };
        let main = MAIN_TARGETS.iter().find_map(named);
        for root in &targets {
            let tree = Tree::read(&by_path, root);
            let graph = graph(&tree);
            findings.cycles.extend(cycles(&graph).iter().map(|cycle| describe(cycle, &graph)));
            if Some(*root) == main {
                let order = orders.get(package).map(Vec::as_slice);
                findings.orders.extend(unordered(&tree, order, manifest));
                findings.upward.extend(upward(&tree, &graph, order.unwrap_or_default()));
            }
        }
    }
    findings
}

/// Lists the imports between files of the package in the folder `package`, for a person who
/// restructures it.
pub(crate) fn listing(files: &[File], package: &str) -> Vec<String> {
    let by_path = files.iter().map(|file| (file.path.as_str(), file)).collect();
    let mut lines = Vec::new();
    for root in targets(package, files) {
        let tree = Tree::read(&by_path, root);
        for ((from, to), edge) in graph(&tree) {
            lines.push(format!("{from}:{} -> {to} ({})", edge.line, edge.path));
        }
    }
    lines
}

/// Reads lines of the form `crate: upper > lower`, by the package's folder.
fn orders(text: &str) -> BTreeMap<&str, Vec<&str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, rooms)| (name.trim(), rooms.split('>').map(str::trim).collect()))
        .collect()
}

/// Folders of all packages, with their manifests.
fn packages(files: &[File]) -> impl Iterator<Item = (&str, &File)> {
    files.iter().filter_map(|file| {
        let folder = file.path.strip_suffix("/Cargo.toml")?;
        file.text.contains("[package]").then_some((folder, file))
    })
}

/// Root files of the targets of a package, where cargo looks for them.
fn targets<'files>(package: &str, files: &'files [File]) -> Vec<&'files str> {
    let is_target = |path: &str| {
        let Some(below) = path.strip_prefix(package).and_then(|path| path.strip_prefix('/')) else {
            return false;
        };
        let is_listed = |folder: &&str| {
            let name = below.strip_prefix(*folder).and_then(|name| name.strip_prefix('/'));
            let name = name.and_then(|name| name.strip_suffix(".rs"));
            let name = name.map(|name| name.strip_suffix("/main").unwrap_or(name));
            name.is_some_and(|name| !name.contains('/'))
        };
        ["build.rs", "src/lib.rs", "src/main.rs"].contains(&below)
            || TARGET_FOLDERS.iter().any(is_listed)
    };
    files.iter().map(|file| file.path.as_str()).filter(|path| is_target(path)).collect()
}

/// Describes a component by its files and all imports between them.
fn describe(cycle: &BTreeSet<&str>, graph: &Graph<'_>) -> Violation {
    let inside = |(from, to): &(&str, &str)| cycle.contains(from) && cycle.contains(to);
    let lines: Vec<String> = graph
        .iter()
        .filter(|(files, _)| inside(files))
        .map(|((from, to), edge)| format!("\n    {from}:{} -> {to} ({})", edge.line, edge.path))
        .collect();
    let path = cycle.first().map_or_else(String::new, |file| (*file).to_owned());
    let message = format!("{} files import each other in a circle:{}", cycle.len(), lines.concat());
    Violation { path, line: 0, message }
}

/// Finds rooms that the order lacks, and the other way round. A crate of one room needs no order.
fn unordered(tree: &Tree, order: Option<&[&str]>, manifest: &File) -> Vec<Violation> {
    let rooms: BTreeSet<&str> =
        (0..tree.modules.len()).filter_map(|module| tree.room(module)).collect();
    let Some(order) = order else {
        let message = format!("{} rooms have no order in {ORDERS}", rooms.len());
        return Vec::from_iter((rooms.len() > 1).then(|| Violation::new(manifest, 0, message)));
    };
    let missing = rooms.iter().filter(|room| !order.contains(room));
    let missing = missing.map(|room| format!("the room {room} has no place in {ORDERS}"));
    let stale = order.iter().filter(|room| !rooms.contains(*room));
    let stale = stale.map(|room| format!("{ORDERS} orders the room {room}, which does not exist"));
    missing.chain(stale).map(|message| Violation::new(manifest, 0, message)).collect()
}

/// Finds imports from a lower room to an upper one. The root is above all rooms.
fn upward(tree: &Tree, graph: &Graph<'_>, order: &[&str]) -> Vec<Violation> {
    let height = |module: usize| match tree.room(module) {
        None => Some(0),
        Some(room) => order.iter().position(|known| *known == room).map(|place| place + 1),
    };
    let name = |module: usize| tree.room(module).unwrap_or("the root").to_owned();
    let mut found = Vec::new();
    for ((from, to), edge) in graph {
        let (Some(lower), Some(upper)) = (height(edge.from), height(edge.to)) else { continue };
        if upper < lower {
            let rooms = format!("{} is above {}", name(edge.to), name(edge.from));
            let message = format!("imports {} of {to}, but {rooms}", edge.path);
            found.push(Violation { path: (*from).to_owned(), line: edge.line, message });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crate_with(rooms: &str, a: &str, b: &str) -> Findings {
        let file =
            |(path, text): (&str, &str)| File { path: path.to_owned(), text: text.to_owned() };
        let texts = [
            (ORDERS, rooms),
            ("crates/x/Cargo.toml", "[package]\nname = \"x\"\n"),
            ("crates/x/src/lib.rs", "mod a;\nmod b;\npub struct Root;\n"),
            ("crates/x/src/a.rs", a),
            ("crates/x/src/b.rs", b),
        ];
        findings(&texts.map(file))
    }

    fn lines(violations: &[Violation]) -> Vec<String> {
        violations.iter().map(|found| format!("{}:{}", found.path, found.line)).collect()
    }

    #[test]
    fn imports_of_an_upper_room_are_found() {
        let b = "\nuse crate::a::A;\nuse crate::Root;\npub struct B;\n";
        let found = crate_with("# Why.\ncrates/x: a > b\n", "pub struct A;\n", b);
        assert_eq!(lines(&found.upward), ["crates/x/src/b.rs:2", "crates/x/src/b.rs:3"]);
        assert!(found.cycles.is_empty() && found.orders.is_empty());
        let found = crate_with("crates/x: b > a\n", "pub struct A;\n", "use crate::a::A;\n");
        assert!(found.upward.is_empty());
    }

    #[test]
    fn cycles_of_files_are_found() {
        let found = crate_with(
            "crates/x: a > b\n",
            "use crate::b::B;\nstruct A;\n",
            "struct B(super::a::A);\n",
        );
        assert_eq!(lines(&found.cycles), ["crates/x/src/a.rs:0"]);
        assert_eq!(found.upward.len(), 1);
    }

    #[test]
    fn rooms_without_an_order_and_orders_without_a_room_are_found() {
        let message = |rooms| {
            let found = crate_with(rooms, "", "").orders;
            found.into_iter().map(|found| found.message).collect::<Vec<_>>()
        };
        assert_eq!(message(""), ["2 rooms have no order in dev/tidy/rooms.txt"]);
        let expected = [
            "the room b has no place in dev/tidy/rooms.txt",
            "dev/tidy/rooms.txt orders the room c, which does not exist",
        ];
        assert_eq!(message("crates/x: a > c\n"), expected);
        assert!(message("crates/x: b > a\n").is_empty());
    }

    #[test]
    fn a_program_without_a_library_has_rooms() {
        let texts = [("x/Cargo.toml", "[package]\n"), ("x/src/main.rs", "mod a;\nmod b;\n")];
        let texts = texts.into_iter().chain([("x/src/a.rs", ""), ("x/src/b.rs", "")]);
        let file =
            |(path, text): (&str, &str)| File { path: path.to_owned(), text: text.to_owned() };
        let mut files: Vec<File> = texts.map(file).collect();
        assert_eq!(lines(&findings(&files).orders), ["x/Cargo.toml:0"]);
        files.push(file(("x/src/lib.rs", "")));
        assert!(findings(&files).orders.is_empty());
    }

    #[test]
    fn targets_are_found_where_cargo_looks_for_them() {
        let paths = [
            "x/build.rs",
            "x/src/lib.rs",
            "x/src/a.rs",
            "x/tests/a.rs",
            "x/tests/b/main.rs",
            "x/tests/b/c.rs",
            "x/tests/d.txt",
            "xy/src/lib.rs",
        ];
        let files = paths.map(|path| File { path: path.to_owned(), text: String::new() });
        let expected = ["x/build.rs", "x/src/lib.rs", "x/tests/a.rs", "x/tests/b/main.rs"];
        assert_eq!(targets("x", &files), expected);
    }
}
