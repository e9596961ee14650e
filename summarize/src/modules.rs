//! Lists the modules of device bitcode and LTO IR in a unit or an archive.
//!
//! A build system declares a job for each module before it runs any, so it asks for the modules of
//! a prebuilt archive when it configures. The list is made from the containers alone: neither
//! LLVM nor nvlink reads anything for it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use weft_artifact::ModuleId;
use weft_cli::files::{self, read};
use weft_cli::{Blame as _, Fault};
use weft_container::{LtoIrUse, embedded_modules};

use crate::inputs;

/// Prints a line `ID<TAB>ARCHITECTURE` for each module in the file `input`.
pub(crate) fn print(
    input: &Path,
    module_id: &ModuleId,
    lto_ir_use: LtoIrUse,
) -> anyhow::Result<()> {
    let file = read(input)?;
    let mut text = String::new();
    for unit in inputs::units(input, &file, module_id)? {
        let modules = embedded_modules(&unit.content, lto_ir_use);
        let mut numbers = BTreeMap::new();
        for architecture in modules.blame(Fault::Input, || unit.name.clone())? {
            let number = numbers.entry(architecture.clone()).or_insert(0);
            *number += 1;
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}\t{architecture}", unit.module_id.of_module(*number));
        }
    }
    files::print(text.as_bytes())
}
