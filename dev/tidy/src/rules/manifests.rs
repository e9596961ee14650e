//! Rules about the manifests of the workspace, read line by line: the few forms of TOML that they
//! use need no parser.

use crate::checkout::File;
use crate::violation::Violation;

const ROOT: &str = "Cargo.toml";

/// Finds everything against these rules in the whole workspace.
pub(crate) fn violations(files: &[File]) -> Vec<Violation> {
    let Some(root) = files.iter().find(|file| file.path == ROOT) else {
        return Vec::new();
    };
    let members = members(&root.text);
    let manifests = files.iter().filter(|file| is_manifest_of_member(file, &members));
    manifests.filter_map(lints).chain(dependencies(root)).collect()
}

/// Returns the entries of `members = [...]`.
fn members(manifest: &str) -> Vec<&str> {
    let list = manifest.split_once("members = [").and_then(|(_, rest)| rest.split_once(']'));
    let entries = list.map_or("", |(list, _)| list).split('"');
    entries.skip(1).step_by(2).collect()
}

fn is_manifest_of_member(file: &File, members: &[&str]) -> bool {
    let Some(folder) = file.path.strip_suffix("/Cargo.toml") else {
        return false;
    };
    members.iter().any(|member| match member.strip_suffix("/*") {
        None => *member == folder,
        Some(parent) => folder.rsplit_once('/').is_some_and(|(start, _)| start == parent),
    })
}

/// Finds out whether a member lacks the lints of the workspace.
fn lints(file: &File) -> Option<Violation> {
    let mut section = "";
    for line in file.text.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        }
        let words: String = line.split_whitespace().collect();
        if (section == "[lints]" && words == "workspace=true") || words == "lints.workspace=true" {
            return None;
        }
    }
    Some(Violation::new(file, 0, "does not inherit the lints of the workspace: `[lints]`"))
}

/// Finds dependencies from outside without a comment, above or beside, that says their purpose. A
/// name that extends the one before it shares its comment: `serde_json` that of `serde`. A
/// dependency with a path is a crate of the checkout.
fn dependencies(root: &File) -> Vec<Violation> {
    let mut found = Vec::new();
    let (mut in_section, mut depth) = (false, 0_i64);
    let (mut above, mut explained) = ("", "");
    for (index, line) in root.text.lines().enumerate() {
        let line = line.trim();
        let entry = entry_name(line).filter(|_| in_section && depth == 0);
        if depth == 0 && line.starts_with('[') {
            in_section = line.starts_with("[workspace.dependencies");
        } else {
            depth += balance(line);
        }
        if let Some(name) = entry {
            let extends = !explained.is_empty()
                && name.strip_prefix(explained).is_some_and(|rest| rest.starts_with(['-', '_']));
            if above.starts_with('#') || line.contains(" # ") {
                explained = name;
            } else if !extends && !line.contains("path = ") {
                let message = format!("no comment says what {name} is for");
                found.push(Violation::new(root, index + 1, message));
            }
        }
        above = line;
    }
    found
}

/// Returns the name of the dependency that a line starts: `name = ...`, `name.workspace = ...`.
fn entry_name(line: &str) -> Option<&str> {
    if line.starts_with(['#', '[']) {
        return None;
    }
    let (key, _) = line.split_once('=')?;
    key.trim().split('.').next()
}

/// Returns the number of brackets that a line opens, less those that it closes.
fn balance(line: &str) -> i64 {
    let code = line.split(" # ").next().unwrap_or_default();
    let change = |c| match c {
        '[' | '{' => 1,
        ']' | '}' => -1,
        _ => 0,
    };
    if code.starts_with('#') { 0 } else { code.chars().map(change).sum() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::lines;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn members_without_the_lints_of_the_workspace_are_found() {
        let root = "[workspace]\nmembers = [\n  \"a\", # one\n  \"crates/*\",\n]\n";
        let with = "[package]\nname = \"x\"\n\n[lints]\nworkspace = true\n";
        let without = "[package]\nname = \"x\"\n\n[dependencies.y]\nworkspace = true\n";
        let files = [
            file("Cargo.toml", root),
            file("a/Cargo.toml", without),
            file("crates/b/Cargo.toml", with),
            file("crates/c/Cargo.toml", without),
            file("crates/c/fixture/Cargo.toml", without),
            file("examples/d/Cargo.toml", without),
        ];
        let found: Vec<String> = violations(&files).into_iter().map(|found| found.path).collect();
        assert_eq!(found, ["a/Cargo.toml", "crates/c/Cargo.toml"]);
    }

    #[test]
    fn dependencies_without_a_comment_are_found() {
        let text = "[workspace.dependencies]\n# Why.\na = \"1\"\na_b = \"1\"\nb = \"1\"\n\
                    c = \"1\" # why\nd = { path = \"d\" }\n# Why.\ne = { version = \"1\", \
                    features = [\n\"x\",\n] }\nf = \"1\"\n\n[profile.dev]\ng = 1\n";
        assert_eq!(lines(dependencies, "Cargo.toml", text), [5, 12]);
    }
}
