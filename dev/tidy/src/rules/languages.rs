//! Sources in the languages of clang are in few places: everything else is Rust.

use crate::checkout::File;
use crate::violation::Violation;

/// Extensions of the languages of clang.
const C_FAMILY: &[&str] = &["c", "cc", "cpp", "cu", "cuh", "cxx", "h", "hh", "hpp"];
/// The only places of these languages. The build rules include the headers in front of each unit.
const C_FAMILY_FOLDERS: &[&str] = &[
    "crates/device-ir/",
    "weft/src/registration.c",
    "crates/older-glibc/",
    "dev/gpu/",
    "dev/programs/",
    "examples/",
    "tests/",
    "cmake/private/weft_reference.h",
    "bazel/private/actions/weft_reference.h",
];

/// Finds out whether a file is in such a language and somewhere else.
pub(crate) fn violations(file: &File) -> Option<Violation> {
    let allowed = file.is_below(C_FAMILY_FOLDERS) || !C_FAMILY.contains(&file.extension());
    let message = || format!("C, C++ and CUDA belong in {}", C_FAMILY_FOLDERS.join(", "));
    (!allowed).then(|| Violation::new(file, 0, message()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::lines;

    #[test]
    fn c_and_cuda_are_found_outside_of_their_folders() {
        let rule = |file: &File| violations(file).into_iter().collect();
        assert_eq!(lines(rule, "thinlink/src/x.cpp", ""), [0]);
        for path in ["crates/device-ir/src/x.cpp", "examples/x/a.cu", "thinlink/src/lib.rs"] {
            assert!(lines(rule, path, "").is_empty(), "{path}");
        }
    }
}
