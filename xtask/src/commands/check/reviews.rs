//! Compares the notes on dependencies in `docs/dependencies.md` with the crates of the executables.
//!
//! The page names each crate that reads foreign input or speaks over the network with the version
//! that was looked at, and all other crates by name. A crate that is new or has changed is a fault
//! until somebody has looked at it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dev_process::{Error, Process, Result, while_trying};

/// Path of the page in the checkout.
const PAGE: &str = "docs/dependencies.md";
/// Heading above the names of the crates that need no review.
const OTHERS: &str = "## All others";
/// The packages that users get.
const PRODUCT: [&str; 4] = ["summarize", "thinlink", "backend-job", "weft"];
/// Beginning of the names of the project's own libraries.
const OWN: &str = "weft-";

/// Crates with the versions of each.
type Versions = BTreeMap<String, BTreeSet<String>>;

/// Contents of the page.
#[derive(Debug, PartialEq, Eq)]
struct Reviews {
    reviewed: Versions,
    others: BTreeSet<String>,
}

/// Fails if the page lacks a crate of the executables, or has one that they do not have.
pub(super) fn check(root: &Path) -> Result<()> {
    let path = root.join(PAGE);
    let text = std::fs::read_to_string(&path).map_err(while_trying("read", &path))?;
    let packages = PRODUCT.iter().flat_map(|name| ["-p", name]);
    let tree = Process::new("cargo")
        .args(["tree", "--locked", "--edges", "normal", "--prefix", "none"])
        .args(["--target", "x86_64-unknown-linux-gnu", "--format", "{p}"])
        .args(packages)
        .directory(root)
        .capture()?;
    let faults = faults(&used(&tree), &Reviews::parse(&text));
    if faults.is_empty() { Ok(()) } else { Err(Error::new(faults.join("\n"))) }
}

/// Returns the crates of others in the output of `cargo tree`, whose lines begin with a name and a
/// version with a `v` in front.
fn used(tree: &str) -> Versions {
    let mut used = Versions::new();
    for line in tree.lines() {
        let mut words = line.split_whitespace();
        if let (Some(name), Some(version)) = (words.next(), words.next())
            && !name.starts_with(OWN)
            && !PRODUCT.contains(&name)
        {
            let version = version.trim_start_matches('v').to_owned();
            used.entry(name.to_owned()).or_default().insert(version);
        }
    }
    used
}

fn faults(used: &Versions, reviews: &Reviews) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, versions) in used {
        match reviews.reviewed.get(name) {
            Some(reviewed) if reviewed == versions => {}
            Some(reviewed) => faults.push(format!(
                "{PAGE} has a review of {name} {}, and the executables have {}: look at what \
                 changed",
                listed(reviewed),
                listed(versions)
            )),
            None if reviews.others.contains(name) => {}
            None => faults.push(format!(
                "{PAGE} says nothing about {name} {}: look at it, and add it to the table if it \
                 reads foreign input or speaks over the network, and otherwise to the list",
                listed(versions)
            )),
        }
    }
    let named = reviews.reviewed.keys().chain(&reviews.others);
    for name in named.filter(|name| !used.contains_key(*name)) {
        faults.push(format!("{PAGE} names {name}, which the executables do not have any more"));
    }
    let both = reviews.others.iter().filter(|name| reviews.reviewed.contains_key(*name));
    faults.extend(both.map(|name| format!("{PAGE} names {name} in the table and in the list")));
    faults
}

fn listed(versions: &BTreeSet<String>) -> String {
    versions.iter().map(String::as_str).collect::<Vec<_>>().join(" and ")
}

impl Reviews {
    fn parse(text: &str) -> Self {
        let (table, others) = text.split_once(OTHERS).unwrap_or((text, ""));
        let mut reviewed = Versions::new();
        for row in table.lines().filter(|line| line.starts_with('|')) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            // Lines of the heading name no version.
            if let [_, name, version, ..] = cells[..]
                && version.starts_with(|first: char| first.is_ascii_digit())
            {
                reviewed.entry(name.to_owned()).or_default().insert(version.to_owned());
            }
        }
        // The names follow the colon of the sentence that introduces them.
        let names = others.split_once(':').map_or("", |(_, names)| names);
        let others = names.split(|character: char| character == ',' || character.is_whitespace());
        let others = others.map(|name| name.trim_end_matches('.').to_owned());
        Self { reviewed, others: others.filter(|name| !name.is_empty()).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Page\n\n| crate | version | review |\n|---|---|---|\n\
        | object | 0.40.0 | good |\n| base64 | 0.22.1 | x |\n| base64 | 0.23.1 | y |\n\n\
        ## All others\n\nThey see nothing:\n\nanyhow, itoa,\nserde.\n";

    fn found(tree: &str) -> Vec<String> {
        faults(&used(tree), &Reviews::parse(TEXT))
    }

    #[test]
    fn a_page_that_names_all_crates_has_no_fault() {
        let tree = "summarize v0.1.0 (/x)\nobject v0.40.0\nbase64 v0.22.1\nbase64 v0.23.1\n\
            anyhow v1.0.1\nitoa v1.2.3\nserde v1.0.0 (*)\nweft-cli v0.1.0 (/y)\n";
        assert_eq!(found(tree), Vec::<String>::new());
    }

    #[test]
    fn new_changed_and_lost_crates_are_faults() {
        let tree = "object v0.41.0\nbase64 v0.22.1\nbase64 v0.23.1\nanyhow v2.0.0\nitoa v1.2.3\n\
            h2 v0.4.0\n";
        let found = found(tree);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].contains("says nothing about h2 0.4.0"), "{found:?}");
        assert!(found[1].contains("a review of object 0.40.0"), "{found:?}");
        assert!(found[1].contains("executables have 0.41.0"), "{found:?}");
        assert!(found[2].contains("names serde, which"), "{found:?}");
    }
}
