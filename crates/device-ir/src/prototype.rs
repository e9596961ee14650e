//! Prototypes as PTX has them.
//!
//! nvlink refuses a program in which functions of one name differ in their prototypes, but it never
//! sees both functions in code that Weft links: a body is imported, or bound by its name. So a
//! summary holds a digest of the prototype as LLVM's PTX printer writes it. Aggregates, vectors and
//! halves are arrays of bytes, and numbers have 32, 64 or 128 bits: nvlink accepts an `int` for a
//! `float`. It does not compare alignments. If a unit only uses the address of a function, nvlink
//! compares the prototype only if the definition comes later in link order, so such a mismatch is
//! accepted here.

use std::fmt::Write as _;
use std::num::NonZeroU32;

use crate::handles::{Function, Layout, Type, TypeKind};

/// Digest of the prototype of `function`. Kernels have none, since device code does not call them.
pub(crate) fn digest(function: Function<'_>) -> Option<NonZeroU32> {
    if function.is_kernel() {
        return None;
    }
    let (layout, signature) = (function.layout(), function.signature());
    let mut text = String::new();
    write_type(&mut text, layout, signature.result);
    for parameter in signature.parameters {
        write_type(&mut text, layout, parameter);
    }
    if signature.is_variadic {
        // Further arguments are passed by one pointer to them.
        let bits = 8 * layout.pointer_bytes(0);
        let _ = write!(text, ",b{bits}");
    }
    let digest = weft_artifact::digest(text.as_bytes());
    let number =
        digest.as_bytes().iter().take(4).fold(0, |number, byte| number << 8 | u32::from(*byte));
    // One number in four billion represents two digests.
    Some(NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN))
}

/// Adds the type of a parameter, or of the result.
fn write_type(text: &mut String, layout: Layout<'_>, of: Type<'_>) {
    let scalar = match of.kind() {
        TypeKind::Pointer(space) => Some(8 * layout.pointer_bytes(space)),
        TypeKind::Number(bits @ ..=32) => Some(bits.max(32)),
        TypeKind::Number(bits @ ..=64) => Some(bits.max(64)),
        TypeKind::Number(bits @ ..128) => Some(bits.max(128)),
        _ => None,
    };
    // A function without a result has a type without a size.
    let _ = match scalar {
        Some(bits) => write!(text, ",b{bits}"),
        None => write!(text, ",[{}]", layout.sizes(of).allocated),
    };
}
