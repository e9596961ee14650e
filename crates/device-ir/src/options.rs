//! The options that the thin link settled, on their way through the phases.
//!
//! The import phase writes them into the linked module and the codegen phase into the first line of
//! the PTX, so that each phase finds them in its one input, and a build that is keyed on contents
//! needs no other.

use weft_artifact::PhaseOptions;

use crate::error::IrError;
use crate::module::Module;

const FLAG: &str = "weft-options";

/// Start of the line with the options in PTX.
const HEADER: &str = "// weft-options: ";

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

/// The PTX with a first line that says the options, if there are any.
pub(crate) fn with_header(ptx: Vec<u8>, options: &PhaseOptions) -> Vec<u8> {
    if *options == PhaseOptions::default() {
        return ptx;
    }
    let mut text = format!("{HEADER}{options}\n").into_bytes();
    text.extend(ptx);
    text
}

/// The options that the first line of PTX says; none where Weft did not write it.
pub fn options_of_ptx(ptx: &[u8]) -> Result<PhaseOptions, String> {
    let line = ptx.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    line.strip_prefix(HEADER).map_or(Ok(PhaseOptions::default()), str::parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_back_from_ptx() -> Result<(), String> {
        let options = PhaseOptions { debug: true, ..PhaseOptions::default() };
        let ptx = b".version 8.8\n".to_vec();
        assert_eq!(options_of_ptx(&with_header(ptx.clone(), &options))?, options);
        assert_eq!(with_header(ptx.clone(), &PhaseOptions::default()), ptx);
        assert_eq!(options_of_ptx(&ptx)?, PhaseOptions::default());
        assert!(options_of_ptx(b"// weft-options: speed=1\n").is_err());
        Ok(())
    }
}
