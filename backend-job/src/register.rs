//! Writes the source of the host code that registers a program's image.
//!
//! LLVM's `llvm-offload-wrapper` writes it as bitcode that no clang before its own version reads,
//! and looks for entries in the form of that version. A program may hold units of several versions.
//! C is read by all of them, and by the compiler of the host.

use std::path::Path;

use weft_cli::{Fault, failure, files};

use crate::arguments::RegisterArguments;

/// The source, with a word for the image's path.
const SOURCE: &str = include_str!("registration.c");
/// Word for the path.
const PLACE: &str = "WEFT_IMAGE";

/// Carries out `backend-job register`.
pub(crate) fn register(arguments: &RegisterArguments) -> anyhow::Result<()> {
    files::write(&arguments.output, source(&arguments.image)?.as_bytes())
}

/// Returns the source that includes the image. Its name goes through two string literals, of C and
/// of the assembler.
fn source(image: &Path) -> anyhow::Result<String> {
    let name = image
        .to_str()
        .filter(|name| !name.contains(|c: char| c.is_control() || "\"\\".contains(c)));
    match name {
        Some(name) => Ok(SOURCE.replace(PLACE, name)),
        None => Err(failure(
            Fault::Usage,
            format!("{}: the image's name must be text without \" and \\", image.display()),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_names_the_image_once() {
        let text = source(Path::new("a b/image.fatbin")).unwrap_or_default();
        assert_eq!(text.matches(".incbin \\\"a b/image.fatbin\\\"").count(), 1);
        assert!(!text.contains(PLACE));
    }

    #[test]
    fn names_that_a_literal_cannot_hold_are_refused() {
        for name in ["a\"b", "a\\b", "a\nb"] {
            assert!(source(Path::new(name)).is_err(), "{name}");
        }
    }
}
