//! Objects whose host code is still to be compiled.
//!
//! GCC's `-flto` leaves its own representation in sections `.gnu.lto_…` and, unless it is told
//! `-ffat-lto-objects`, no code. The object's symbol table then omits the references of the later
//! code. GCC marks such objects: by a common symbol, and in section `.gnu.lto_.lto.…` by the byte
//! that follows its two version numbers. Clang's link-time optimization leaves bitcode, no object.

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind};

use super::error::HostFactsError;
use super::symbols::File;

/// Beginning of the names of all sections of GCC's representation.
const GCC_SECTIONS: &str = ".gnu.lto_";
/// Beginning of the name of the section that describes the others.
const GCC_HEADER: &str = ".gnu.lto_.lto.";
/// Offset in that section of the byte that is not zero in objects without code.
const GCC_SLIM: usize = 4;
/// Common symbol of objects without code.
const GCC_SLIM_SYMBOL: &str = "__gnu_lto_slim";

/// Whether `file` lacks code that is still to be compiled; a file that was linked from several
/// objects lacks code if one of them does. If the section that describes GCC's representation is
/// missing, the content of the other sections decides.
pub(super) fn is_unfinished(file: &File<'_>) -> Result<bool, HostFactsError> {
    let (mut has_representation, mut is_described, mut is_marked) = (false, false, false);
    let mut has_content = false;
    for section in file.sections() {
        let name = section.name()?;
        has_representation |= name.starts_with(GCC_SECTIONS);
        if name.starts_with(GCC_HEADER) {
            is_described = true;
            is_marked |= section.data()?.get(GCC_SLIM).is_some_and(|&byte| byte != 0);
        }
        // A compiler puts code and variables into sections of these kinds; notes are of another
        // kind.
        has_content |= section.size() > 0
            && matches!(
                section.kind(),
                SectionKind::Text
                    | SectionKind::Data
                    | SectionKind::ReadOnlyData
                    | SectionKind::ReadOnlyString
                    | SectionKind::UninitializedData
                    | SectionKind::Tls
                    | SectionKind::UninitializedTls
            );
    }
    if !has_representation {
        return Ok(false);
    }
    let is_named = file.symbols().any(|symbol| symbol.name() == Ok(GCC_SLIM_SYMBOL));
    Ok(is_marked || is_named || !(is_described || has_content))
}
