//! Everything that the user decides, in one value.

use std::collections::BTreeSet;

use weft_artifact::PhaseOptions;

use super::closing::ClosingPolicy;
use super::imports::ImportPolicy;
use super::mode::ModeChoice;
use super::roots::RootPolicy;
use crate::model::link_order::LinkOrder;

/// What the decisions go by, besides the summaries.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The summaries cover every host object, so what they do not mention is not referenced.
    pub complete_host_info: bool,
    /// Which bodies go into other modules.
    pub imports: ImportPolicy,
    /// Which modules get all that their kernels reach.
    pub closing: ClosingPolicy,
    /// Variables that the host could see go as well, if nothing refers to them.
    pub optimize_unused_variables: bool,
    /// Symbols that stay, as patterns with `*`, `?` and `[]`.
    pub keep: BTreeSet<String>,
    /// What else the user says of roots.
    pub roots: RootPolicy,
    /// Whether all device code takes part.
    pub mode: ModeChoice,
    /// Options that the phases shall have, whatever the modules say.
    pub options: PhaseOptions,
    /// Tell modules what is known of functions across modules.
    pub propagate_attributes: bool,
    /// Make virtual calls direct.
    pub devirtualize: bool,
    /// The order in which the build links the units, if it states one.
    pub link_order: Option<LinkOrder>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            complete_host_info: false,
            imports: ImportPolicy::default(),
            closing: ClosingPolicy::default(),
            optimize_unused_variables: false,
            keep: BTreeSet::new(),
            roots: RootPolicy::default(),
            mode: ModeChoice::Automatic,
            options: PhaseOptions::default(),
            propagate_attributes: true,
            devirtualize: true,
            link_order: None,
        }
    }
}
