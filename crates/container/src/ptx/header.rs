//! The first line of PTX, in which the codegen phase states the options that the thin link settled.

use weft_artifact::PhaseOptions;

/// Start of the line with the options.
const HEADER: &str = "// weft-options: ";

/// Returns the PTX with a first line that states the options, if there are any.
pub fn with_ptx_options(ptx: Vec<u8>, options: &PhaseOptions) -> Vec<u8> {
    if *options == PhaseOptions::default() {
        return ptx;
    }
    let mut text = format!("{HEADER}{options}\n").into_bytes();
    text.extend(ptx);
    text
}

/// Returns the options that the first line of PTX states; none where Weft did not write it.
pub fn ptx_options(ptx: &[u8]) -> Result<PhaseOptions, String> {
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
        assert_eq!(ptx_options(&with_ptx_options(ptx.clone(), &options))?, options);
        assert_eq!(with_ptx_options(ptx.clone(), &PhaseOptions::default()), ptx);
        assert_eq!(ptx_options(&ptx)?, PhaseOptions::default());
        assert!(ptx_options(b"// weft-options: speed=1\n").is_err());
        Ok(())
    }
}
