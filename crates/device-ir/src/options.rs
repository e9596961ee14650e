//! The options that the thin link settled, on their way through the phases.
//!
//! The import phase writes them into the linked module and the codegen phase into the first line of
//! the PTX, so each phase finds them in its only input, and a build that is keyed on contents needs
//! no other input.

use weft_artifact::PhaseOptions;

use crate::error::IrError;
use crate::module::Module;

const FLAG: &str = "weft-options";

/// Writes the options into a linked module.
pub(crate) fn record(module: &Module<'_>, options: &PhaseOptions) {
    if *options != PhaseOptions::default() {
        module.record_text(FLAG, &options.to_string());
    }
}

/// Options that [`record`] wrote.
pub(crate) fn recorded(module: &Module<'_>) -> Result<PhaseOptions, IrError> {
    match module.recorded_text(FLAG) {
        None => Ok(PhaseOptions::default()),
        Some(text) => text.parse().map_err(|reason| IrError::Codegen { reason }),
    }
}
