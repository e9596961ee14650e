//! Limits of registers for single kernels, in PTX.
//!
//! ptxas's `--maxrregcount` holds for all kernels of a module that have no launch bounds, and the
//! directive `.maxnreg` for one kernel.

use std::collections::BTreeMap;

use weft_container::ptx_kernels;

/// Directive that limits the registers of a kernel.
const LIMIT: &[u8] = b".maxnreg";
/// Start of a kernel's body, as code generators write it.
const BODY: &[u8] = b"\n{";

/// Returns the names of the kernels that can be limited. PTX that cannot be read has none.
pub(crate) fn limitable(ptx: &[u8]) -> Vec<String> {
    let kernels = ptx_kernels(ptx).unwrap_or_default().into_iter();
    let limitable = kernels.filter(|kernel| {
        let text = &ptx[kernel.text.clone()];
        position(text, BODY).is_some_and(|body| position(&text[..body], LIMIT).is_none())
    });
    limitable.map(|kernel| kernel.name).collect()
}

/// Returns the PTX with a limit for each kernel that has one.
pub(crate) fn with_limits(ptx: &[u8], limits: &BTreeMap<String, u32>) -> Vec<u8> {
    let mut limited = Vec::with_capacity(ptx.len());
    let mut done = 0;
    for kernel in ptx_kernels(ptx).unwrap_or_default() {
        let Some(limit) = limits.get(&kernel.name) else { continue };
        let Some(body) = position(&ptx[kernel.text.clone()], BODY) else { continue };
        let place = kernel.text.start + body;
        limited.extend(&ptx[done..place]);
        limited.extend(format!("\n.maxnreg {limit}").bytes());
        done = place;
    }
    limited.extend(&ptx[done..]);
    limited
}

fn position(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = ".version 8.8\n.target sm_90\n.visible .entry one(\n.param .b64 p\n)\n{\n\
                       ret;\n}\n.visible .entry two()\n.maxnreg 64\n{\nret;\n}\n\
                       .visible .entry three()\n{\n{ret;}\n}\n";

    #[test]
    fn kernels_with_a_limit_keep_it() {
        assert_eq!(limitable(PTX.as_bytes()), ["one", "three"]);
        assert_eq!(limitable(b"no PTX"), [""; 0]);
    }

    #[test]
    fn a_limit_stands_before_the_body() {
        let limits = [("one".to_owned(), 40), ("three".to_owned(), 32), ("none".to_owned(), 9)];
        let limited = with_limits(PTX.as_bytes(), &limits.into());
        let expected = PTX
            .replace(")\n{\nret", ")\n.maxnreg 40\n{\nret")
            .replace("three()\n", "three()\n.maxnreg 32\n");
        assert_eq!(String::from_utf8_lossy(&limited), expected);
        assert_eq!(with_limits(PTX.as_bytes(), &BTreeMap::new()), PTX.as_bytes());
    }
}
