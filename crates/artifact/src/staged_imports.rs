//! The modules that one plan needs besides its own, in one file.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::encoding::{read_whole, write_whole};
use crate::{Artifact, ModuleId};

/// The bitcode of the other members of a plan's bundle, and of every module that it imports from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct StagedImports {
    /// The modules in the plan's order: members, then import sources.
    pub modules: Vec<StagedModule>,
}

impl Artifact for StagedImports {
    const KIND: &'static str = "staged imports";
    const MAGIC: [u8; 8] = *b"WEFTIMPS";
    const VERSION: u32 = 1;

    fn write(&self, file: &mut Vec<u8>) -> Result<(), String> {
        write_whole(self, file)
    }

    fn read(record: &[u8]) -> Result<Self, String> {
        read_whole(record)
    }
}

/// One module of [`StagedImports`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct StagedModule {
    /// The module.
    pub module_id: ModuleId,
    /// Content of the file that holds the module's device bitcode.
    pub file: Vec<u8>,
}
