//! Writes the summaries of a generated program, for `cargo xtask bench thinlink`, as `summarize`
//! would for its units, but without the bitcode, so that a program of millions of symbols is there
//! in seconds.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use dev_graph::{Graph, Kind, Program as _, Shape};
use rayon::prelude::*;
use weft_artifact::{
    Artifact as _, Body, Call, Comdat, Declaration, DeviceModule, FunctionFlags, FunctionSummary,
    Guid, HostEntry, HostEntryKind, HostFacts, HostReference, ImportPriority, Linkage, ModuleId,
    ParameterCost, ReferenceForm, Summary, SummaryFile, Symbol, SymbolIndex, VariableSummary,
    Visibility,
};

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, numbers @ ..] = &arguments[..] else {
        return Err("usage: generate_index DIR MODULES SYMBOLS DENSITY SEED".into());
    };
    let numbers = numbers.iter().map(|number| number.parse()).collect::<Result<Vec<usize>, _>>()?;
    let [modules, symbols, density, seed] = numbers[..] else {
        return Err("four numbers, please: MODULES SYMBOLS DENSITY SEED".into());
    };
    let graph = Graph::new(Shape { modules, symbols, density, seed: seed as u64 });
    let folder = Path::new(folder);
    fs::create_dir_all(folder)?;
    let written: Result<Vec<Written>, Box<dyn Error + Send + Sync>> =
        (0..modules).into_par_iter().map(|module| write(&graph, module, folder)).collect();
    let written = written?;
    let paths: Vec<String> = written.iter().map(|unit| unit.path.display().to_string()).collect();
    fs::write(folder.join("all.rsp"), paths.join("\n"))?;
    let sum = |count: fn(&Written) -> usize| written.iter().map(count).sum::<usize>();
    println!(
        "{modules} modules, {} values, {} edges, {} bytes of summaries",
        sum(|unit| unit.values),
        sum(|unit| unit.edges),
        sum(|unit| unit.bytes)
    );
    Ok(())
}

struct Written {
    path: PathBuf,
    values: usize,
    edges: usize,
    bytes: usize,
}

fn write(
    graph: &Graph,
    module: usize,
    folder: &Path,
) -> Result<Written, Box<dyn Error + Send + Sync>> {
    let built = graph.module(module);
    let module_id = ModuleId::new(built.id.clone())?;
    let symbols: Vec<Symbol> =
        built.symbols.iter().map(|drawn| symbol(drawn, &module_id)).collect();
    let values = symbols.iter().filter(|symbol| symbol.is_definition()).count();
    let functions = || symbols.iter().filter_map(Symbol::function);
    let edges = functions().map(|function| function.calls.len() + function.references.len()).sum();
    let device = DeviceModule {
        architecture: dev_graph::architecture_of_ir().to_owned(),
        triple: "nvptx64-nvidia-cuda".to_owned(),
        data_layout: "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64".to_owned(),
        producer: "LLVM22.1.8".to_owned(),
        nvvm_ir_version: None,
        options: Vec::new(),
        lto_ir: None,
        symbols,
    };
    let host = host_facts(&built);
    let summary = Summary { module_id, device: Some(device), host: Some(host), opaque: Vec::new() };
    let bytes = SummaryFile::from(summary).encode()?;
    let path = folder.join(format!("{module:05}.summary"));
    fs::write(&path, &bytes)?;
    Ok(Written { path, values, edges, bytes: bytes.len() })
}

/// The unit launches all of its kernels.
fn host_facts(module: &dev_graph::Module) -> HostFacts {
    let kernels = module
        .symbols
        .iter()
        .filter(|symbol| matches!(&symbol.kind, Kind::Function(function) if function.kernel));
    let stub = |name: &str| Guid::of_global(&format!("__device_stub__{name}"));
    let entries: Vec<HostEntry> = kernels
        .map(|kernel| HostEntry {
            device_name: kernel.name.clone(),
            kind: HostEntryKind::Kernel,
            host_symbol: stub(&kernel.name),
            host_symbol_is_local: false,
        })
        .collect();
    let mut references: Vec<HostReference> = entries
        .iter()
        .map(|entry| HostReference { guid: entry.host_symbol, how: ReferenceForm::Explicit })
        .collect();
    references.sort_unstable();
    HostFacts { entries, references, ..HostFacts::default() }
}

fn symbol(symbol: &dev_graph::Symbol, module_id: &ModuleId) -> Symbol {
    let linkage = match &symbol.kind {
        Kind::Function(function) => match function.linkage {
            dev_graph::Linkage::External => Linkage::External,
            dev_graph::Linkage::LinkonceOdr => Linkage::LinkonceOdr,
            dev_graph::Linkage::Internal => Linkage::Internal,
        },
        Kind::Table | Kind::Declaration => Linkage::External,
    };
    Symbol {
        name: symbol.name.clone(),
        guid: match linkage {
            Linkage::Internal => Guid::of_local(module_id, &symbol.name),
            _ => Guid::of_global(&symbol.name),
        },
        linkage,
        visibility: Visibility::Default,
        dso_local: false,
        comdat: Comdat::None,
        address_space: u32::from(matches!(symbol.kind, Kind::Table)),
        address_taken: false,
        used: false,
        used_by_host: false,
        content: None,
        prototype: None,
        body: match &symbol.kind {
            Kind::Declaration => Body::Declaration(Declaration::Function),
            Kind::Table => Body::Variable(VariableSummary {
                size: 64,
                constant: true,
                initialized: true,
                ..VariableSummary::default()
            }),
            Kind::Function(function) => Body::Function(body(function)),
        },
    }
}

fn body(function: &dev_graph::Function) -> FunctionSummary {
    let cost = ParameterCost {
        argument_bytes: 4,
        parameter_bytes: 4,
        return_bytes: 4,
        coerced_arguments: 0,
    };
    FunctionSummary {
        instruction_count: function.instructions,
        flags: FunctionFlags {
            kernel: function.kernel,
            no_inline: function.no_inline,
            always_inline: function.always_inline,
            no_unwind: true,
            ..FunctionFlags::default()
        },
        import_priority: match (function.kernel, function.no_inline, function.always_inline) {
            (true, ..) => ImportPriority::Never,
            (_, true, _) => ImportPriority::Low,
            (_, _, true) => ImportPriority::Force,
            _ => ImportPriority::Standard,
        },
        calls: function
            .calls
            .iter()
            .map(|&callee| Call { cost, ..Call::once(SymbolIndex(callee)) })
            .collect(),
        references: function.reads.iter().copied().map(SymbolIndex).collect(),
        ..FunctionSummary::default()
    }
}
