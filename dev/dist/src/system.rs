//! The parts of the executables that come from the system: LLVM, C and C++ libraries, and Rust's.

use std::fs;
use std::path::{Path, PathBuf};

use crate::components::{Component, read_text};
use dev_process::{Error, Process, Result};
use dev_toolchain::Toolchain;

/// Static libraries and start code that g++ finds, which the linker takes code from.
const ARCHIVES: [&str; 5] =
    ["libstdc++.a", "libz.a", "libzstd.a", "crtbegin.o", "libc_nonshared.a"];
/// Folder with the licenses that Debian's packages name and do not repeat.
const COMMON_LICENSES: &str = "/usr/share/common-licenses/";

/// Returns the parts of the system, each with the license of its Debian package, and at last Rust's
/// library.
pub(crate) fn components(toolchain: &Toolchain) -> Result<Vec<Component>> {
    let mut files = vec![toolchain.llvm_prefix.join("lib/libLLVMCore.a")];
    for archive in ARCHIVES {
        let path = Process::new(&toolchain.host_cxx)
            .arg(format!("-print-file-name={archive}"))
            .quietly()
            .capture()?;
        files.push(PathBuf::from(path.trim()));
    }
    let mut components = Vec::new();
    for file in files {
        components.push(debian(&file)?);
    }
    components.push(rust()?);
    Ok(components)
}

/// Returns the Debian package that a file is from.
fn debian(file: &Path) -> Result<Component> {
    let no_license =
        |why: &str| Error::new(format!("the license of {} is not known: {why}", file.display()));
    let real = fs::canonicalize(file).map_err(|error| no_license(&error.to_string()))?;
    let owner = Process::new("dpkg-query").arg("--search").arg(&real).quietly().outcome()?;
    let package = owner.stdout.split(':').next().filter(|_| owner.success);
    let package = package.ok_or_else(|| no_license("it is from no package of Debian"))?;
    let version = Process::new("dpkg-query")
        .args(["--show", "--showformat=${Version} ${Architecture}", package])
        .quietly()
        .capture()?;
    let (version, processor) = version
        .lines()
        .next()
        .and_then(|line| line.split_once(' '))
        .ok_or_else(|| no_license("dpkg does not know its version"))?;
    let copyright = read_text(&Path::new("/usr/share/doc").join(package).join("copyright"))?;
    let mut texts = Vec::new();
    for name in common_licenses(&copyright) {
        texts.push(read_text(&Path::new(COMMON_LICENSES).join(name))?);
    }
    texts.insert(0, copyright);
    Ok(Component {
        name: package.to_owned(),
        version: version.to_owned(),
        license: None,
        package_url: format!(
            "pkg:deb/debian/{}@{}?arch={processor}",
            package.replace('+', "%2B"),
            version.replace('+', "%2B").replace(':', "%3A").replace('~', "%7E")
        ),
        texts,
    })
}

/// Returns the names of the licenses that the text refers to, in the order of their names.
fn common_licenses(text: &str) -> Vec<&str> {
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || "-.".contains(c));
    let names = text.split(COMMON_LICENSES).skip(1);
    let names = names.filter_map(|rest| rest.split(is_end).next());
    let mut names: Vec<&str> = names.map(|name| name.trim_end_matches('.')).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| !name.is_empty());
    names
}

/// Returns Rust's standard library, whose license comes with the compiler.
fn rust() -> Result<Component> {
    let version = rustc(&["--version"])?;
    let version = version.split(' ').nth(1).unwrap_or_default().to_owned();
    let folder = PathBuf::from(rustc(&["--print", "sysroot"])?).join("share/doc/rust");
    let page = read_text(&folder.join("COPYRIGHT-library.html"))?;
    Ok(Component {
        name: "rust-std".to_owned(),
        license: Some("MIT OR Apache-2.0".to_owned()),
        package_url: format!("pkg:generic/rust-std@{version}"),
        version,
        texts: vec![page],
    })
}

/// Returns the output of rustc, without the end of the line.
pub(crate) fn rustc(arguments: &[&str]) -> Result<String> {
    let answer = Process::new("rustc").args(arguments.iter().copied()).quietly().capture()?;
    Ok(answer.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licenses_that_a_package_refers_to_are_found_once() {
        let names = ["GPL-2.", "Apache-2.0'", "GPL-2 ", "."];
        let text = names.map(|name| format!("in {COMMON_LICENSES}{name}\n")).concat();
        assert_eq!(common_licenses(&text), ["Apache-2.0", "GPL-2"]);
    }

    #[test]
    fn a_file_of_no_package_has_no_license() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = debian(file.path()).unwrap_err();
        assert!(error.message().contains("it is from no package of Debian"), "{error}");
    }
}
