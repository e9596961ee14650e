//! Why a module imports a symbol, and why not.

use weft_artifact::{CallClass, ImportCall, ImportDecision, ImportPass, ImportRefusal};
use weft_cli::{Fault, failure};

use super::query::ImportQuery;
use super::record::Record;
use crate::model::text::line;

/// Describes the decision about the symbol in the module. `wanted` says which answer the question
/// takes for granted; the true one is given either way.
pub(super) fn why(query: &ImportQuery, wanted: bool) -> anyhow::Result<String> {
    let record = Record::read(&query.output_dir)?;
    let (_, imports) =
        record.imports.iter().find(|(module, _)| *module == query.module).ok_or_else(|| {
            failure(Fault::Usage, format!("there is no module '{}'", query.module))
        })?;
    record.matching(&query.symbol)?;
    let mut text = String::new();
    for import in imports {
        let symbol = record.get(import.symbol as usize);
        if symbol.name == query.symbol {
            let but = if import.refusal.is_none() == wanted { "" } else { "But " };
            line(
                &mut text,
                format_args!(
                    "{but}{} {} {} from {}",
                    query.module,
                    if import.refusal.is_none() { "imports" } else { "does not import" },
                    symbol.name,
                    symbol.module
                ),
            );
            facts(&mut text, &record, import);
        }
    }
    if text.is_empty() {
        let but = if wanted { "But " } else { "" };
        let (module, symbol) = (&query.module, &query.symbol);
        line(
            &mut text,
            format_args!("{but}{module} does not import {symbol}: it was not among the candidates"),
        );
    }
    Ok(text)
}

fn facts(text: &mut String, record: &Record, import: &ImportDecision) {
    if let Some(refusal) = import.refusal {
        line(text, format_args!("  reason: {}", reason(refusal)));
    }
    // Variables are not weighed.
    let is_weighed = import.cost > 0 || import.call.as_ref().is_some_and(|call| call.threshold > 0);
    if is_weighed {
        line(text, format_args!("  cost: {} instructions", import.cost));
    }
    if let Some(ImportCall { caller, level, threshold, class, pass }) = &import.call {
        let caller = record.get(*caller as usize);
        if is_weighed {
            line(text, format_args!("  threshold: {threshold} instructions"));
            line(text, format_args!("  class: {}", name_of_class(*class)));
        }
        line(text, format_args!("  level: {level}"));
        line(text, format_args!("  pass: {}", name_of_pass(*pass)));
        line(text, format_args!("  caller: {} of {}", caller.name, caller.module));
    }
}

fn name_of_class(class: CallClass) -> &'static str {
    match class {
        CallClass::Default => "default",
        CallClass::Cold => "cold",
        CallClass::Hot => "hot",
        CallClass::Critical => "critical",
    }
}

fn name_of_pass(pass: ImportPass) -> &'static str {
    match pass {
        ImportPass::Direct => "direct",
        ImportPass::Transitive => "transitive",
        ImportPass::Speculative => "speculative",
    }
}

fn reason(refusal: ImportRefusal) -> &'static str {
    match refusal {
        ImportRefusal::TooLarge => "it is too large",
        ImportRefusal::NotWorthIt => "calls of its class are not worth an import",
        ImportRefusal::Kernel => "it is a kernel",
        ImportRefusal::NoInline => "it is noinline",
        ImportRefusal::NotImportable => "its body cannot be copied",
        ImportRefusal::Replaceable => "another definition may replace it",
        ImportRefusal::NamesPinnedLocal => "it names a local that must keep its name",
        ImportRefusal::CutOff => "the number of imports was used up",
        ImportRefusal::Alias => "it is an alias",
        ImportRefusal::NotConstant => "it is no constant in global or constant memory",
        ImportRefusal::ConstantWithReferences => "it is a constant that names symbols",
        ImportRefusal::BudgetSpent => {
            "its callers' budgets for inlining are spent on other callees"
        }
    }
}
