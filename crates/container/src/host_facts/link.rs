//! The symbols by which a linker chooses members of archives.

use std::collections::BTreeSet;

use object::{Object as _, ObjectSymbol as _};
use weft_artifact::LinkSymbols;

use super::error::HostFactsError;
use super::symbols::File;

/// Returns the symbols that an object defines for others, and those that it needs. A common symbol
/// is both: a linker takes the member with a definition in its place. Weak needs count, though no
/// linker takes a member for them alone, because another unit may make them strong.
pub(super) fn symbols(file: &File<'_>) -> Result<LinkSymbols, HostFactsError> {
    let (mut defines, mut needs) = (BTreeSet::new(), BTreeSet::new());
    for symbol in file.symbols().filter(|symbol| !symbol.is_local()) {
        let number = LinkSymbols::number(symbol.name()?);
        if symbol.is_undefined() || symbol.is_common() {
            needs.insert(number);
        }
        if !symbol.is_undefined() {
            defines.insert(number);
        }
    }
    Ok(LinkSymbols { defines: defines.into_iter().collect(), needs: needs.into_iter().collect() })
}
