//! The guard's message, with advice in the terms of each build system.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use clap::ValueEnum;
use weft_container::RegisteredEntry;

use super::verdict::Fault;

/// Maximum number of faults that the message describes one by one; the rest is counted.
const MOST: usize = 10;
/// Maximum number of files that the message names for one fault.
const MOST_FILES: usize = 3;

/// The build system that runs the guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum BuildSystem {
    /// A person or a script
    Hand,
    /// The CMake package
    Cmake,
    /// The rules for Bazel
    Bazel,
}

/// The whole message on the faults of a program, of which there is one at least.
pub(super) fn message(program: &str, faults: &[Fault], system: BuildSystem) -> String {
    let mut text = format!("{program}: not all device code that its host code registers is in it");
    for fault in faults.iter().take(MOST) {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n  {}", line(fault));
    }
    if let Some(more @ 1..) = faults.len().checked_sub(MOST) {
        let _ = write!(text, "\n  and {more} more");
    }
    let remedies: BTreeSet<_> = faults.iter().map(|fault| remedy(fault, system)).collect();
    for remedy in remedies {
        let _ = write!(text, "\n{remedy}");
    }
    text
}

fn line(fault: &Fault) -> String {
    match fault {
        Fault::Unreadable { architecture } => {
            format!("the image for {architecture} is in a form that cannot be read")
        }
        Fault::OtherManifest { manifest, kernel } => {
            format!("{manifest} says that kernel {kernel} was removed, and the image has it")
        }
        Fault::Missing { entry, architectures, owners } => {
            let listed = architectures.iter().cloned().collect::<Vec<_>>().join(" and ");
            let place = match listed.as_str() {
                "" => "in a device image: there is none".to_owned(),
                listed => format!("in the image for {listed}"),
            };
            format!("{} is not {place}{}", named(entry), registered_by(owners))
        }
        Fault::Referenced { entry, user } => {
            format!("{} was removed as nothing refers to it, but {user} may", named(entry))
        }
        Fault::Unproven { entries } => format!(
            "{} registered and removed, and without the files of the host link nothing tells whether \
             one of them refers to it",
            counted(*entries)
        ),
    }
}

fn registered_by(owners: &[(String, BTreeSet<String>)]) -> String {
    let mut text = String::new();
    for (name, architectures) in owners.iter().take(MOST_FILES) {
        let listed = architectures.iter().cloned().collect::<Vec<_>>().join(" and ");
        let _ = write!(text, "\n    registered by {name}");
        if architectures.is_empty() {
            text.push_str(", which carries no device code");
        } else {
            let _ = write!(text, ", whose device code for {listed} was not linked");
        }
    }
    if let Some(more @ 1..) = owners.len().checked_sub(MOST_FILES) {
        let _ = write!(text, "\n    and by {more} other files");
    }
    text
}

fn remedy(fault: &Fault, system: BuildSystem) -> &'static str {
    match (fault, system) {
        (Fault::OtherManifest { .. }, BuildSystem::Hand) => {
            "Give the manifest of the thin link that this program's image was made with."
        }
        (Fault::OtherManifest { .. }, _) => {
            "The manifest and the image are of different builds: build from an empty folder."
        }
        (Fault::Unproven { .. }, _) => {
            "Link with -Wl,--dependency-file=FILE and give FILE with --dependency-file, or give the \
             objects and archives."
        }
        (Fault::Referenced { .. }, BuildSystem::Hand) => {
            "Give the file's summary to thinlink, or thinlink --keep=SYMBOL, or no \
             --has-global-host-info."
        }
        (Fault::Referenced { .. }, BuildSystem::Cmake) => {
            "Name it with KEEP in weft_device_thinlto, or make the file a target of the project that \
             the program links by name, so that its host code is read."
        }
        (Fault::Referenced { .. }, BuildSystem::Bazel) => {
            "Name it in the program's attribute `keep`."
        }
        (Fault::Missing { architectures, .. }, BuildSystem::Hand) if architectures.is_empty() => {
            "Link the object that llvm-offload-wrapper makes of the image."
        }
        (Fault::Unreadable { .. }, _) => {
            "Images have to be cubins or PTX, stored as they are or compressed with LZ4 or Zstandard."
        }
        (Fault::Missing { .. }, BuildSystem::Hand) => {
            "Give each unit to summarize, its summary to thinlink, its bitcode to backend-job and its \
             cubin to nvlink, for every architecture."
        }
        (Fault::Missing { .. }, BuildSystem::Cmake) => {
            "The target that weft_device_thinlto is called on has to link the library by its name as a \
             target of this project, not by a generator expression, a file or find_package, and the \
             library needs a call of weft_device_thinlto of its own. Sources with device code need \
             the property LANGUAGE CUDA, not the option -x cuda."
        }
        (Fault::Missing { .. }, BuildSystem::Bazel) => {
            "Compile units with device code in a weft_cuda_library that is in `deps` of the program: \
             weft_cc_deps takes host code only."
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
