//! Plans as text, and what is different in two.

use std::collections::BTreeSet;
use std::path::Path;

use weft_artifact::{
    Arithmetic, Artifact as _, FunctionAttributes, MemoryEffects, Plan, Resolution,
    VirtualCallOutcome,
};
use weft_cli::{Blame as _, Fault, files};

use crate::arguments::PlanQuery;
use crate::report::line;

pub(super) fn answer(query: &PlanQuery) -> anyhow::Result<String> {
    if let Some(path) = &query.print {
        return Ok(lines(&read(path)?).into_iter().map(|line| line + "\n").collect());
    }
    let [old, new] = query.diff.as_slice() else { return Ok(String::new()) };
    Ok(difference(&lines(&read(old)?), &lines(&read(new)?)))
}

fn read(path: &Path) -> anyhow::Result<Plan> {
    Plan::decode(&files::read(path)?).blame(Fault::Input, || path.display().to_string())
}

/// Every fact of a plan, one a line, each of which means the same wherever it stands.
fn lines(plan: &Plan) -> Vec<String> {
    let mut lines =
        vec![format!("module {}", plan.module_id), format!("architecture {}", plan.architecture)];
    lines.extend(plan.options.named().iter().map(|(name, value)| format!("option {name}={value}")));
    let computes = |arithmetic: Arithmetic| {
        let named = arithmetic.named().into_iter();
        named.map(|(name, is_on)| format!("{name}={}", u8::from(is_on))).collect::<Vec<_>>()
    };
    let own = computes(plan.arithmetic).into_iter();
    lines.extend(own.map(|said| format!("arithmetic {said}")));
    lines.extend(plan.symbols.iter().map(|symbol| {
        let word = match symbol.resolution {
            Resolution::Remove => "remove",
            Resolution::Internalize => "internalize",
            Resolution::Promote => "promote",
            Resolution::Keep => "keep",
            Resolution::AvailableExternally => "inspect only",
        };
        format!("{word} {}", symbol.name)
    }));
    for list in &plan.imports {
        let said = computes(list.arithmetic).into_iter();
        lines.extend(said.map(|said| format!("arithmetic {said} of {}", list.module_id)));
        let imports = list.symbols.iter();
        lines.extend(imports.map(|symbol| format!("import {symbol} from {}", list.module_id)));
    }
    lines.extend(plan.virtual_calls.iter().map(|resolution| {
        let call = resolution.call;
        let outcome = match &resolution.outcome {
            VirtualCallOutcome::Calls(names) => format!("calls {}", names.join(" or ")),
            VirtualCallOutcome::Returns(result) => format!("returns {result}"),
        };
        format!("virtual call of type {} at {} {outcome}", call.type_id, call.offset)
    }));
    lines.extend(plan.attributes.iter().map(|symbol| {
        format!("function {} is known for {}", symbol.name, attributes(symbol.attributes))
    }));
    lines
}

fn attributes(known: FunctionAttributes) -> String {
    let mut words = Vec::new();
    for (is_known, word) in [
        (known.no_unwind, "nounwind"),
        (known.no_recurse, "norecurse"),
        (known.will_return, "willreturn"),
    ] {
        words.extend(is_known.then(|| word.to_owned()));
    }
    if known.memory != MemoryEffects::ANY {
        words.push(format!("memory({})", memory(known.memory)));
    }
    words.join(" ")
}

fn memory(effects: MemoryEffects) -> String {
    let kinds = [
        ("arguments", MemoryEffects::READS_ARGUMENTS, MemoryEffects::WRITES_ARGUMENTS),
        ("inaccessible", MemoryEffects::READS_INACCESSIBLE, MemoryEffects::WRITES_INACCESSIBLE),
        ("other", MemoryEffects::READS_OTHER, MemoryEffects::WRITES_OTHER),
    ];
    let has = |part: MemoryEffects| effects.and(part) == part;
    let words = kinds.into_iter().filter_map(|(name, read, write)| {
        let access = match (has(read), has(write)) {
            (false, false) => return None,
            (true, false) => "read",
            (false, true) => "write",
            (true, true) => "read and write",
        };
        Some(format!("{name}: {access}"))
    });
    let words: Vec<_> = words.collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

/// Lines of one plan that the other lacks, in their order.
fn difference(old: &[String], new: &[String]) -> String {
    let (before, after): (BTreeSet<_>, BTreeSet<_>) = (old.iter().collect(), new.iter().collect());
    let mut text = String::new();
    for gone in old.iter().filter(|it| !after.contains(it)) {
        line(&mut text, format_args!("- {gone}"));
    }
    for added in new.iter().filter(|it| !before.contains(it)) {
        line(&mut text, format_args!("+ {added}"));
    }
    text
}
