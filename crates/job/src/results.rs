//! Requirements that the results of all phases must meet, wherever they come from.

use weft_action::Claim;
use weft_container::{
    check_bitcode, check_object, cubin_architecture, cubin_symbols, is_cubin, ptx_facts,
};

/// Checks a result of any phase of the executables. Of bitcode it sees the blocks alone, as LLVM is
/// needed for more. The error names the output.
pub fn check_claim(claim: &Claim<'_>) -> Result<(), String> {
    claim.check_each(|name, content| check_output(claim, name, content))
}

/// Checks one output of a result. Outputs with unknown names belong to another version of Weft and
/// are not checked.
pub fn check_output(claim: &Claim<'_>, name: &str, content: &[u8]) -> Result<(), String> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "cubin" => check_cubin(content, claim.value_of("--gpu-name")),
        "ptx" => check_ptx(content),
        "o" => check_object(content).map_err(|error| error.to_string()),
        "bc" => check_bitcode(content).map_err(|error| error.to_string()),
        _ => weft_artifact::check(name, content),
    }
}

/// Checks that `content` is a readable cubin for the GPU that it was to be made for. ptxas, which
/// is told of a GPU, always writes one; that of a whole job is empty if no code is left.
fn check_cubin(content: &[u8], wanted: Option<&str>) -> Result<(), String> {
    if content.is_empty() && wanted.is_none() {
        return Ok(());
    }
    if !is_cubin(content) {
        return Err("it is no cubin".to_owned());
    }
    cubin_symbols(content).map_err(|error| format!("it is no whole cubin: {error}"))?;
    let found = cubin_architecture(content).unwrap_or_default();
    // A cubin does not distinguish a variant from the plain architecture.
    let plain =
        wanted.map(|wanted| wanted.trim_end_matches(|letter: char| letter.is_ascii_lowercase()));
    match plain.filter(|plain| *plain != found) {
        Some(plain) => Err(format!("it is a cubin for {found}, not for {plain}")),
        None => Ok(()),
    }
}

/// Checks that `content` is readable PTX whose first line holds the options that Weft reads there.
fn check_ptx(content: &[u8]) -> Result<(), String> {
    let facts = ptx_facts(content).map_err(|error| error.to_string())?;
    if !facts.architecture.starts_with("sm_") {
        return Err("it is PTX without a .target".to_owned());
    }
    weft_container::ptx_options(content).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(name: &str, content: &[u8]) -> Result<(), String> {
        check_claim(&Claim {
            arguments: vec!["--gpu-name", "sm_90"],
            outputs: vec![(name, content)],
        })
    }

    #[test]
    fn garbage_is_no_result_of_any_kind() {
        let names = ["module.cubin", "module.ptx", "linked.bc", "module.opt.bc", "unit.summary"];
        let others = ["object.o", "plans/a.plan", "plans/manifest.json", "plans/decisions.weft"];
        for name in names.into_iter().chain(others) {
            for garbage in [&b"garbage"[..], b"\x7fELF\x02\x01", b"BC\xC0\xDE", b"{}", b"\0\0"] {
                let reason = checked(name, garbage).unwrap_err();
                assert!(reason.starts_with(name), "{reason}");
            }
        }
        assert_eq!(checked("something.else", b"garbage"), Ok(()));
    }

    #[test]
    fn the_cubin_of_a_job_alone_may_be_empty() {
        let of_job = Claim { arguments: vec!["run"], outputs: vec![("module.cubin", b"")] };
        assert_eq!(check_claim(&of_job), Ok(()));
        assert!(checked("module.cubin", b"").is_err());
    }

    #[test]
    fn ptx_is_whole_and_for_something() {
        let ptx =
            ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n";
        assert_eq!(checked("module.ptx", ptx.as_bytes()), Ok(()));
        assert!(checked("module.ptx", ptx.trim_end_matches("}\n").as_bytes()).is_err());
        assert!(checked("module.ptx", ptx.replace(".target sm_90", "").as_bytes()).is_err());
        let settled = format!("// weft-options: speed=1\n{ptx}");
        assert!(checked("module.ptx", settled.as_bytes()).is_err());
    }
}
