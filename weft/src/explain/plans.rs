//! Plans as text, and the difference of two plans.

use std::collections::BTreeSet;
use std::path::Path;

use weft_artifact::{
    Arithmetic, Artifact as _, DefinitionKind, FunctionAttributes, ImportList, KernelChoice,
    LtoIrPlan, LtoIrRole, LtoIrSymbol, Member, MemoryEffects, Plan, PlannedDefinition,
    PlannedKernel, Resolution, SharedAlignment, SymbolAttributes, SymbolResolution, VirtualCall,
    VirtualCallOutcome, VirtualCallResolution,
};
use weft_cli::{Blame as _, Fault, files};

use super::query::PlanQuery;

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

/// Every fact of a plan, one per line; the meaning of a line does not depend on its position. Plans
/// are printed and compared by these lines alone. Each record is destructured with all its fields,
/// so a new field does not compile until there is a line for it.
fn lines(plan: &Plan) -> Vec<String> {
    let Plan {
        module_id,
        architecture,
        options,
        arithmetic,
        symbols,
        members,
        imports,
        virtual_calls,
        attributes,
        is_empty,
        import_metadata,
        dynamic_shared,
        kernels,
        constants,
        definitions,
        lto_ir,
    } = plan;
    let mut lines = vec![format!("module {module_id}"), format!("architecture {architecture}")];
    lines.extend(options.named().iter().map(|(name, value)| format!("option {name}={value}")));
    let computes = |arithmetic: &Arithmetic| {
        let named = arithmetic.named().into_iter();
        named.map(|(name, is_on)| format!("{name}={}", u8::from(is_on))).collect::<Vec<_>>()
    };
    lines.extend(computes(arithmetic).into_iter().map(|said| format!("arithmetic {said}")));
    lines.extend(is_empty.then(|| "nothing is emitted".to_owned()));
    lines.extend(import_metadata.then(|| "imported functions say where they come from".to_owned()));
    let resolved = |SymbolResolution { name, resolution }: &SymbolResolution| {
        let word = match resolution {
            Resolution::Remove => "remove",
            Resolution::Internalize => "internalize",
            Resolution::Promote => "promote",
            Resolution::Keep => "keep",
            Resolution::AvailableExternally => "inspect only",
            Resolution::Localize => "localize",
            Resolution::Rename => "rename",
        };
        format!("{word} {name}")
    };
    lines.extend(symbols.iter().map(resolved));
    for Member { module_id, arithmetic, symbols } in members {
        lines.push(format!("member {module_id}"));
        let said = computes(arithmetic).into_iter();
        lines.extend(said.map(|said| format!("arithmetic {said} of {module_id}")));
        lines.extend(symbols.iter().map(|symbol| format!("{} of {module_id}", resolved(symbol))));
    }
    for list in imports {
        let ImportList { module_id, arithmetic, symbols, copies: _ } = list;
        let said = computes(arithmetic).into_iter();
        lines.extend(said.map(|said| format!("arithmetic {said} of {module_id}")));
        lines.extend(symbols.iter().map(|symbol| {
            let word = if list.is_copy(symbol) { "copy" } else { "import" };
            format!("{word} {symbol} from {module_id}")
        }));
    }
    lines.extend(dynamic_shared.iter().map(|SharedAlignment { name, alignment }| {
        format!("align dynamic shared memory {name} to {alignment} bytes")
    }));
    lines.extend(kernels.iter().map(|PlannedKernel { name, choice }| {
        let KernelChoice { inline_percent, max_registers } = choice;
        let budget = inline_percent.map(|percent| format!("{percent}% of its inlining budget"));
        let registers = max_registers.map(|limit| format!("at most {limit} registers"));
        let words: Vec<String> = budget.into_iter().chain(registers).collect();
        format!("kernel {name} has {}", words.join(" and "))
    }));
    lines.extend(constants.iter().map(|name| format!("constant {name}")));
    lines.extend(definitions.iter().map(|PlannedDefinition { name, kind }| match kind {
        DefinitionKind::Kernel => format!("declare {name} as a kernel"),
        DefinitionKind::Variable(space) => format!("declare {name} in address space {space}"),
    }));
    lines.extend(virtual_calls.iter().map(|VirtualCallResolution { call, outcome }| {
        let VirtualCall { type_id, offset } = call;
        let outcome = match outcome {
            VirtualCallOutcome::Calls(names) => format!("calls {}", names.join(" or ")),
            VirtualCallOutcome::Returns(result) => format!("returns {result}"),
        };
        format!("virtual call of type {type_id} at {offset} {outcome}")
    }));
    lines.extend(attributes.iter().map(|SymbolAttributes { name, attributes }| {
        format!("function {name} is known for {}", known(*attributes))
    }));
    lines.extend(lto_ir.iter().flat_map(of_lto_ir));
    lines
}

/// Every fact of the orders for a module of LTO IR, one per line.
fn of_lto_ir(orders: &LtoIrPlan) -> Vec<String> {
    let LtoIrPlan { ptx_version, kernels, units, used_variables, symbols } = orders;
    let mut lines = Vec::new();
    if !ptx_version.is_empty() {
        lines.push(format!("PTX of version {ptx_version}"));
    }
    lines.extend(units.iter().zip(1..).map(|(unit, place)| format!("unit {place} is {unit}")));
    lines.extend(kernels.iter().map(|kernel| format!("emit kernel {kernel}")));
    lines.extend(used_variables.iter().map(|name| format!("variable {name} may be written")));
    lines.extend(symbols.iter().map(|LtoIrSymbol { name, linked_name, role, alignment }| {
        let word = match role {
            LtoIrRole::Define => "define",
            LtoIrRole::Extern => "refer to",
            LtoIrRole::Overridden => "refer to another definition of",
        };
        let named = linked_name.as_ref().map(|linked| format!(" as {linked}"));
        let aligned = alignment.map(|bytes| format!(", aligned to {bytes} bytes"));
        format!("{word} {name}{}{}", named.unwrap_or_default(), aligned.unwrap_or_default())
    }));
    lines
}

fn known(attributes: FunctionAttributes) -> String {
    let FunctionAttributes { no_unwind, no_recurse, will_return, memory: effects } = attributes;
    let mut words = Vec::new();
    for (is_known, word) in
        [(no_unwind, "nounwind"), (no_recurse, "norecurse"), (will_return, "willreturn")]
    {
        words.extend(is_known.then(|| word.to_owned()));
    }
    if effects != MemoryEffects::ANY {
        words.push(format!("memory({})", memory(effects)));
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
    let gone = old.iter().filter(|line| !after.contains(line)).map(|line| format!("- {line}\n"));
    let added = new.iter().filter(|line| !before.contains(line));
    gone.chain(added.map(|line| format!("+ {line}\n"))).collect()
}

#[cfg(test)]
mod tests;
