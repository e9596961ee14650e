//! Checks bitcode as far as its blocks show.

use thiserror::Error;

use crate::bitstream::{ENTER_BLOCK, MAGIC, MODULE, OUTER_WIDTH, Reader};

/// The error of a file that is no whole bitcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it is no whole bitcode")]
pub struct BitcodeError;

/// Checks that `content` is a row of whole blocks, one of them a module. LLVM alone can tell what
/// is in the blocks.
pub fn check_bitcode(content: &[u8]) -> Result<(), BitcodeError> {
    let has_module = has_module(content).ok_or(BitcodeError)?;
    if has_module { Ok(()) } else { Err(BitcodeError) }
}

/// Whether one of the blocks is a module; `None` if a block is not whole.
fn has_module(content: &[u8]) -> Option<bool> {
    content.starts_with(MAGIC).then_some(())?;
    let mut reader = Reader::new(content, MAGIC.len() * 8);
    let mut has_module = false;
    while reader.position < content.len() * 8 {
        (reader.fixed(OUTER_WIDTH)? == ENTER_BLOCK).then_some(())?;
        let block = reader.block()?;
        has_module |= block.id == MODULE;
        reader.position = block.end;
    }
    Some(has_module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garbage_is_no_bitcode() {
        for garbage in [&b""[..], b"BC", b"BC\xC0\xDE", b"BC\xC0\xDE\x35\x14\0\0", b"garbage"] {
            let error = check_bitcode(garbage).unwrap_err();
            assert_eq!(error.to_string(), "it is no whole bitcode");
        }
    }
}
