//! Content of the packages: licenses and a bill of materials of everything that is linked in,
//! executables for older systems, and the same bytes whoever packs.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use dev_checkout::executables::PACKAGES;
use dev_dist::glibc;
use dev_dist::pack::{BILL, DOCUMENTS, NOTICES, archive_root};
use serde_json::Value;
use tempfile::TempDir;
use weft_tests::{Run, tools, workspace_root};

use crate::distribution::packed::{executables, pack_into, packages};

/// Returns the crates whose sources the debug information of the executables names, as
/// `name-version`.
fn linked_crates() -> BTreeSet<String> {
    let listing = Run::new("grep", workspace_root())
        .args(["-aohE", "registry/src/[^/]+/[A-Za-z0-9_-]+-[0-9]+[.][0-9]+[.][A-Za-z0-9.+-]+/"])
        .args(PACKAGES.iter().map(|name| tools().weft(name)))
        .variable("LC_ALL", "C")
        .succeed();
    let crates =
        listing.stdout.lines().filter_map(|line| line.trim_end_matches('/').rsplit('/').next());
    crates.map(str::to_owned).collect()
}

/// Splits `md-5-0.11.0`: the version is the first part that is a number before a dot.
fn name_and_version(linked: &str) -> (&str, &str) {
    let is_version = |text: &str| {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < text.len() && rest.starts_with('.')
    };
    let at = linked.match_indices('-').find(|(at, _)| is_version(&linked[at + 1..]));
    let (at, _) = at.unwrap();
    (&linked[..at], &linked[at + 1..])
}

#[test]
fn everything_that_is_linked_in_has_its_license_and_is_in_the_bill() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| format!("{}/{DOCUMENTS}{name}", archive_root());
    Run::new("tar", folder.path())
        .arg("--zstd")
        .arg("-xf")
        .arg(&packages().archive)
        .args([file(NOTICES), file(BILL), file("LICENSE")])
        .succeed();
    let notices = fs::read_to_string(folder.path().join(file(NOTICES))).unwrap();
    let bill: Value =
        serde_json::from_slice(&fs::read(folder.path().join(file(BILL))).unwrap()).unwrap();
    let parts = bill["components"].as_array().unwrap();
    let named = |name: &str, version: &str| {
        let in_bill = parts.iter().any(|part| part["name"] == name && part["version"] == version);
        let head = format!("\n{name} {version}");
        let in_notices = [",", "\n"].iter().any(|end| notices.contains(&format!("{head}{end}")));
        in_bill && in_notices
    };
    let crates = linked_crates();
    assert!(crates.len() > 80, "debug information names {crates:?}");
    for linked in &crates {
        let (name, version) = name_and_version(linked);
        assert!(named(name, version), "{linked} is linked in and not named");
    }
    for (package, text) in [
        ("llvm-22-dev", "LLVM-exception"),
        ("zlib1g-dev", "Jean-loup Gailly"),
        ("libzstd-dev", "Facebook"),
        ("libstdc++-12-dev", "RUNTIME LIBRARY EXCEPTION"),
        ("libc6-dev", "GNU Lesser General Public"),
        ("rust-std", "Copyright notices for The Rust Standard Library"),
    ] {
        assert!(parts.iter().any(|part| part["name"] == package), "{package}");
        assert!(notices.contains(&format!("\n{package} ")), "{package}");
        let lowered = notices.to_lowercase();
        assert!(lowered.contains(&text.to_lowercase()), "{package}: no {text:?}");
    }
    // A program of the build alone is no part.
    assert!(!parts.iter().any(|part| part["name"] == "serde_derive"));
}

#[test]
fn the_executables_need_what_the_page_states() {
    let page = fs::read_to_string(workspace_root().join("docs/install.md")).unwrap();
    let (major, minor) = weft_older_glibc::OLDEST;
    assert!(page.contains(&format!("glibc {major}.{minor} or later")), "{page}");
    for name in PACKAGES {
        let needs = glibc::needs(name, &fs::read(tools().weft(name)).unwrap()).unwrap();
        assert!(needs.glibc <= (major, minor), "{name} needs glibc {:?}", needs.glibc);
        for library in &needs.libraries {
            assert!(page.contains(&format!("`{library}`")), "{name} needs {library}");
        }
        // An older loader finds functions of the C library in these, if it looks into them before.
        let place = |library: &str| needs.libraries.iter().position(|needed| needed == library);
        for library in ["libpthread.so.0", "libdl.so.2"] {
            assert!(place(library).unwrap() < place("libc.so.6").unwrap(), "{name}: {library}");
        }
    }
}

/// Returns the number of addresses in a section of an executable.
fn addresses(executable: &Path, section: &str) -> usize {
    let listing = Run::new("readelf", workspace_root()).arg("-SW").arg(executable).succeed();
    let is_of = |line: &&str| line.split_whitespace().any(|word| word == section);
    let line = listing.stdout.lines().find(is_of).unwrap_or_default();
    // Behind the name come the type, the address, the place in the file, and the size.
    let mut words = line.split_whitespace().skip_while(|word| *word != section);
    let size = words.nth(4).unwrap_or_else(|| panic!("{}: no {section}", executable.display()));
    usize::from_str_radix(size, 16).unwrap() / size_of::<usize>()
}

#[test]
fn llvm_does_not_start_before_it_is_needed() {
    for name in ["summarize", "backend-job"] {
        let executable = tools().weft(name);
        let early = addresses(&executable, ".init_array");
        assert!(early < 30, "{name}: {early} initializers run before main");
        let late = addresses(&executable, "weft_llvm_initializers");
        assert!(late > 100, "{name}: LLVM has {late} initializers");
    }
}

#[test]
fn whoever_packs_gets_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    let programs = executables(&folder.path().join("programs"));
    for name in PACKAGES {
        fs::set_permissions(programs.join(name), fs::Permissions::from_mode(0o700)).unwrap();
    }
    let again = pack_into(&programs, &folder.path().join("packages"));
    for (first, second) in packages().all().into_iter().zip(again.all()) {
        assert!(fs::read(first).unwrap() == fs::read(second).unwrap(), "{}", first.display());
    }
}

#[test]
fn completion_scripts_and_manual_pages_come_along() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| format!("{}/share/{name}", archive_root());
    Run::new("tar", folder.path()).arg("--zstd").arg("-xf").arg(&packages().archive).succeed();
    let read = |name: &str| fs::read_to_string(folder.path().join(file(name))).unwrap();
    for name in PACKAGES {
        let script = file(&format!("bash-completion/completions/{name}"));
        Run::new("bash", folder.path()).args(["-n", &script]).succeed();
        assert!(read(&format!("zsh/site-functions/_{name}")).starts_with("#compdef"), "{name}");
        assert!(read(&format!("fish/vendor_completions.d/{name}.fish")).contains("complete -c"));
    }
    for (page, says) in [
        ("weft.1", "link"),
        ("weft-link.1", "tune\\-for=edits"),
        ("weft-cache-gc.1", "cache\\-dir"),
        ("backend-job-codegen.1", "inline\\-model"),
        ("thinlink.1", "import\\-instr\\-limit"),
        ("summarize.1", "module\\-id"),
    ] {
        let text = read(&format!("man/man1/{page}"));
        assert!(text.contains(".TH ") && text.contains(says), "{page}: {text}");
    }
}
