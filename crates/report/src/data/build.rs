//! The whole report.

use serde::{Deserialize, Serialize};

use super::change::Comparison;
use super::default::is_default;
use super::job::Job;
use super::kernel::Kernel;
use super::link::{Definitions, Link, Module};
use super::words::Words;
use crate::names::Names;

/// Version of the JSON, which is raised whenever the meaning of a field changes. New fields do not
/// raise it.
pub const VERSION: u32 = 1;

/// Everything that is known about one build of one program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BuildReport {
    /// Always [`VERSION`].
    pub version: u32,
    /// Name of the program, for headings; empty if it is unknown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub title: String,
    /// Names of all symbols that the report mentions. All other fields refer to a name by its
    /// position here.
    pub names: Names,
    /// Thin links, one for each architecture.
    #[serde(default, skip_serializing_if = "is_default")]
    pub links: Vec<Link>,
    /// Modules of all architectures, by architecture and then by module id.
    #[serde(default, skip_serializing_if = "is_default")]
    pub modules: Vec<Module>,
    /// Kernels, those with the lowest occupancy first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kernels: Vec<Kernel>,
    /// Definitions of all modules, with the reason why each stays or goes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub definitions: Definitions,
    /// Jobs, by their start.
    #[serde(default, skip_serializing_if = "is_default")]
    pub jobs: Vec<Job>,
    /// Time that `start` of all jobs counts from, in microseconds since 1970 in UTC; 0 without
    /// jobs.
    #[serde(default, skip_serializing_if = "is_default")]
    pub epoch: u64,
    /// Positions in `jobs` of the chain of jobs that decided how long the build took, in order.
    #[serde(default, skip_serializing_if = "is_default")]
    pub critical_path: Vec<u32>,
    /// Texts that other fields refer to by position, since many fields have the same.
    #[serde(default, skip_serializing_if = "is_default")]
    pub texts: Vec<String>,
    /// Messages of ptxas: position of the module, and position of the message in `texts`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub messages: Vec<(u32, u32)>,
    /// Images, one for each architecture whose image or cubins are known.
    #[serde(default, skip_serializing_if = "is_default")]
    pub images: Vec<Image>,
    /// Comparison with an earlier build.
    #[serde(default, skip_serializing_if = "is_default")]
    pub against: Option<Comparison>,
    /// Phrases for answers to questions.
    #[serde(default, skip_serializing_if = "is_default")]
    pub words: Words,
}

impl BuildReport {
    /// Creates the report of a program about which nothing is known yet. Callers fill the fields.
    pub fn new(title: impl Into<String>) -> Self {
        Self { version: VERSION, title: title.into(), words: Words::standard(), ..Self::default() }
    }
}

/// Sizes of the device code of one architecture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Position in [`BuildReport::links`].
    pub link: u32,
    /// Number of bytes of all cubins together; 0 if they are unknown.
    pub cubin_bytes: u64,
    /// The same before, in the build that this one is compared with.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cubin_bytes_before: Option<u64>,
    /// Number of bytes of the linked image, if that is known. Registers, stack and shared memory of
    /// the kernels are then those after linking.
    #[serde(default, skip_serializing_if = "is_default")]
    pub image_bytes: Option<u64>,
    /// The same before.
    #[serde(default, skip_serializing_if = "is_default")]
    pub image_bytes_before: Option<u64>,
}
