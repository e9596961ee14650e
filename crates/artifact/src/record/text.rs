//! Texts that nearly all modules share.

use wincode::{SchemaRead, SchemaWrite};

use crate::record::error::RecordError;

/// Texts that have a number. New texts go to the end, because files hold the numbers.
const KNOWN: [&str; 4] = [
    "nvptx64-nvidia-cuda",
    "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64",
    "LLVM22.1.8",
    "LLVM22.1.0",
];

/// A text or its number.
#[derive(Clone, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub(crate) enum Text {
    /// Position in the list of known texts.
    Known(u8),
    /// The text.
    Other(String),
}

impl Text {
    pub(super) fn of(text: &str) -> Self {
        let number = KNOWN.iter().position(|&known| known == text);
        match number.and_then(|number| u8::try_from(number).ok()) {
            Some(number) => Self::Known(number),
            None => Self::Other(text.to_owned()),
        }
    }

    pub(super) fn text(self) -> Result<String, RecordError> {
        match self {
            Self::Other(text) => Ok(text),
            Self::Known(number) => match KNOWN.get(usize::from(number)) {
                Some(&text) => Ok(text.to_owned()),
                None => Err(format!("there is no text with the number {number}")),
            },
        }
    }
}
