//! One unit in, one summary out.
//!
//! The input is what the build has of the unit: a host object of clang with device bitcode inside,
//! device bitcode alone, or an object without device code. The summary holds all that the thin link
//! needs to know of it, so that the thin link never reads the unit itself.

mod arguments;
mod host_facts;

use std::path::Path;

pub use arguments::Arguments;
pub use arguments::Knowledge;
use arguments::Mode;
pub use host_facts::{HostFactsError, host_facts};
use weft_artifact::{Artifact, ModuleId, Summary, file};
use weft_cli::{Blame as _, Fault};
use weft_container::{DeviceCode, device_code};
use weft_device_ir::Background;

/// The program: summarises one unit, or prints one summary.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.resolve()? {
        Mode::Print { summary } => print(&summary),
        Mode::Summarize { input, module_id, architecture, knowledge, summary, bitcode } => {
            let unit = read(&input)?;
            let wrong = || input.display().to_string();
            let code = device_code(&unit, architecture.as_deref()).blame(Fault::Input, wrong)?;
            let record =
                summarize(&unit, code, &module_id, &knowledge).blame(Fault::Input, wrong)?;
            let encoded = record.encode()?;
            if let Some(path) = bitcode {
                write(&path, bitcode_of(code))?;
            }
            write(&summary, &encoded)
        }
    }
}

/// The summary of the unit `unit`, which holds the device code `code`.
pub fn summarize(
    unit: &[u8],
    code: DeviceCode<'_>,
    module_id: &ModuleId,
    knowledge: &Knowledge,
) -> anyhow::Result<Summary> {
    let device = match code {
        DeviceCode::None => None,
        DeviceCode::Bitcode { bitcode, architecture } => {
            let background = Background {
                architecture,
                options: knowledge.options.clone(),
                priority_override: knowledge.priority_override,
            };
            Some(weft_device_ir::describe(bitcode, module_id, &background)?)
        }
    };
    Ok(Summary { module_id: module_id.clone(), device, host: host_facts(unit)? })
}

/// What `--bitcode` writes for a unit without device code is empty: build systems declare the file
/// before they can know.
fn bitcode_of(code: DeviceCode<'_>) -> &[u8] {
    match code {
        DeviceCode::None => &[],
        DeviceCode::Bitcode { bitcode, .. } => bitcode,
    }
}

fn print(path: &Path) -> anyhow::Result<()> {
    let content = read(path)?;
    let summary = Summary::decode(&content).blame(Fault::Input, || path.display().to_string())?;
    println!("{}", serde_json::to_string_pretty(&summary)?);
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).blame(Fault::Environment, || format!("cannot read {}", path.display()))
}

fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    file::write_if_different(path, content)
        .map(drop)
        .blame(Fault::Environment, || format!("cannot write {}", path.display()))
}
