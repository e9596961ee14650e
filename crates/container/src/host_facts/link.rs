//! The symbols by which a linker chooses members of archives.

use std::collections::BTreeSet;

use object::{Object as _, ObjectSymbol as _};
use weft_artifact::LinkSymbols;

use super::error::HostFactsError;
use super::symbols::{File, name_to_linker};

/// Prefix of the name that a reference to a symbol gets by `--wrap`.
const WRAPPER: &str = "__wrap_";
/// Prefix of the name by which a wrapper refers to the symbol that it wraps.
pub(super) const WRAPPED: &str = "__real_";

/// Returns the symbols that an object defines for others, and those that it needs. A common symbol
/// is both: a linker takes the member with a definition in its place. Weak needs count, though no
/// linker takes a member for them alone, because another unit may make them strong.
///
/// An option of the link (`--wrap`) may lead references to a symbol to its wrapper, and the
/// wrapper's own to the symbol, so both names count.
pub(super) fn symbols(file: &File<'_>) -> Result<LinkSymbols, HostFactsError> {
    let (mut defines, mut needs) = (BTreeSet::new(), BTreeSet::new());
    for symbol in file.symbols().filter(|symbol| !symbol.is_local()) {
        let name = name_to_linker(symbol.name()?);
        let number = LinkSymbols::number(name);
        if symbol.is_undefined() || symbol.is_common() {
            needs.insert(number);
            needs.extend(name.strip_prefix(WRAPPED).map(LinkSymbols::number));
        }
        if !symbol.is_undefined() {
            defines.insert(number);
            defines.extend(name.strip_prefix(WRAPPER).map(LinkSymbols::number));
        }
    }
    Ok(LinkSymbols { defines: defines.into_iter().collect(), needs: needs.into_iter().collect() })
}
