//! The guard's message, with advice in the terms of each build system.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use clap::ValueEnum;
use weft_container::RegisteredEntry;

use super::findings::{Finding, Owner};

/// Maximum number of findings that the message describes one by one; the rest is counted.
const MOST: usize = 10;
/// Maximum number of files that the message names for one finding.
const MOST_FILES: usize = 3;

/// Maximum number of entries that the message names in one finding.
const MOST_NAMES: usize = 4;

/// The build system that runs the guard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BuildSystem {
    /// A person or a script
    #[default]
    Hand,
    /// The CMake package
    Cmake,
    /// The rules for Bazel
    Bazel,
}

/// The whole message on the findings of a program, of which there is one at least.
pub(super) fn message(program: &str, findings: &[Finding], system: BuildSystem) -> String {
    let mut text = match findings.first() {
        Some(Finding::OneAddress { .. }) => {
            format!("{program}: some device code that its host code registers cannot be told apart")
        }
        _ => format!("{program}: not all device code that its host code registers is in it"),
    };
    for finding in findings.iter().take(MOST) {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n  {}", line(finding));
    }
    if let Some(more @ 1..) = findings.len().checked_sub(MOST) {
        let _ = write!(text, "\n  and {more} more");
    }
    let remedies: BTreeSet<_> = findings.iter().map(|finding| remedy(finding, system)).collect();
    for remedy in remedies {
        let _ = write!(text, "\n{remedy}");
    }
    text
}

fn line(finding: &Finding) -> String {
    match finding {
        Finding::Unreadable { architecture } => {
            format!("the image for {architecture} is in a form that cannot be read")
        }
        Finding::OtherManifest { manifest, kernel } => {
            format!("{manifest} says that kernel {kernel} was removed, and the image has it")
        }
        Finding::OneAddress { entries } => {
            let kind =
                if entries.iter().all(|entry| entry.is_kernel) { "kernels" } else { "variables" };
            let names: Vec<_> =
                entries.iter().take(MOST_NAMES).map(|entry| entry.device_name.as_str()).collect();
            let more = match entries.len().saturating_sub(MOST_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("{kind} {}{more} have one address in host code", names.join(", "))
        }
        Finding::Missing { entry, architectures, owners } => {
            let listed = architectures.iter().cloned().collect::<Vec<_>>().join(" and ");
            let place = match listed.as_str() {
                "" => "in a device image: there is none".to_owned(),
                listed => format!("in the image for {listed}"),
            };
            format!("{} is not {place}{}", named(entry), registered_by(owners))
        }
        Finding::Referenced { entry, user } => {
            format!("{} was removed as nothing refers to it, but {user} may", named(entry))
        }
        Finding::Unproven { entries } => format!(
            "{} registered and removed, and without the files of the host link nothing tells \
             whether one of them refers to it",
            counted(*entries)
        ),
    }
}

fn registered_by(owners: &[Owner]) -> String {
    let mut text = String::new();
    for Owner { name, architectures, lacks_it } in owners.iter().take(MOST_FILES) {
        let listed = architectures.iter().cloned().collect::<Vec<_>>().join(" and ");
        let _ = write!(text, "\n    registered by {name}");
        if architectures.is_empty() {
            text.push_str(", which carries no device code");
        } else if *lacks_it {
            text.push_str(", whose own device code does not have it");
        } else {
            let _ = write!(text, ", whose device code for {listed} was not linked");
        }
    }
    if let Some(more @ 1..) = owners.len().checked_sub(MOST_FILES) {
        let _ = write!(text, "\n    and by {more} other files");
    }
    text
}

fn remedy(finding: &Finding, system: BuildSystem) -> &'static str {
    match (finding, system) {
        (Finding::OtherManifest { .. }, BuildSystem::Hand) => {
            "Give the manifest of the thin link that this program's image was made with."
        }
        (Finding::OtherManifest { .. }, _) => {
            "The manifest and the image are of different builds: build from an empty folder."
        }
        (Finding::OneAddress { .. }, _) => {
            "The CUDA runtime tells kernels and variables apart by their addresses, and the host \
             linker has folded them: link with -Wl,--icf=safe instead of --icf=all, or without."
        }
        (Finding::Unproven { .. }, _) => {
            "Link with -Wl,--dependency-file=FILE and give FILE with --dependency-file, or give \
             the objects and archives."
        }
        (Finding::Referenced { .. }, BuildSystem::Hand) => {
            "Give the file's summary to thinlink, or thinlink --keep=SYMBOL, or no \
             --has-global-host-info."
        }
        (Finding::Referenced { .. }, BuildSystem::Cmake) => {
            "Name it with KEEP in weft_device_thinlto, or make the file a target of the project \
             that the program links by name, so that its host code is read."
        }
        (Finding::Referenced { .. }, BuildSystem::Bazel) => {
            "Name it in the program's attribute `keep`."
        }
        (Finding::Missing { architectures, .. }, BuildSystem::Hand) if architectures.is_empty() => {
            "Link the object that registers the image: `weft register` writes its source."
        }
        (Finding::Missing { owners, .. }, _) if owners.iter().any(|owner| owner.lacks_it) => {
            "clang keeps a `__device__ const` variable to the device code of its unit, even if \
             host code reads it: declare it inline, or extern with a definition in one unit."
        }
        (Finding::Unreadable { .. }, _) => {
            "Images have to be cubins or PTX, stored as they are or compressed with LZ4 or \
             Zstandard."
        }
        (Finding::Missing { .. }, BuildSystem::Hand) => {
            "Give each unit to summarize, its summary to thinlink, its bitcode to backend-job and \
             its cubin to nvlink, for every architecture."
        }
        (Finding::Missing { .. }, BuildSystem::Cmake) => {
            "The target that weft_device_thinlto is called on has to link the library by its name \
             as a target of this project or of a package that is there when CMake configures, not \
             by a file that the build makes or an expression that Weft cannot evaluate, and a \
             library of the project needs a call of weft_device_thinlto of its own. Sources with \
             device code need the property LANGUAGE CUDA, or the option -x cuda where CMake reads \
             it."
        }
        (Finding::Missing { .. }, BuildSystem::Bazel) => {
            "Compile units with device code in a weft_cuda_library that is in `deps` of the \
             program: no other device code is linked."
        }
    }
}

fn named(entry: &RegisteredEntry) -> String {
    let kind = if entry.is_kernel { "kernel" } else { "variable" };
    format!("{kind} {}", entry.device_name)
}

fn counted(entries: usize) -> String {
    match entries {
        1 => "1 kernel or variable is".to_owned(),
        more => format!("{more} kernels and variables are"),
    }
}
