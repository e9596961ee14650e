//! Everything that was decided about a program.

use std::io::{self, Seek, Write};

use weft_artifact::{Arithmetic, LinkMode, PhaseOptions};

use super::decisions;
use super::known_functions::KnownFunctions;
use super::resolve::LinkedNames;
use crate::analyses::attributes::Attributes;
use crate::analyses::constants::Constants;
use crate::analyses::devirtualize::Devirtualized;
use crate::analyses::dynamic_shared::DynamicShared;
use crate::analyses::kernel_choices::KernelChoices;
use crate::analyses::liveness::Liveness;
use crate::analyses::misdeclared::Misdeclared;
use crate::closing::Closing;
use crate::imports::Imports;
use crate::lto_ir::LtoIr;
use crate::model::ids::{PerModule, PerNode};
use crate::model::index::Index;

/// All decisions about the units of a program. Plans are made from it one by one, as all plans
/// together take more space than all decisions. It is equal for the same units in any order, on any
/// number of threads.
pub struct Decided<'units> {
    pub(crate) index: Index<'units>,
    pub(crate) liveness: Liveness,
    /// Virtual calls that become direct.
    pub(crate) virtual_calls: Devirtualized,
    pub(crate) closing: Closing,
    /// Jobs of modules of LTO IR.
    pub(crate) lto_ir: LtoIr,
    pub(crate) imports: PerModule<Imports>,
    /// For each node, whether another module needs the definition.
    pub(crate) exported: PerNode<bool>,
    /// Attributes of functions, if plans state them.
    pub(crate) attributes: Option<Attributes>,
    /// Facts that modules are told about functions that they do not import.
    pub(crate) known_functions: KnownFunctions,
    pub(crate) dynamic_shared: DynamicShared,
    pub(crate) misdeclared: Misdeclared,
    pub(crate) constants: Constants,
    /// Choices that feedback makes for kernels.
    pub(crate) kernel_choices: KernelChoices,
    /// Whether imported functions get metadata that names their origin.
    pub(crate) import_metadata: bool,
    /// Options of the later phases.
    pub(crate) options: PhaseOptions,
    /// Arithmetic of each module's functions, in module-id order.
    pub(crate) arithmetic: PerModule<Arithmetic>,
    /// Whether all device code took part.
    pub(crate) mode: LinkMode,
    /// Whether the final link needs libcudadevrt.
    pub(crate) device_runtime: bool,
    /// Kernels that are removed because nothing refers to them, sorted.
    pub(crate) removed_kernels: Vec<String>,
    /// Host-visible variables that are removed because nothing refers to them, sorted.
    pub(crate) removed_variables: Vec<String>,
    /// Messages that the user should see although the link succeeds.
    pub warnings: Vec<String>,
    /// Options that change nothing in this program.
    pub notes: Vec<String>,
    /// Decisions about the program as a whole, with reasons, for `--verbose`.
    pub log: Vec<String>,
}

/// Numbers of definitions of one module, for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Definitions imported from other modules.
    pub imports: usize,
    /// Imports that the module emits as its own copies.
    pub copied: usize,
    /// Own definitions that the module emits.
    pub kept: usize,
    /// Own definitions that are removed.
    pub removed: usize,
    /// Own definitions that become internal; `kept` includes them.
    pub internalized: usize,
    /// Own locals that become global; `kept` includes them.
    pub promoted: usize,
}

impl<'units> Decided<'units> {
    /// Returns the names of definitions in linked modules.
    pub(crate) fn names(&self) -> LinkedNames<'_, 'units> {
        let Self { index, liveness, exported, .. } = self;
        LinkedNames { index, liveness, exported }
    }

    /// Architecture of all modules; empty when no unit has device code.
    pub(crate) fn architecture(&self) -> &str {
        self.index.architecture()
    }

    /// Writes the file of the decisions about each definition, with reasons.
    pub(crate) fn write_decisions(&self, file: &mut (impl Write + Seek)) -> io::Result<()> {
        decisions::write(&self.index, &self.liveness, &self.closing, &self.imports, file)
    }

    /// Returns the lines that are to be printed about imports.
    pub(crate) fn import_lines(&self) -> String {
        self.imports.iter().map(|imports| imports.lines.as_str()).collect()
    }
}
