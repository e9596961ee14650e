//! The record of one unit.

use wincode::SchemaWrite;

use crate::record::error::RecordError;
use crate::record::input::Input;
use crate::record::names;
use crate::record::sink::SummarySink;
use crate::record::symbol::{self, SymbolRecord};
use crate::record::text::Text;
use crate::{DeviceModule, HostFacts, LtoIrModule, ModuleId, OpaqueImage, OptionSetting, Summary};

/// The record of a [`Summary`].
#[derive(Clone, Debug, PartialEq, Eq, SchemaWrite)]
pub(crate) struct SummaryRecord<'a> {
    module_id: ModuleId,
    device: Option<DeviceRecord<'a>>,
    host: Option<HostFacts>,
    opaque: Vec<OpaqueImage>,
}

/// The record of a [`DeviceModule`].
#[derive(Clone, Debug, PartialEq, Eq, SchemaWrite)]
pub(crate) struct DeviceRecord<'a> {
    architecture: String,
    triple: Text,
    data_layout: Text,
    producer: Text,
    nvvm_ir_version: Option<(u32, u32)>,
    options: Vec<OptionSetting>,
    lto_ir: Option<LtoIrModule>,
    symbols: Vec<SymbolRecord<'a>>,
}

impl<'a> SummaryRecord<'a> {
    pub(super) fn of(summary: &'a Summary) -> Self {
        Self {
            module_id: summary.module_id.clone(),
            device: summary.device.as_ref().map(DeviceRecord::of),
            host: summary.host.clone(),
            opaque: summary.opaque.clone(),
        }
    }
}

/// Reads a record that [`SummaryRecord`] wrote, and passes the pieces to `sink`.
pub(super) fn read(input: &mut Input<'_>, sink: &mut impl SummarySink) -> Result<(), RecordError> {
    let module_id: ModuleId = input.get()?;
    module_id.validate().map_err(|error| error.to_string())?;
    if input.get::<bool>()? {
        let (device, count) = read_device(input)?;
        sink.unit(module_id, Some(device));
        let mut names = names::Reader::default();
        for _ in 0..count {
            symbol::read(input, &mut names, sink)?;
        }
    } else {
        sink.unit(module_id, None);
    }
    sink.end(input.get()?, input.get()?);
    Ok(())
}

/// Reads device code up to its symbols, and returns their number, too.
fn read_device(input: &mut Input<'_>) -> Result<(DeviceModule, u64), RecordError> {
    let architecture = input.get()?;
    let (triple, data_layout) = (input.get::<Text>()?.text()?, input.get::<Text>()?.text()?);
    let producer = input.get::<Text>()?.text()?;
    let nvvm_ir_version = input.get()?;
    let device = DeviceModule {
        architecture,
        triple,
        data_layout,
        producer,
        nvvm_ir_version,
        options: input.get()?,
        lto_ir: input.get()?,
        symbols: Vec::new(),
    };
    Ok((device, input.length()?))
}

impl<'a> DeviceRecord<'a> {
    fn of(module: &'a DeviceModule) -> Self {
        let mut names = names::Writer::default();
        Self {
            architecture: module.architecture.clone(),
            triple: Text::of(&module.triple),
            data_layout: Text::of(&module.data_layout),
            producer: Text::of(&module.producer),
            nvvm_ir_version: module.nvvm_ir_version,
            options: module.options.clone(),
            lto_ir: module.lto_ir.clone(),
            symbols: module
                .symbols
                .iter()
                .map(|symbol| SymbolRecord::of(symbol, &mut names))
                .collect(),
        }
    }
}
