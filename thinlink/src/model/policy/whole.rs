//! Everything that the user decides, in one value.

use std::collections::BTreeSet;

use weft_artifact::{Feedback, PhaseOptions};

use super::closing::ClosingPolicy;
use super::imports::ImportPolicy;
use super::mode::ModeChoice;
use super::packing::Packing;
use super::roots::RootPolicy;
use crate::model::archives::Archives;
use crate::model::hidden_symbols::HiddenSymbols;
use crate::model::link_order::LinkOrder;

/// All choices that decisions depend on, besides the summaries.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The summaries cover every host object, so symbols that they do not mention are not
    /// referenced.
    pub complete_host_info: bool,
    /// Choices about bodies that go into other modules.
    pub imports: ImportPolicy,
    /// Choices about copies of the functions that kernels reach.
    pub closing: ClosingPolicy,
    /// The modules that are compiled together.
    pub packing: Packing,
    /// Remove variables that the host could see, too, if nothing refers to them.
    pub optimize_unused_variables: bool,
    /// Symbols that stay, as patterns with `*`, `?` and `[]`.
    pub keep: BTreeSet<String>,
    /// Choices about roots.
    pub roots: RootPolicy,
    /// Whether all device code takes part.
    pub mode: ModeChoice,
    /// Options of the phases that override those of the modules.
    pub options: PhaseOptions,
    /// State attributes of functions across modules in plans.
    pub propagate_attributes: bool,
    /// Make virtual calls direct.
    pub devirtualize: bool,
    /// The order in which the build links the units, if it states one.
    pub link_order: Option<LinkOrder>,
    /// The units that the host linker may leave out, if the build states them.
    pub archives: Option<Archives>,
    /// Host symbols that the host linker hides, whatever their objects say.
    pub hidden_host_symbols: Option<HiddenSymbols>,
    /// Choices derived from earlier builds.
    pub feedback: Feedback,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            complete_host_info: false,
            imports: ImportPolicy::default(),
            closing: ClosingPolicy::default(),
            packing: Packing::Alone,
            optimize_unused_variables: false,
            keep: BTreeSet::new(),
            roots: RootPolicy::default(),
            mode: ModeChoice::Automatic,
            options: PhaseOptions::default(),
            propagate_attributes: true,
            devirtualize: true,
            link_order: None,
            archives: None,
            hidden_host_symbols: None,
            feedback: Feedback::default(),
        }
    }
}
