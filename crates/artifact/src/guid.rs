//! LLVM's globally unique identifier of a symbol.

use std::fmt;

use md5::{Digest as _, Md5};
use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::ModuleId;

/// The low 64 bits of the MD5 of a global identifier, exactly as LLVM computes them, so that
/// `llvm-dis` and `opt -module-summary` show the same numbers.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, SchemaRead, SchemaWrite,
)]
#[serde(transparent)]
pub struct Guid(pub u64);

impl Guid {
    /// Returns the GUID of a symbol that is visible outside its module.
    pub fn of_global(name: &str) -> Self {
        Self::of_identifier(name)
    }

    /// Returns the GUID of a symbol that only its module sees. LLVM puts the module's
    /// `source_filename` before the name, and Weft the module id. Both are equal if the compiler
    /// ran on that path in the workspace's root. Otherwise the module id is still independent of
    /// the folder.
    pub fn of_local(module_id: &ModuleId, name: &str) -> Self {
        Self::of_identifier(&format!("{module_id};{name}"))
    }

    fn of_identifier(identifier: &str) -> Self {
        let hash = Md5::digest(identifier.as_bytes());
        let mut low = [0; 8];
        low.copy_from_slice(&hash[..8]);
        Self(u64::from_le_bytes(low))
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers are what `llvm-dis` 22 printed for a module compiled from `a.cu`.
    #[test]
    fn guids_are_llvms() -> Result<(), crate::ModuleIdError> {
        assert_eq!(Guid::of_global("_Z6helper1Vf"), Guid(13_000_924_805_840_732_376));
        assert_eq!(Guid::of_global("_Z4deadPf"), Guid(6_911_644_743_972_883_611));
        let module_id = ModuleId::new("a.cu")?;
        assert_eq!(
            Guid::of_local(&module_id, "__clang_gpu_used_external"),
            Guid(1_922_084_627_823_281_648)
        );
        Ok(())
    }
}
