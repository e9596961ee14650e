//! Summaries as text for people. Programs read the JSON.

use std::fmt::Write as _;

use weft_artifact::{
    Body, DeviceModule, HostEntryKind, HostFacts, NamedKind, OpaqueImage, OpaqueKind,
    ReferenceForm, Summary, SummaryFile, Symbol, SymbolIndex, architecture_number,
};

/// Returns the listing of a whole file.
pub(crate) fn listing(file: &SummaryFile) -> String {
    let mut text = String::new();
    for summary in &file.summaries {
        module(&mut text, summary);
    }
    text
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{arguments}");
}

fn module(text: &mut String, summary: &Summary) {
    line(text, format_args!("module {}", summary.module_id));
    match &summary.device {
        Some(module) => device(text, module),
        None => line(text, format_args!("  no device bitcode")),
    }
    match &summary.host {
        Some(facts) => host(text, facts),
        None => line(text, format_args!("  host side unknown")),
    }
    for image in &summary.opaque {
        opaque(text, image);
    }
}

fn device(text: &mut String, module: &DeviceModule) {
    let form = if module.lto_ir.is_some() { "LTO IR" } else { "device bitcode" };
    line(text, format_args!("  {form} for {}", module.architecture));
    let written = module.lto_ir.iter().flat_map(|lto_ir| &lto_ir.written);
    let written: Vec<_> = written.filter_map(|&index| module.symbol(index)).collect();
    for symbol in &module.symbols {
        let kind = kind(symbol);
        let linkage = name_of(&symbol.linkage);
        let mut facts = String::new();
        if let Some(function) = symbol.function() {
            let _ = write!(facts, ", {} instructions", function.instruction_count);
        }
        if let Some(variable) = symbol.variable() {
            let (size, space) = (variable.size, symbol.address_space);
            let _ = write!(facts, ", {size} bytes in address space {space}");
        }
        let is_written = written.iter().any(|written| std::ptr::eq(*written, symbol));
        for (holds, word) in [
            (symbol.used, ", used"),
            (symbol.used_by_host, ", perhaps used by host code"),
            (is_written, ", perhaps written"),
        ] {
            facts.push_str(if holds { word } else { "" });
        }
        line(text, format_args!("    {kind} {}: {linkage}{facts}", symbol.name));
        edges(text, module, symbol);
    }
}

fn kind(symbol: &Symbol) -> &'static str {
    match &symbol.body {
        Body::Declaration(_) => "declaration",
        Body::Function(function) if function.flags.kernel => "kernel",
        Body::Function(_) => "function",
        Body::Variable(_) => "variable",
        Body::Alias(_) => "alias",
    }
}

fn edges(text: &mut String, module: &DeviceModule, symbol: &Symbol) {
    let name = |index| module.symbol(index).map_or("?", |symbol| symbol.name.as_str());
    let mut list = |words: &str, symbols: &[SymbolIndex]| {
        for &symbol in symbols {
            line(text, format_args!("      {words} {}", name(symbol)));
        }
    };
    match &symbol.body {
        Body::Function(function) => {
            let context = module.context(function);
            list("calls", &context.direct_calls);
            list("names kernel", &context.kernel_launches);
            list("refers to shared memory", &context.shared);
            list("refers to constant memory", &context.constants);
            list("refers to texture, surface or sampler", &context.handles);
            for symbols in context.others.values() {
                list("refers to", symbols);
            }
            for call in &function.distant_calls {
                let callee = call.callee;
                line(text, format_args!("      calls by profile or metadata GUID {callee}"));
            }
        }
        Body::Variable(variable) => list("refers to", &variable.references),
        Body::Alias(alias) => list("refers to", &[alias.target]),
        Body::Declaration(_) => {}
    }
}

fn host(text: &mut String, facts: &HostFacts) {
    line(text, format_args!("  host code"));
    for entry in &facts.entries {
        let kind = match entry.kind {
            HostEntryKind::Kernel => "kernel",
            HostEntryKind::Variable => "variable",
            HostEntryKind::Other => "object",
        };
        let use_of = match facts.reference(entry.host_symbol).map(|reference| reference.how) {
            _ if entry.host_symbol_is_local => "local, so perhaps referenced",
            Some(ReferenceForm::Explicit) => "referenced explicitly",
            Some(ReferenceForm::Implicit) => "referenced implicitly",
            Some(ReferenceForm::Invisible) => "perhaps referenced: its references are invisible",
            None => "not referenced here",
        };
        line(text, format_args!("    registers {kind} {}: {use_of}", entry.device_name));
    }
    for name in &facts.named {
        let kind = match name.kind {
            NamedKind::Kernel => "kernel",
            NamedKind::Constant => "constant",
            NamedKind::Variable => "variable",
        };
        let linkage = if name.internal { "internal" } else { "external" };
        line(text, format_args!("    names {linkage} {kind} {}", name.pattern));
    }
    let own = |guid| facts.entries.iter().any(|entry| entry.host_symbol == guid);
    let others = facts.references.iter().filter(|reference| !own(reference.guid)).count();
    line(text, format_args!("    refers to {others} symbols of other units"));
}

fn opaque(text: &mut String, image: &OpaqueImage) {
    let kind = match image.kind {
        OpaqueKind::Cubin => "cubin",
        OpaqueKind::Ptx => "PTX",
        OpaqueKind::NvidiaLtoIr => "NVIDIA LTO IR",
        OpaqueKind::Fatbin => "entry of a fat binary",
        OpaqueKind::Object => "image",
    };
    let architecture = match image.architecture.as_str() {
        "" => String::new(),
        architecture => format!(" for {architecture}"),
    };
    let compiled_for = match image.virtual_architecture {
        Some(number) if architecture_number(&image.architecture) != Some(number) => {
            format!(", compiled for compute_{number}")
        }
        _ => String::new(),
    };
    let compressed = if image.compressed { ", compressed" } else { "" };
    line(text, format_args!("  opaque {kind}{architecture}{compiled_for}{compressed}"));
    match &image.symbols {
        None => line(text, format_args!("    symbols cannot be known")),
        Some(symbols) => {
            for (word, names) in [("defines", &symbols.defines), ("needs", &symbols.needs)] {
                for name in names {
                    line(text, format_args!("    {word} {name}"));
                }
            }
            for (name, alignment) in &symbols.dynamic_shared {
                line(text, format_args!("    aligns dynamic shared memory {name} to {alignment}"));
            }
        }
    }
}

/// Returns the word that represents a value in the JSON.
fn name_of(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}
