//! nvcc's six host reference tables.
//!
//! | section | names |
//! |---|---|
//! | `.nvHRKE`, `.nvHRKI` | kernels |
//! | `.nvHRCE`, `.nvHRCI` | `__constant__` variables |
//! | `.nvHRDE`, `.nvHRDI` | `__device__` and `__managed__` variables |
//!
//! Each holds patterns, every one ended by a zero byte; an empty table is one zero byte. The last
//! letter is the linkage of the named symbols: external, or internal to the unit. An internal name
//! starts with `__nv_static_` and the unit's own module id, as it does in the device code.

use std::collections::BTreeSet;

use object::{Object as _, ObjectSection as _};
use weft_artifact::{NamedKind, NamedReference};

use super::error::HostFactsError;
use super::symbols::File;

const TABLES: [(&str, NamedKind, bool); 6] = [
    (".nvHRKE", NamedKind::Kernel, false),
    (".nvHRKI", NamedKind::Kernel, true),
    (".nvHRCE", NamedKind::Constant, false),
    (".nvHRCI", NamedKind::Constant, true),
    (".nvHRDE", NamedKind::Variable, false),
    (".nvHRDI", NamedKind::Variable, true),
];

/// Whether nvcc made `file`, which then has all six tables.
pub(super) fn has_tables(file: &File<'_>) -> bool {
    file.section_by_name(TABLES[0].0).is_some()
}

/// Returns all names in the tables of `file`, sorted, without repetition.
pub(super) fn named(file: &File<'_>) -> Result<Vec<NamedReference>, HostFactsError> {
    let mut named = BTreeSet::new();
    for section in file.sections() {
        let name = section.name()?;
        let Some((table, kind, internal)) = TABLES.into_iter().find(|(table, ..)| *table == name)
        else {
            continue;
        };
        for pattern in
            section.data()?.split(|&byte| byte == 0).filter(|pattern| !pattern.is_empty())
        {
            let pattern =
                std::str::from_utf8(pattern).map_err(|_| HostFactsError::Table { table })?;
            named.insert(NamedReference { kind, internal, pattern: pattern.to_owned() });
        }
    }
    Ok(named.into_iter().collect())
}
