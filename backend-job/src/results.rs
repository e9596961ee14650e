//! Requirements that the results of all phases must meet, wherever they come from.

use weft_action::Claim;

/// Checks a result of any phase: bitcode by LLVM, which codegen hands it to.
pub(crate) fn check(claim: &Claim<'_>) -> Result<(), String> {
    claim.check_each(|name, content| {
        if name.rsplit_once('.').is_some_and(|(_, extension)| extension == "bc") {
            weft_device_ir::check(content).map_err(|error| error.to_string())
        } else {
            weft_job::check_output(claim, name, content)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitcode_must_be_a_module() {
        for garbage in [&b"garbage"[..], b"BC\xC0\xDE", b""] {
            let claim = Claim { arguments: vec![], outputs: vec![("linked.bc", garbage)] };
            let reason = check(&claim).unwrap_err();
            assert!(reason.starts_with("linked.bc: "), "{reason}");
        }
    }
}
