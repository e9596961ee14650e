//! Processor that a module is for.
//!
//! clang writes it on every function, but a linked module may have no functions left. So the import
//! phase records it as module flags, and the codegen phase, which sees the linked module alone,
//! reads it there.

use crate::error::IrError;
use crate::module::Module;
use crate::ptx_version::PtxVersion;

const ARCHITECTURE_FLAG: &str = "weft-architecture";
const FEATURE_FLAG: &str = "weft-ptx-feature";

/// Processor and PTX version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Architecture, such as `sm_90`.
    pub(crate) architecture: String,
    /// LLVM's name of the PTX version, such as `+ptx88`. Empty leaves it to LLVM, which takes the
    /// oldest that knows the architecture.
    pub(crate) ptx_feature: String,
}

impl Target {
    /// Target that the functions of `module` name: the first architecture, and the newest PTX
    /// version, since the header of a PTX file has one version for all.
    pub(crate) fn of_functions(module: &Module<'_>) -> Option<Self> {
        let attribute =
            |name| module.functions().filter_map(move |function| function.string_attribute(name));
        let architecture = attribute("target-cpu").next()?;
        let newest =
            attribute("target-features").filter_map(|features| ptx_version(&features)).max();
        let ptx_feature = newest.map(|version| format!("+ptx{version}")).unwrap_or_default();
        Some(Self { architecture, ptx_feature })
    }

    /// Writes the target into the module.
    pub(crate) fn record(&self, module: &Module<'_>) {
        module.record_text(ARCHITECTURE_FLAG, &self.architecture);
        module.record_text(FEATURE_FLAG, &self.ptx_feature);
    }

    /// Removes everything that [`Target::record`] wrote into the module, so it can be linked to one
    /// for another target.
    pub(crate) fn forget(module: &mut Module<'_>) {
        module.forget_flags("weft-");
    }

    /// Target of two modules for the same architecture together: the newest PTX version.
    pub(crate) fn or_newer(self, other: Self) -> Self {
        let version = |target: &Self| ptx_version(&target.ptx_feature);
        if version(&other) > version(&self) { other } else { self }
    }

    /// The target with no newer PTX version than `newest`, and whether that changes it.
    pub(crate) fn within(self, newest: PtxVersion) -> (Self, bool) {
        let limit = newest.number();
        match ptx_version(&self.ptx_feature) {
            Some(version) if version > limit => {
                (Self { ptx_feature: format!("+ptx{limit}"), ..self }, true)
            }
            _ => (self, false),
        }
    }

    /// Target that [`Target::record`] wrote.
    pub(crate) fn recorded(module: &Module<'_>) -> Option<Self> {
        let architecture = module.recorded_text(ARCHITECTURE_FLAG)?;
        Some(Self { architecture, ptx_feature: module.recorded_text(FEATURE_FLAG)? })
    }

    /// Target that the import phase recorded, or else the one that the functions name.
    pub(crate) fn of(module: &Module<'_>) -> Result<Self, IrError> {
        Self::recorded(module).or_else(|| Self::of_functions(module)).ok_or(IrError::NoArchitecture)
    }
}

/// The PTX version in a list of features: 88 for `+ptx88`.
fn ptx_version(features: &str) -> Option<u32> {
    features.split(',').filter_map(|feature| feature.strip_prefix("+ptx")?.parse().ok()).max()
}
