//! One unit.

use std::borrow::Cow;

use wincode::{SchemaRead, SchemaWrite};

use super::symbol::SymbolRecord;
use super::text::Text;
use super::{Fault, names};
use crate::{Artifact, DeviceModule, HostFacts, LtoFlags, ModuleId, OptionSetting, Summary};

/// A [`Summary`] as it is written. What it holds is documented where it is made, in `record`.
#[derive(Clone, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct SummaryRecord {
    module_id: ModuleId,
    device: Option<DeviceRecord>,
    host: Option<HostFacts>,
}

/// See [`DeviceModule`].
#[derive(Clone, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub(crate) struct DeviceRecord {
    architecture: String,
    triple: Text,
    data_layout: Text,
    producer: Text,
    nvvm_ir_version: Option<(u32, u32)>,
    /// From the low bit: `ThinLTO`, `EnableSplitLTOUnit`, `UnifiedLTO`, debug information.
    flags: u8,
    options: Vec<OptionSetting>,
    symbols: Vec<SymbolRecord>,
}

impl Artifact for Summary {
    type Record = SummaryRecord;
    const KIND: &'static str = "summary";
    const MAGIC: [u8; 8] = *b"WEFTSUMM";
    const VERSION: u32 = 3;
    const DEFLATED: bool = true;

    fn to_record(&self) -> Cow<'_, SummaryRecord> {
        Cow::Owned(SummaryRecord {
            module_id: self.module_id.clone(),
            device: self.device.as_ref().map(DeviceRecord::of),
            host: self.host.clone(),
        })
    }

    fn of_record(record: SummaryRecord) -> Result<Self, String> {
        let SummaryRecord { module_id, device, host } = record;
        let device = device.map(|device| device.module(&module_id)).transpose()?;
        Ok(Self { module_id, device, host })
    }
}

impl DeviceRecord {
    fn of(module: &DeviceModule) -> Self {
        let mut names = names::Writer::default();
        let LtoFlags { thin, split_unit, unified } = module.lto;
        let flags = [thin, split_unit, unified, module.has_debug_info];
        let flags = flags.into_iter().zip(0_u8..).map(|(is_set, bit)| u8::from(is_set) << bit);
        Self {
            architecture: module.architecture.clone(),
            triple: Text::of(&module.triple),
            data_layout: Text::of(&module.data_layout),
            producer: Text::of(&module.producer),
            nvvm_ir_version: module.nvvm_ir_version,
            flags: flags.sum(),
            options: module.options.clone(),
            symbols: module.symbols.iter().map(|it| SymbolRecord::of(it, &mut names)).collect(),
        }
    }

    fn module(self, module_id: &ModuleId) -> Result<DeviceModule, Fault> {
        let mut names = names::Reader::default();
        let is_set = |bit: u8| self.flags & 1 << bit != 0;
        let symbols = self.symbols.into_iter().map(|it| it.symbol(module_id, &mut names));
        Ok(DeviceModule {
            architecture: self.architecture,
            triple: self.triple.text()?,
            data_layout: self.data_layout.text()?,
            producer: self.producer.text()?,
            nvvm_ir_version: self.nvvm_ir_version,
            lto: LtoFlags { thin: is_set(0), split_unit: is_set(1), unified: is_set(2) },
            has_debug_info: is_set(3),
            options: self.options,
            symbols: symbols.collect::<Result<_, Fault>>()?,
        })
    }
}
