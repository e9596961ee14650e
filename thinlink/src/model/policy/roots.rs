//! The user's choice of roots.

use weft_artifact::NamedReference;

use crate::model::host_link::HostLink;

/// Choices about symbols that must stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootPolicy {
    /// The host's references, where the caller has them: names in the patterns of nvcc's tables.
    /// The list is complete, so it covers units whose host side is otherwise unknown.
    pub host_references: Option<Vec<NamedReference>>,
    /// Host symbols that options of the host link name.
    pub host_link: HostLink,
    /// Shared libraries that the program links, to whose device code it cannot refer.
    pub shared_libraries: Vec<String>,
    /// Other files of the process refer to host symbols that the linked file exports.
    pub exports_host_symbols: bool,
    /// The host information is not to be used.
    pub ignore_host_info: bool,
    /// Parts of the names of all kernels that are used.
    pub kernels_used: Option<Vec<String>>,
    /// Parts of the names of all variables that the host uses.
    pub variables_used: Option<Vec<String>>,
    /// Find dead symbols. Otherwise none is dead.
    pub compute_dead: bool,
    /// Variables that the host never names are the device code's own. Otherwise the host may find
    /// them by their names.
    pub private_variables: bool,
}

impl RootPolicy {
    /// Whether a variable that the host never names may get another linkage. Where nothing is to be
    /// removed, its name must not be lost either.
    pub(crate) fn takes_variables(&self) -> bool {
        self.private_variables && self.compute_dead
    }
}

impl Default for RootPolicy {
    fn default() -> Self {
        Self {
            host_references: None,
            host_link: HostLink::default(),
            shared_libraries: Vec::new(),
            exports_host_symbols: false,
            ignore_host_info: false,
            kernels_used: None,
            variables_used: None,
            compute_dead: true,
            private_variables: true,
        }
    }
}
