//! Writes the PTX of a job, in an order and under names that follow from the job alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use weft_artifact::{LtoIrPlan, digest};
use weft_container::{PtxItemKind, PtxLinkage, PtxToken, ptx_tokens};

use super::module::{Module, Symbol};
use super::reach::Reached;
use super::roles::roots;

/// Names that nvlink numbers through the whole module, up to the number: literals.
const NUMBERED: [&str; 2] = ["$str", "__unnamed_"];

/// Returns the text of all that the job needs.
pub(super) fn write(module: &Module, plan: &LtoIrPlan) -> String {
    let mut module = module.clone();
    module.rename(&literals(&module));
    let directives = module.rest.iter().filter(|text| text.starts_with(".alias"));
    let aliased: Vec<String> = directives.flat_map(|text| operands(text)).collect();
    let reached = Reached::of(&module, roots(plan).chain(aliased), |_, _| false);
    let named: BTreeSet<String> =
        reached.order.iter().flat_map(|name| module.names(&module.symbols[name]).all).collect();

    let mut text = String::new();
    let mut line = |words: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{words}");
    };
    module.header.iter().for_each(|words| line(words));
    let symbols: Vec<(&String, &Symbol)> =
        reached.order.iter().map(|name| (name, &module.symbols[name])).collect();
    for (_, symbol) in symbols.iter().filter(|(name, symbol)| {
        !symbol.is_variable() && (!symbol.has_body() || named.contains(*name))
    }) {
        line(&format!("{}{};", linkage(symbol), prototype(symbol)));
    }
    for (_, symbol) in symbols.iter().filter(|(_, symbol)| symbol.is_variable()) {
        let value = symbol.value.as_ref().map_or_else(String::new, |value| format!(" = {value}"));
        line(&format!("{}{}{value};", linkage(symbol), symbol.head));
    }
    for (_, symbol) in symbols.iter().filter(|(_, symbol)| symbol.has_body()) {
        let body = symbol.value.as_deref().unwrap_or_default();
        line(&format!("\n{}{}\n{body}", linkage(symbol), symbol.head));
    }
    module.rest.iter().for_each(|words| line(words));
    text
}

fn linkage(symbol: &Symbol) -> &'static str {
    match symbol.linkage {
        PtxLinkage::None => "",
        PtxLinkage::Extern => ".extern ",
        PtxLinkage::Visible => ".visible ",
        PtxLinkage::Weak => ".weak ",
        PtxLinkage::Common => ".common ",
    }
}

/// Returns the head of a function or kernel for a declaration. Limits of a kernel's launches, which
/// follow its parameters, are part of the definition alone.
fn prototype(symbol: &Symbol) -> &str {
    let head = &symbol.head;
    if symbol.kind != PtxItemKind::Kernel {
        return head;
    }
    let close =
        ptx_tokens(head, 0..head.len()).filter(|(token, _)| *token == PtxToken::Symbol(')')).last();
    close.map_or(head, |(_, place)| &head[..place.end])
}

/// Returns the names of the literals that follow from their content.
fn literals(module: &Module) -> BTreeMap<String, String> {
    let is_numbered = |name: &str| {
        let number = NUMBERED.iter().find_map(|start| name.strip_prefix(start));
        number.is_some_and(|number| {
            number.trim_start_matches('$').bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let literals = module.symbols.iter().filter(|(name, symbol)| {
        symbol.is_variable() && symbol.linkage == PtxLinkage::None && is_numbered(name)
    });
    literals
        .map(|(name, symbol)| {
            let value = symbol.value.as_deref().unwrap_or_default();
            let content = format!("{}={value}", symbol.head.replace(name.as_str(), ""));
            let digest = digest(content.as_bytes()).to_string();
            (name.clone(), format!("$str${}", &digest[..16]))
        })
        .collect()
}

/// Returns the operands of a directive.
fn operands(text: &str) -> Vec<String> {
    let words = weft_container::ptx_words(text, 0..text.len());
    words.skip(1).map(|(word, _)| word.to_owned()).collect()
}
