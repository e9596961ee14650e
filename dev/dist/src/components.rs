//! The parts that are linked into the executables, with their licenses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use dev_checkout::executables::PACKAGES;
use dev_process::{Error, Process, Result, while_trying};
use serde_json::Value;

/// The platform of the executables.
pub(crate) const TARGET: &str = "x86_64-unknown-linux-gnu";

/// One part that others wrote.
#[derive(Clone, Debug)]
pub struct Component {
    /// Name in its registry, or the name of a Debian package.
    pub name: String,
    /// Version of the part.
    pub version: String,
    /// Expression of SPDX, if the part states one.
    pub license: Option<String>,
    /// Name in the form that tools for bills of materials share.
    pub package_url: String,
    /// Texts that have to go with the part: licenses, notices and the names of authors.
    pub texts: Vec<String>,
}

/// Starts of the names of files with licenses in the sources of a crate, in small letters.
const LICENSE_FILES: [&str; 5] = ["license", "copying", "copyright", "notice", "unlicense"];

/// Returns the crates that are linked into the executables, in the order of their names and
/// versions.
///
/// Cargo's tree names the crates of the three executables, without those that only run in a build.
/// Cargo's metadata, which covers the whole workspace, has their sources.
pub fn crates(root: &Path) -> Result<Vec<Component>> {
    let packages = PACKAGES.iter().flat_map(|package| ["--package", package]);
    let tree = Process::new("cargo")
        .args(["tree", "--quiet", "--locked", "--target", TARGET, "--prefix", "none"])
        .args(["--edges", "normal,no-proc-macro", "--format", "{p}"])
        .args(packages)
        .directory(root)
        .quietly()
        .capture()?;
    let linked: BTreeSet<(&str, &str)> = tree.lines().filter_map(name_and_version).collect();
    let metadata = Process::new("cargo")
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET])
        .directory(root)
        .quietly()
        .capture()?;
    let metadata: Value = serde_json::from_str(&metadata)
        .map_err(|error| Error::new(format!("cannot read cargo metadata: {error}")))?;
    let known: BTreeMap<(&str, &str), &Value> = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|package| {
            Some(((package["name"].as_str()?, package["version"].as_str()?), package))
        })
        .collect();
    let mut components = Vec::new();
    for (name, version) in linked {
        let package = known.get(&(name, version));
        let package =
            package.ok_or_else(|| Error::new(format!("cargo metadata lacks {name} {version}")))?;
        // A package without a source is a member of the workspace.
        if !package["source"].is_null() {
            components.push(component(name, version, package)?);
        }
    }
    Ok(components)
}

/// Reads a line of cargo's tree, such as `memchr v2.8.1` or `cli v0.1.0 (/folder)`.
fn name_and_version(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(' ');
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

fn component(name: &str, version: &str, package: &Value) -> Result<Component> {
    let license = package["license"].as_str().map(|text| text.replace('/', " OR "));
    let license = license.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap_or_default());
    let mut texts = license_files(manifest.parent().unwrap_or(Path::new("/")))?;
    if texts.is_empty() {
        let authors = package["authors"].as_array().into_iter().flatten();
        let authors: Vec<&str> = authors.filter_map(Value::as_str).collect();
        texts = license_texts(name, license.as_deref().unwrap_or_default(), &authors)?;
    }
    Ok(Component {
        package_url: format!("pkg:cargo/{name}@{}", version.replace('+', "%2B")),
        name: name.to_owned(),
        version: version.to_owned(),
        license,
        texts,
    })
}

/// Returns the texts of the files with licenses in a folder, in the order of their names.
fn license_files(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).map_err(while_trying("read", folder))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let is_license = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        path.is_file() && LICENSE_FILES.iter().any(|start| name.starts_with(start))
    };
    paths.iter().filter(|path| is_license(path)).map(|path| read_text(path)).collect()
}

/// Reads a text, whose encoding may be older than Unicode.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let bytes = fs::read(path).map_err(while_trying("read", path))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the standard text of each license in an expression, after the authors, for a crate that
/// holds no file with its license.
fn license_texts(name: &str, expression: &str, authors: &[&str]) -> Result<Vec<String>> {
    let missing = || Error::new(format!("{name} has neither a license file nor a known license"));
    let parsed = spdx::Expression::parse(expression).map_err(|_| missing())?;
    let names = parsed.requirements().filter_map(|part| part.req.license.id());
    let head = match authors {
        [] => format!("Copyright of the authors of {name}"),
        _ => format!("Copyright of {}", authors.join(", ")),
    };
    let texts: Vec<String> = names.map(|license| format!("{head}\n\n{}", license.text())).collect();
    if texts.is_empty() { Err(missing()) } else { Ok(texts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_cargos_tree_name_packages() {
        assert_eq!(name_and_version("memchr v2.8.1"), Some(("memchr", "2.8.1")));
        assert_eq!(name_and_version("cli v0.1.0 (/folder) (*)"), Some(("cli", "0.1.0")));
        assert_eq!(name_and_version(""), None);
    }

    #[test]
    fn a_crate_without_a_file_gets_the_texts_of_its_licenses() {
        let texts = license_texts("x", "MIT OR Apache-2.0", &["A"]).unwrap();
        assert_eq!(texts.len(), 2);
        assert!(texts[0].starts_with("Copyright of A\n\n") && texts[0].contains("AS IS"));
        assert!(license_texts("x", "", &[]).is_err());
    }
}
