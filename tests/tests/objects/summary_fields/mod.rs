//! A named test for each field of a summary: IR or CUDA written so that the field has a distinctive
//! value, and the output of `summarize --print`.

mod calls;
mod context;
mod cuda;
mod flags;
mod launch_bounds;
mod module;
mod parameters;
mod priority;
mod profile;
mod prototypes;
mod reads;
mod symbols;
mod types;
mod variables;

use serde_json::Value;
use weft_artifact::{Artifact as _, DeviceModule, SummaryFile};
use weft_tests::Workbench;

/// Head of a module in LLVM IR for the device.
const HEAD: &str = "source_filename = \"unit.cu\"
target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"
";

/// Returns the printed device part of the summary of IR.
fn device(ir: &str) -> Value {
    device_with(ir, &[])
}

/// Summarizes as [`device`] does, with options for `summarize`.
fn device_with(ir: &str, options: &[&str]) -> Value {
    let bench = Workbench::new();
    summarize(&bench, ir, options);
    printed(&bench)
}

/// Returns the decoded device part of the summary of IR.
fn decoded(ir: &str) -> DeviceModule {
    let bench = Workbench::new();
    summarize(&bench, ir, &[]);
    let file = SummaryFile::decode(&bench.read("unit.summary")).expect("a summary");
    let device = file.summaries.into_iter().next().and_then(|summary| summary.device);
    device.expect("a summary with device code")
}

fn summarize(bench: &Workbench, ir: &str, options: &[&str]) {
    bench.write("unit.ll", format!("{HEAD}{ir}"));
    bench.assemble_ir("unit");
    bench
        .weft("summarize")
        .args(["--module-id", "unit.cu", "-o", "unit.summary", "unit.bc"])
        .args(options.iter().copied())
        .succeed();
}

/// Returns the printed device part of `unit.summary`.
fn printed(bench: &Workbench) -> Value {
    let text = bench.weft("summarize").args(["--print", "unit.summary"]).succeed().stdout;
    let mut summary: Value = serde_json::from_str(&text).expect("JSON");
    summary["summaries"][0]["device"].take()
}

/// Returns the printed device part of the summary of CUDA code.
fn device_of_cuda(source: &str) -> Value {
    let bench = Workbench::new();
    bench.write("unit.cu", source);
    bench.compile("unit");
    bench.summarize("unit");
    printed(&bench)
}

/// Returns the symbol called `name`.
fn symbol<'value>(device: &'value Value, name: &str) -> &'value Value {
    let symbols = device["symbols"].as_array().expect("a list of symbols");
    let found = symbols.iter().find(|symbol| symbol["name"] == name);
    found.unwrap_or_else(|| panic!("there is no symbol {name} in {device:#}"))
}

/// Returns the facts of the defined function `name`.
fn function<'value>(device: &'value Value, name: &str) -> &'value Value {
    let function = &symbol(device, name)["body"]["function"];
    assert!(function.is_object(), "{name} is no defined function: {}", symbol(device, name));
    function
}

/// Returns the facts of the defined variable `name`.
fn variable<'value>(device: &'value Value, name: &str) -> &'value Value {
    let variable = &symbol(device, name)["body"]["variable"];
    assert!(variable.is_object(), "{name} is no defined variable: {}", symbol(device, name));
    variable
}

/// Returns the position of the symbol called `name`, by which edges refer to it.
fn position(device: &Value, name: &str) -> usize {
    let symbols = device["symbols"].as_array().expect("a list of symbols");
    symbols.iter().position(|symbol| symbol["name"] == name).expect("a symbol of that name")
}

/// Returns the call from one function to another.
fn call<'value>(device: &'value Value, from: &str, to: &str) -> &'value Value {
    let calls = function(device, from)["calls"].as_array().expect("a list of calls");
    let callee = position(device, to);
    let found = calls.iter().find(|call| call["callee"] == callee);
    found.unwrap_or_else(|| panic!("{from} does not call {to}"))
}
