//! The findings about a program, derived from the facts that were read.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{LinkMode, Manifest};
use weft_container::{DeviceImage, HostSymbol, LinkedProgram, RegisteredEntry};

use super::host_files::HostFiles;

/// The facts that are compared with each other.
pub(super) struct Program<'data> {
    /// The linked file, with the kernels and variables that the host code registers.
    pub(super) linked: &'data LinkedProgram<'data>,
    /// Images in which the runtime looks for the entries.
    pub(super) images: &'data [DeviceImage<'data>],
    /// Manifests of the thin links, which list the removed entries, each with its path.
    pub(super) manifests: &'data [(String, Manifest)],
}

/// A reason why the program must not be used.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Finding {
    /// An image that cannot be read.
    Unreadable {
        /// Architecture of the image.
        architecture: String,
    },
    /// A manifest that lists a kernel as removed although the image has it.
    OtherManifest {
        /// The manifest's path.
        manifest: String,
        /// The kernel.
        kernel: String,
    },
    /// Kernels, or variables, whose host symbols share an address, so the runtime cannot tell them
    /// apart.
    OneAddress {
        /// The entries, sorted.
        entries: Vec<RegisteredEntry>,
    },
    /// An entry that an image lacks.
    Missing {
        /// The entry.
        entry: RegisteredEntry,
        /// Architectures of the images that lack the entry; empty if there is no image at all.
        architectures: BTreeSet<String>,
        /// Files that register the entry.
        owners: Vec<Owner>,
    },
    /// An entry that was removed although a file of the link refers to it.
    Referenced {
        /// The entry.
        entry: RegisteredEntry,
        /// The file that refers to the entry.
        user: String,
    },
    /// Removed entries for which it is unknown whether a file of the link refers to them.
    Unproven {
        /// Number of the entries.
        entries: usize,
    },
}

/// A file that registers an entry.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Owner {
    /// Name of the file.
    pub(super) name: String,
    /// Architectures that it carries device code for.
    pub(super) architectures: BTreeSet<String>,
    /// Whether that device code lacks the entry.
    pub(super) lacks_it: bool,
}

/// Returns all findings about the program; none if it may be used. `host_files` is called only
/// where an entry is missing, as it reads many files.
pub(super) fn findings(
    program: &Program<'_>,
    host_files: impl FnOnce() -> anyhow::Result<HostFiles>,
) -> anyhow::Result<Vec<Finding>> {
    if program.linked.entries.is_empty() {
        return Ok(Vec::new());
    }
    // A reference to one of several entries at an address is one to all of them.
    let folded: Vec<_> = one_address(&program.linked.host_symbols).collect();
    if !folded.is_empty() {
        return Ok(folded);
    }
    let mut findings = BTreeSet::new();
    let mut missing: BTreeMap<&RegisteredEntry, Lack> = BTreeMap::new();
    if program.images.is_empty() {
        missing.extend(program.linked.entries.iter().map(|entry| (entry, Lack::default())));
    }
    for image in program.images {
        findings.extend(contradictions(image, program.manifests));
        for entry in &program.linked.entries {
            let architecture = image.architecture.clone();
            match image.has(entry) {
                Some(true) => {}
                None => _ = findings.insert(Finding::Unreadable { architecture }),
                Some(false) => {
                    let lack = missing.entry(entry).or_default();
                    lack.is_removed.push(is_removed(entry, &architecture, program.manifests));
                    lack.architectures.insert(architecture);
                }
            }
        }
    }
    if missing.is_empty() {
        return Ok(findings.into_iter().collect());
    }
    let host = host_files()?;
    let mut unproven = 0;
    for (entry, lack) in missing {
        if lack.is_removed.is_empty() || lack.is_removed.contains(&false) {
            let owners = host.owners(entry);
            let owners = owners.map(|owner| Owner {
                name: owner.name.clone(),
                architectures: owner.architectures.clone(),
                lacks_it: owner.lacks(entry),
            });
            let owners = owners.collect();
            let (entry, architectures) = (entry.clone(), lack.architectures);
            findings.insert(Finding::Missing { entry, architectures, owners });
        } else if host.is_empty() {
            unproven += 1;
        } else if let Some(user) = host.user(entry, &program.linked.names_of(entry)) {
            let (entry, user) = (entry.clone(), user.to_owned());
            findings.insert(Finding::Referenced { entry, user });
        }
    }
    if unproven > 0 {
        findings.insert(Finding::Unproven { entries: unproven });
    }
    Ok(findings.into_iter().collect())
}

/// Finds entries of different device symbols with one host address. A linker that folds equal code
/// makes one of the stubs of kernels with equal parameters. `host_symbols` are sorted by address.
fn one_address(host_symbols: &[HostSymbol]) -> impl Iterator<Item = Finding> {
    let groups = host_symbols.chunk_by(|one, other| one.address == other.address);
    groups.filter(|group| group.len() > 1).map(|group| {
        let entries = group.iter().map(|symbol| symbol.entry.clone()).collect();
        Finding::OneAddress { entries }
    })
}

/// The images that lack an entry.
#[derive(Default)]
struct Lack {
    architectures: BTreeSet<String>,
    /// For each image that lacks the entry, whether the manifests list the entry as removed.
    is_removed: Vec<bool>,
}

/// Returns kernels that a manifest lists as removed although the image has them. Opaque code may
/// define a kernel of a name that was removed elsewhere, so manifests of links with opaque code are
/// skipped.
fn contradictions(image: &DeviceImage<'_>, manifests: &[(String, Manifest)]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, manifest) in of_architecture(&image.architecture, manifests) {
        let kernel = manifest.removed_kernels.iter().find(|name| {
            let entry = RegisteredEntry { device_name: (*name).clone(), is_kernel: true };
            image.has(&entry) == Some(true)
        });
        if let (LinkMode::Whole, Some(kernel)) = (manifest.mode, kernel) {
            let (manifest, kernel) = (path.clone(), kernel.clone());
            found.push(Finding::OtherManifest { manifest, kernel });
        }
    }
    found
}

fn is_removed(
    entry: &RegisteredEntry,
    architecture: &str,
    manifests: &[(String, Manifest)],
) -> bool {
    let mut manifests = of_architecture(architecture, manifests).peekable();
    manifests.peek().is_some()
        && manifests.all(|(_, manifest)| {
            let names = if entry.is_kernel {
                &manifest.removed_kernels
            } else {
                &manifest.removed_variables
            };
            names.binary_search(&entry.device_name).is_ok()
        })
}

/// Returns the manifests of thin links for an image's architecture. A cubin alone does not tell
/// `sm_90a` from `sm_90`, so where no manifest has the architecture itself its variants count.
fn of_architecture<'data>(
    architecture: &str,
    manifests: &'data [(String, Manifest)],
) -> impl Iterator<Item = &'data (String, Manifest)> {
    let plain = |name: &str| name.trim_end_matches(['a', 'f']).to_owned();
    let is_exact = manifests.iter().any(|(_, known)| known.architecture == architecture);
    let wanted = if is_exact { architecture.to_owned() } else { plain(architecture) };
    manifests.iter().filter(move |(_, manifest)| {
        let known = &manifest.architecture;
        if is_exact { *known == wanted } else { plain(known) == wanted }
    })
}
