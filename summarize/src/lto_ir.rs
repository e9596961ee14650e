//! Has nvlink turn a unit's LTO IR into PTX that shows what it holds.

use weft_action::{Input, Phase, Session};
use weft_container::LtoIr;
use weft_lto_ir::{NvlinkArguments, Run};

use crate::inputs::Unit;

/// Returns the PTX of each of `modules`, which are the LTO IR of `unit`. nvlink is looked for only
/// if there are any.
pub(crate) fn ptx(
    session: &Session,
    unit: &Unit<'_>,
    modules: &[LtoIr],
    nvlink: &NvlinkArguments,
) -> anyhow::Result<Vec<Vec<u8>>> {
    if modules.is_empty() {
        return Ok(Vec::new());
    }
    let nvlink = nvlink.find().map_err(|error| error.context(unit.name.clone()))?;
    let ptx = |module: &LtoIr| {
        let run = Run {
            phase: Phase::Summarize,
            subject: unit.module_id.to_string(),
            architecture: &module.architecture,
            // Without `-r` only what kernels reach would be there, and optimization would remove
            // and join what other units may need.
            arguments: ["-r", "-Xnvvm=-opt=0"].map(str::to_owned).to_vec(),
            inputs: vec![Input::new("unit.fatbin", &module.fatbin)],
        };
        nvlink.ptx(session, run).map_err(|error| error.context(unit.name.clone()))
    };
    modules.iter().map(ptx).collect()
}
