//! LLVM's thin link, and the imports that it writes into the index of each module.

use std::collections::{BTreeMap, BTreeSet};

use weft_tests::Workbench;

use super::import::Import;
use super::program::Program;

/// Returns the imports of each module according to LLVM.
pub(super) fn imports(bench: &Workbench, program: &Program, knobs: &[&str]) -> BTreeSet<Import> {
    let files: Vec<String> = program.bitcode().collect();
    let mut response = Vec::new();
    for (file, symbols) in files.iter().zip(program.resolutions()) {
        response.push(file.clone());
        let symbols = symbols.into_iter();
        response.extend(symbols.map(|(name, flags)| format!("-r={file},{name},{flags}")));
    }
    bench.write("lto2.rsp", response.join("\n"));
    bench
        .llvm("llvm-lto2")
        .args(["run", "@lto2.rsp", "-o", "unused", "-thinlto-distributed-indexes"])
        .args(knobs.iter().copied())
        .succeed();
    let indexes = files.iter().map(|file| format!("{file}.thinlto.bc"));
    bench.llvm("llvm-dis").args(indexes).succeed();
    let ids: BTreeMap<&str, &str> = files.iter().map(String::as_str).zip(program.ids()).collect();
    let mut imports = BTreeSet::new();
    for (file, id) in &ids {
        let text = String::from_utf8_lossy(&bench.read(&format!("{file}.thinlto.ll"))).into_owned();
        imports.extend(of_index(&text, id, &ids));
    }
    imports
}

/// Returns the imports that the index of one module holds, which are the summaries of other
/// modules' values.
fn of_index(text: &str, importer: &str, ids: &BTreeMap<&str, &str>) -> Vec<Import> {
    let mut sources: BTreeMap<&str, &str> = BTreeMap::new();
    let mut imports = Vec::new();
    for line in text.lines() {
        let Some((number, rest)) = line.split_once(" = ") else { continue };
        if let Some(path) = between(rest, "module: (path: \"", "\"") {
            sources.insert(number, ids.get(path).copied().unwrap_or(path));
        }
        let guid = between(rest, "gv: (guid: ", ",").and_then(|guid| guid.parse().ok());
        let Some(guid) = guid else { continue };
        for summary in rest.split("(module: ").skip(1) {
            let module = summary.split(',').next().unwrap_or_default();
            let source = sources.get(module).copied().unwrap_or(module).to_owned();
            let declaration = between(summary, "importType: ", ")") == Some("declaration");
            if source != importer {
                let importer = importer.to_owned();
                imports.push(Import { importer, source, guid, declaration });
            }
        }
    }
    imports
}

fn between<'text>(text: &'text str, start: &str, end: &str) -> Option<&'text str> {
    let (_, rest) = text.split_once(start)?;
    rest.split(end).next()
}
