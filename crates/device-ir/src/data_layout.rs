//! Data layouts of device code, which grew with LLVM.
//!
//! LLVM 16 to 19 say `e-i64:64-i128:128-v16:16-v32:32-n16:32:64`. LLVM 20 added the pointers to
//! tensor memory, and LLVM 21 integers of 256 bits. LLVM's reader leaves older layouts as they are,
//! and its linker warns where two modules differ.

/// Parts that were added for types that code of an earlier LLVM does not hold, or that clang laid
/// out itself.
const ADDED: [&str; 2] = ["p6:32:32", "i256:256"];

/// Whether code that was compiled for the layout `found` is right for `expected`: it says the same
/// but for parts that came later, or nothing at all.
pub(crate) fn agree(found: &str, expected: &str) -> bool {
    let is_added = |part: &&str| ADDED.contains(part);
    let before = expected.split('-').filter(|part| !is_added(part) || has(found, part));
    found.is_empty() || found.split('-').eq(before)
}

fn has(layout: &str, part: &str) -> bool {
    layout.split('-').any(|other| other == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";

    #[test]
    fn layouts_of_older_llvms_are_right() {
        for older in [
            "e-i64:64-i128:128-v16:16-v32:32-n16:32:64",
            "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64",
            NOW,
            "",
        ] {
            assert!(agree(older, NOW), "{older}");
        }
    }

    #[test]
    fn layouts_that_say_something_else_are_wrong() {
        for other in [
            "e",
            "e-i64:64-v16:16-v32:32-n16:32:64",
            "E-i64:64-i128:128-v16:16-v32:32-n16:32:64",
            "e-i64:64-i128:128-v16:32-v32:32-n16:32:64",
            "e-p6:64:64-i64:64-i128:128-v16:16-v32:32-n16:32:64",
            // The layout of `-nvptx-short-ptr`: pointers to shared memory have 32 bits.
            "e-p3:32:32-p4:32:32-p5:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64",
            "e-i64:64-i128:128-v16:16-v32:32-n16:32:64-n16:32:64",
        ] {
            assert!(!agree(other, NOW), "{other}");
        }
    }
}
