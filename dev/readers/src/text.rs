//! Readers of text: PTX, JSON, settings.

use weft_artifact::ModuleId;
use weft_container::{
    LinkJobs, constants_apart, dependence, inline_assembly, module_assembly,
    most_functions_of_a_kernel, ptx_facts, ptx_items, ptx_kernels, ptx_options, ptx_words,
};
use weft_lto_ir::{Background, describe};

/// Reads assembly in functions and in front of them.
pub fn assembly(input: &[u8]) -> bool {
    let text = String::from_utf8_lossy(input);
    let facts = [inline_assembly(&text), module_assembly(&text)];
    facts.iter().any(|facts| !facts.words.is_empty())
}

/// Reads LLVM's list of the jobs of a link.
pub fn link_jobs(input: &[u8]) -> bool {
    LinkJobs::read(input).is_ok_and(|jobs| !jobs.compiler().0.is_empty() || jobs.jobs.is_empty())
}

/// Reads PTX for its facts about a module of LTO IR. Every name of a symbol resolves to one.
pub fn lto_ir_module(input: &[u8]) -> bool {
    let Ok(module_id) = ModuleId::new("a.cu") else { return false };
    let Ok(module) = describe(input, &module_id, &Background::default()) else { return false };
    let written = module.lto_ir.iter().flat_map(|lto_ir| &lto_ir.written);
    let functions = module.symbols.iter().filter_map(|symbol| symbol.function());
    let named = functions.flat_map(|function| &function.references).chain(written);
    assert!(named.into_iter().all(|&index| module.symbol(index).is_some()));
    true
}

/// Reads the symbols and kernels of PTX. The text of a kernel is a part of the input.
pub fn ptx(input: &[u8]) -> bool {
    let facts = ptx_facts(input).is_ok();
    let Ok(kernels) = ptx_kernels(input) else { return false };
    assert!(kernels.iter().all(|kernel| input.get(kernel.text.clone()).is_some()));
    facts
}

/// Reads the options that the first line of PTX states. They can be written and read again, and are
/// the same only if no option is stated twice.
pub fn ptx_header(input: &[u8]) -> bool {
    let Ok(options) = ptx_options(input) else { return false };
    let again = weft_container::with_ptx_options(Vec::new(), &options);
    assert!(ptx_options(&again).is_ok());
    true
}

/// Reads the items of PTX, whose parts are in order and in the text, and their words.
pub fn ptx_parts(input: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(input) else { return false };
    let Ok(items) = ptx_items(text) else { return false };
    let mut end = 0;
    for item in &items {
        assert!(end <= item.range.start && item.range.start == item.head.start);
        end = item.range.end;
        let parts = [Some(&item.head), item.body.as_ref(), item.initializer.as_ref()];
        for part in parts.into_iter().flatten() {
            assert!(text.get(part.clone()).is_some() && part.end <= end);
        }
        for (word, range) in ptx_words(text, item.range.clone()) {
            assert_eq!(text.get(range), Some(word));
        }
    }
    true
}

/// Reads PTX for the modes of ptxas that it allows.
pub fn ptx_modes(input: &[u8]) -> bool {
    let apart = constants_apart(input).is_ok();
    dependence(input).is_ok() & most_functions_of_a_kernel(input).is_ok() & apart
}

/// Reads a report: a page or JSON.
pub fn report(input: &[u8]) -> bool {
    weft_report::unpack(input).is_ok()
}

/// Reads `weft.toml`.
pub fn settings(input: &[u8]) -> bool {
    std::str::from_utf8(input).is_ok_and(|text| weft_cli::check_settings(text).is_ok())
}
