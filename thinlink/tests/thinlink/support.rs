//! Builds summaries by name.

use std::collections::BTreeMap;
use std::error::Error;
use std::num::NonZeroU32;
use std::path::PathBuf;

use thinlink::Unit;
use weft_artifact::{
    Call, Comdat, DeviceModule, FunctionFlags, FunctionSummary, Guid, HostEntry, HostEntryKind,
    HostFacts, HostReference, LinkSymbols, Linkage, LtoIrModule, ModuleId, NamedKind,
    NamedReference, OpaqueImage, OpaqueKind, OpaqueSymbols, OptionSetting, ReferenceForm, Summary,
    Symbol, SymbolIndex, TrackedOption, TypeMember, VariableSummary, VirtualCall, Visibility,
};

use crate::declarations::declare_as_defined;
use crate::drafts::{Draft, Kind};

pub(crate) type TestResult = Result<(), Box<dyn Error>>;

/// A unit whose symbols name each other by name. What is named and not defined gets declared.
#[derive(Clone)]
pub(crate) struct Module {
    id: String,
    architecture: String,
    triple: String,
    data_layout: String,
    nvvm_ir_version: Option<(u32, u32)>,
    symbols: BTreeMap<String, Draft>,
    host: Option<HostFacts>,
    opaque: Vec<OpaqueImage>,
    options: Vec<OptionSetting>,
    /// For a module of LTO IR, the variables that its code may write.
    written: Option<Vec<String>>,
}

/// A read-only variable in global memory.
pub(crate) fn constant() -> VariableSummary {
    VariableSummary { size: 64, constant: true, ..VariableSummary::default() }
}

/// A `__device__` variable.
pub(crate) fn device_variable() -> VariableSummary {
    VariableSummary { constant: false, externally_initialized: true, ..constant() }
}

/// A string literal.
pub(crate) fn literal() -> VariableSummary {
    VariableSummary { copyable: true, ..constant() }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

impl Module {
    /// A unit without symbols whose host code refers to nothing.
    pub(crate) fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            architecture: "sm_90".to_owned(),
            triple: "nvptx64-nvidia-cuda".to_owned(),
            data_layout: "e-i64:64".to_owned(),
            nvvm_ir_version: None,
            symbols: BTreeMap::new(),
            host: Some(HostFacts::default()),
            opaque: Vec::new(),
            options: Vec::new(),
            written: None,
        }
    }

    /// Makes the device code NVIDIA's LTO IR, which may write the variables `written`.
    pub(crate) fn lto_ir_module(mut self, written: &[&str]) -> Self {
        self.written = Some(owned(written));
        self
    }

    /// Whether the device code is NVIDIA's LTO IR.
    pub(crate) fn is_lto_ir(&self) -> bool {
        self.written.is_some()
    }

    fn with(mut self, name: &str, linkage: Linkage, kind: Kind) -> Self {
        let address_space = u32::from(matches!(kind, Kind::Variable { .. }));
        let draft = Draft { address_space, ..Draft::new(linkage, kind) };
        self.symbols.insert(name.to_owned(), draft);
        self
    }

    /// The module's id.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn architecture(mut self, architecture: &str) -> Self {
        architecture.clone_into(&mut self.architecture);
        self
    }

    pub(crate) fn triple(mut self, triple: &str) -> Self {
        triple.clone_into(&mut self.triple);
        self
    }

    pub(crate) fn data_layout(mut self, layout: &str) -> Self {
        layout.clone_into(&mut self.data_layout);
        self
    }

    /// Sets the version of NVVM IR that the unit states.
    pub(crate) fn nvvm_ir_version(mut self, major: u32, minor: u32) -> Self {
        self.nvvm_ir_version = Some((major, minor));
        self
    }

    /// Changes how a symbol is linked.
    pub(crate) fn linkage(self, name: &str, linkage: Linkage) -> Self {
        self.drafted(name, |draft| draft.linkage = linkage)
    }

    /// Nothing is known of the unit's host side.
    pub(crate) fn device_only(mut self) -> Self {
        self.host = None;
        self
    }

    /// A function of ten instructions.
    pub(crate) fn function(self, name: &str, linkage: Linkage, calls: &[&str]) -> Self {
        let kind = Kind::Function {
            instructions: 10,
            flags: FunctionFlags::default(),
            calls: owned(calls),
            call_facts: BTreeMap::new(),
            references: Vec::new(),
            reads: Vec::new(),
            facts: Box::default(),
        };
        self.with(name, linkage, kind)
    }

    /// A kernel with an offload entry through a global stub.
    pub(crate) fn kernel(self, name: &str, calls: &[&str]) -> Self {
        self.function(name, Linkage::External, calls)
            .flags(name, |flags| flags.kernel = true)
            .entry(name, HostEntryKind::Kernel, false)
    }

    /// A kernel that this unit's host code launches.
    pub(crate) fn launched(self, name: &str, calls: &[&str]) -> Self {
        self.kernel(name, calls).host_refers_to(name)
    }

    pub(crate) fn variable(self, name: &str, linkage: Linkage, facts: VariableSummary) -> Self {
        self.with(
            name,
            linkage,
            Kind::Variable { facts, references: Vec::new(), slots: Vec::new() },
        )
    }

    /// Moves a variable out of global memory.
    pub(crate) fn in_address_space(self, name: &str, address_space: u32) -> Self {
        self.drafted(name, |draft| draft.address_space = address_space)
    }

    pub(crate) fn alias(self, name: &str, linkage: Linkage, target: &str) -> Self {
        self.with(name, linkage, Kind::Alias { target: target.to_owned() })
    }

    pub(crate) fn declaration(self, name: &str) -> Self {
        self.with(name, Linkage::External, Kind::Declaration)
    }

    /// Declares dynamic shared memory.
    pub(crate) fn dynamic_shared(self, name: &str, alignment: u32) -> Self {
        self.with(name, Linkage::External, Kind::DynamicShared(alignment)).in_address_space(name, 3)
    }

    pub(crate) fn entry(mut self, name: &str, kind: HostEntryKind, local: bool) -> Self {
        if let Some(host) = &mut self.host {
            host.entries.push(HostEntry {
                device_name: name.to_owned(),
                kind,
                host_symbol: stub(name),
                host_symbol_is_local: local,
            });
            host.entries.sort_by(|first, second| first.device_name.cmp(&second.device_name));
        }
        self
    }

    pub(crate) fn host_refers_to(self, name: &str) -> Self {
        self.host_refers_to_symbol(stub(name))
    }

    /// Adds a reference of host code to a host symbol.
    pub(crate) fn host_refers_to_symbol(mut self, guid: Guid) -> Self {
        if let Some(host) = &mut self.host {
            let how = ReferenceForm::Explicit;
            host.references.push(HostReference { guid, how });
            host.references.sort_unstable();
        }
        self
    }

    /// Hides the host symbol of a kernel or variable from other files of the process.
    pub(crate) fn hidden(mut self, name: &str) -> Self {
        let guid = if self.is_lto_ir() { Guid::of_global(name) } else { stub(name) };
        if let Some(host) = &mut self.host {
            host.hidden.push(guid);
            host.hidden.sort_unstable();
        }
        self
    }

    /// Sets the symbols by which the host linker takes the unit from an archive.
    pub(crate) fn host_symbols(mut self, defines: &[&str], needs: &[&str]) -> Self {
        let numbers = |names: &[&str]| names.iter().map(|name| LinkSymbols::number(name)).collect();
        let link = LinkSymbols { defines: numbers(defines), needs: numbers(needs) };
        self.host.get_or_insert_default().link = link;
        self
    }

    /// Adds a name to one of nvcc's host reference tables.
    pub(crate) fn host_names(mut self, kind: NamedKind, internal: bool, pattern: &str) -> Self {
        if let Some(host) = &mut self.host {
            host.named.push(NamedReference { kind, internal, pattern: pattern.to_owned() });
            host.named.sort();
        }
        self
    }

    /// Adds a cubin that was compiled for a virtual architecture, with the alignment of the dynamic
    /// shared memory that it names.
    pub(crate) fn cubin(
        self,
        compiled_for: &str,
        defines: &[&str],
        needs: &[&str],
        memory: &[(&str, u32)],
    ) -> Self {
        let needs = needs.iter().chain(memory.iter().map(|(name, _)| name)).copied();
        let symbols = OpaqueSymbols {
            defines: owned(defines),
            needs: owned(&needs.collect::<Vec<_>>()),
            dynamic_shared: memory
                .iter()
                .map(|(name, alignment)| ((*name).to_owned(), *alignment))
                .collect(),
        };
        let number = compiled_for.strip_prefix("compute_");
        let virtual_architecture = number.and_then(|number| number.parse().ok());
        self.image(OpaqueKind::Cubin, virtual_architecture, Some(symbols.normalized()))
    }

    /// Adds NVIDIA LTO IR.
    pub(crate) fn lto_ir(self) -> Self {
        self.image(OpaqueKind::NvidiaLtoIr, None, None)
    }

    fn image(
        mut self,
        kind: OpaqueKind,
        virtual_architecture: Option<u32>,
        symbols: Option<OpaqueSymbols>,
    ) -> Self {
        let architecture = self.architecture.clone();
        let compressed = false;
        let image = OpaqueImage { kind, architecture, virtual_architecture, compressed, symbols };
        self.opaque.push(image);
        self
    }

    fn drafted(mut self, name: &str, change: impl FnOnce(&mut Draft)) -> Self {
        if let Some(draft) = self.symbols.get_mut(name) {
            change(draft);
        }
        self
    }

    pub(crate) fn used(self, name: &str) -> Self {
        self.drafted(name, |draft| draft.used = true)
    }

    /// Sets the digest of a definition that a different one may replace.
    pub(crate) fn content(self, name: &str, content: u32) -> Self {
        self.drafted(name, |draft| draft.content = Some(content.into()))
    }

    /// Sets the digest of the prototype of a function.
    pub(crate) fn prototype(self, name: &str, prototype: u32) -> Self {
        self.drafted(name, |draft| draft.prototype = NonZeroU32::new(prototype))
    }

    pub(crate) fn used_by_host(self, name: &str) -> Self {
        self.drafted(name, |draft| draft.used_by_host = true)
    }

    pub(crate) fn refers(self, name: &str, to: &[&str]) -> Self {
        self.drafted(name, |draft| match &mut draft.kind {
            Kind::Function { references, .. } | Kind::Variable { references, .. } => {
                references.extend(owned(to));
            }
            Kind::Declaration | Kind::DynamicShared(_) | Kind::Alias { .. } => {}
        })
    }

    /// Has a function read variables, and do nothing else with them.
    pub(crate) fn only_reads(self, name: &str, variables: &[&str]) -> Self {
        self.refers(name, variables).drafted(name, |draft| {
            if let Kind::Function { reads, .. } = &mut draft.kind {
                reads.extend(owned(variables));
            }
        })
    }

    pub(crate) fn instructions(self, name: &str, count: u32) -> Self {
        self.drafted(name, |draft| {
            if let Kind::Function { instructions, .. } = &mut draft.kind {
                *instructions = count;
            }
        })
    }

    /// Changes what is known of a function.
    pub(crate) fn facts(mut self, name: &str, change: impl FnOnce(&mut FunctionSummary)) -> Self {
        if let Some(Draft { kind: Kind::Function { facts, .. }, .. }) = self.symbols.get_mut(name) {
            change(facts);
        }
        self
    }

    /// A virtual call of `type_name` through the slot at `offset`.
    pub(crate) fn virtual_call(self, name: &str, type_name: &str, offset: u64) -> Self {
        let type_id = Guid::of_global(type_name);
        self.facts(name, |facts| {
            facts.virtual_calls.push(VirtualCall { type_id, offset });
            facts.indirect_calls += 1;
        })
    }

    /// Adds a table of virtual functions of a class, one after the other from its address point on,
    /// which is also a table of every other type named.
    pub(crate) fn table(
        mut self,
        name: &str,
        linkage: Linkage,
        functions: &[&str],
        types: &[&str],
    ) -> Self {
        let point = 16;
        let size = point + 8 * functions.len() as u64;
        let type_ids = types
            .iter()
            .map(|name| TypeMember { type_id: Guid::of_global(name), offset: point })
            .collect();
        let facts = VariableSummary { size, type_ids, ..constant() };
        let named: Vec<&str> = functions.iter().copied().filter(|name| !name.is_empty()).collect();
        self = self.variable(name, linkage, facts).refers(name, &named);
        if let Some(Draft { kind: Kind::Variable { slots, .. }, .. }) = self.symbols.get_mut(name) {
            let offsets = (0..).map(|position| point + 8 * position);
            let all = offsets.zip(functions).filter(|(_, name)| !name.is_empty());
            slots.extend(all.map(|(offset, name)| (offset, (*name).to_owned())));
        }
        self
    }

    /// An option that the build said the unit was compiled with.
    pub(crate) fn option(self, option: TrackedOption, value: u32) -> Self {
        self.setting(OptionSetting { option, value, given: true, fixed: None, asked: false })
    }

    /// Adds an option that the unit's code has for good.
    pub(crate) fn option_of_code(self, option: TrackedOption, value: u32, asked: bool) -> Self {
        let fixed = Some(value);
        self.setting(OptionSetting { option, value, given: false, fixed, asked })
    }

    fn setting(mut self, setting: OptionSetting) -> Self {
        self.options.push(setting);
        self.options.sort();
        self
    }

    pub(crate) fn flags(mut self, name: &str, change: impl FnOnce(&mut FunctionFlags)) -> Self {
        if let Some(Draft { kind: Kind::Function { flags, .. }, .. }) = self.symbols.get_mut(name) {
            change(flags);
        }
        self
    }

    /// Changes the facts of the calls from `name` to `callee`.
    pub(crate) fn call_facts(
        mut self,
        name: &str,
        callee: &str,
        change: impl FnOnce(&mut Call),
    ) -> Self {
        if let Some(Draft { kind: Kind::Function { call_facts, .. }, .. }) =
            self.symbols.get_mut(name)
        {
            let call = call_facts.entry(callee.to_owned());
            change(call.or_insert_with(|| Call::once(SymbolIndex(0))));
        }
        self
    }

    /// The unit with its summary, from the file `<id>.summary`.
    pub(crate) fn build(&self) -> Result<Unit, Box<dyn Error>> {
        let mut symbols = self.symbols.clone();
        for name in self.symbols.values().flat_map(|draft| draft.kind.names()) {
            let declared = Draft::new(Linkage::External, Kind::Declaration);
            symbols.entry(name.to_owned()).or_insert(declared);
        }
        let module_id = ModuleId::new(self.id.clone())?;
        let names: Vec<&String> = symbols.keys().collect();
        let symbols = symbols
            .iter()
            .map(|(name, draft)| {
                Ok(Symbol {
                    name: name.clone(),
                    guid: if draft.linkage.is_local() {
                        Guid::of_local(&module_id, name)
                    } else {
                        Guid::of_global(name)
                    },
                    linkage: draft.linkage,
                    visibility: Visibility::Default,
                    dso_local: true,
                    comdat: Comdat::None,
                    address_space: draft.address_space,
                    address_taken: false,
                    used: draft.used,
                    used_by_host: draft.used_by_host,
                    content: draft.content,
                    prototype: draft.prototype,
                    body: draft.kind.body(draft.address_space, &names)?,
                })
            })
            .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
        let position = |name: &String| -> Result<SymbolIndex, Box<dyn Error>> {
            let position = names.binary_search(&name).map_err(|_| format!("no symbol {name}"))?;
            Ok(SymbolIndex(u32::try_from(position)?))
        };
        let lto_ir = match &self.written {
            None => None,
            Some(written) => {
                let written = written.iter().map(position).collect::<Result<_, _>>()?;
                let release = "13.5".to_owned();
                Some(LtoIrModule { release, ptx_version: String::new(), written })
            }
        };
        let has_code = !symbols.is_empty() || lto_ir.is_some();
        let device = has_code.then(|| DeviceModule {
            architecture: self.architecture.clone(),
            triple: self.triple.clone(),
            data_layout: self.data_layout.clone(),
            producer: "LLVM22.1.8".to_owned(),
            nvvm_ir_version: self.nvvm_ir_version,
            options: self.options.clone(),
            lto_ir,
            symbols,
        });
        let path = PathBuf::from(format!("{}.summary", self.id));
        let (host, opaque) = (self.host.clone(), self.opaque.clone());
        Ok(Unit { path, summary: Summary { module_id, device, host, opaque } })
    }
}

fn stub(name: &str) -> Guid {
    Guid::of_global(&format!("__device_stub__{name}"))
}

pub(crate) fn units(modules: &[Module]) -> Result<Vec<Unit>, Box<dyn Error>> {
    let mut units = modules.iter().map(Module::build).collect::<Result<Vec<_>, _>>()?;
    declare_as_defined(&mut units);
    Ok(units)
}
