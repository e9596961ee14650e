//! The LLVM that wrote the bitcode.
//!
//! LLVM's reader takes bitcode of any earlier LLVM and brings it up to date. Further upgrades that
//! device code of clang 16 needs are in `shim/reading.cpp` and `data_layout.rs`. Earlier bitcode
//! was never tried, and a later LLVM may use the same records with another meaning.

use crate::context::weft_bitcode_producer;
use crate::error::{IrError, ProducerAge};
use crate::text::Bytes;

/// Magic numbers of raw bitcode and of the wrapper that some tools put around it.
const MAGICS: [[u8; 4]; 2] = [*b"BC\xC0\xDE", [0xDE, 0xC0, 0x17, 0x0B]];
/// The earliest LLVM whose bitcode is read.
const OLDEST: u32 = 16;
/// The LLVM that is linked in, the latest whose bitcode is read.
const NEWEST: u32 = 22;

/// An LLVM whose bitcode Weft reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Producer {
    /// Its name for itself, such as `LLVM19.1.7`.
    pub(crate) name: String,
    major: u32,
}

impl Producer {
    /// The writer of `bitcode`; one that Weft cannot read is an error.
    pub(crate) fn of(bitcode: &[u8]) -> Result<Self, IrError> {
        if !MAGICS.iter().any(|magic| bitcode.starts_with(magic)) {
            return Err(IrError::NotBitcode);
        }
        match weft_bitcode_producer(Bytes::of(bitcode)).into_string() {
            None => Err(IrError::Malformed { reason: "it names no producer".to_owned() }),
            Some(name) => Self::named(name),
        }
    }

    /// The LLVM that calls itself `name`.
    fn named(name: String) -> Result<Self, IrError> {
        let version =
            name.strip_prefix("LLVM").and_then(|rest| rest.split_once('.')?.0.parse().ok());
        let age = match version {
            Some(major @ OLDEST..=NEWEST) => return Ok(Self { name, major }),
            Some(0..OLDEST) => ProducerAge::TooOld,
            Some(_) => ProducerAge::TooNew,
            None => ProducerAge::Foreign,
        };
        Err(IrError::Producer { found: name, age })
    }

    /// Whether it is older than the LLVM that is linked in.
    pub(crate) fn is_older(&self) -> bool {
        self.major < NEWEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn llvm_16_to_22_are_read() {
        for (name, is_older) in [
            ("LLVM16.0.6", true),
            ("LLVM19.1.7", true),
            ("LLVM21.1.0git", true),
            ("LLVM22.1.8", false),
        ] {
            let producer = Producer::named(name.to_owned()).map(|producer| producer.is_older());
            assert_eq!(producer, Ok(is_older), "{name}");
        }
    }

    #[test]
    fn others_are_refused_with_their_age() {
        for (name, age) in [
            ("LLVM15.0.7", ProducerAge::TooOld),
            ("LLVM7.0.1", ProducerAge::TooOld),
            ("LLVM23.0.0git", ProducerAge::TooNew),
            ("LLVM", ProducerAge::Foreign),
            ("APPLE_1_1700.0.13.3_0", ProducerAge::Foreign),
        ] {
            let refused = Producer::named(name.to_owned());
            assert_eq!(refused, Err(IrError::Producer { found: name.to_owned(), age }), "{name}");
        }
    }
}
