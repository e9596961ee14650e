//! The inliner's part of a report.

use std::collections::BTreeMap;

use weft_artifact::{Plan, promoted_name};
use weft_job::Inlining;
use weft_report::{InlineSite, NameTable};

use super::links::Program;
use super::table::Texts;

/// Origins of imported bodies: the module that provides each, by the name that the body has in the
/// linked module.
pub(super) type Origins = BTreeMap<String, u32>;

/// Returns the origins of the bodies that a plan imports.
pub(super) fn origins(program: &Program, link: u32, plan: &Plan) -> Origins {
    let mut origins = Origins::new();
    for list in &plan.imports {
        let Some(source) = program.find(link, list.module_id.as_str()) else { continue };
        for symbol in &list.symbols {
            // A promoted local has a global name, and a copy has a name specific to its module.
            for name in [symbol.clone(), promoted_name(&list.module_id, symbol)] {
                origins.insert(promoted_name(&plan.module_id, &name), source);
                origins.insert(name, source);
            }
        }
    }
    origins
}

/// Returns the decisions of the inliner about a module.
pub(super) fn sites(
    inlining: &Inlining,
    origins: Option<&Origins>,
    names: &mut NameTable,
    texts: &mut Texts,
) -> Vec<InlineSite> {
    let text = |texts: &mut Texts, at: i64| {
        let text = usize::try_from(at).ok().and_then(|at| inlining.texts.get(at));
        text.map(|text| texts.number(text))
    };
    let name = |at: i64| usize::try_from(at).ok().and_then(|at| inlining.names.get(at));
    let mut site = |row: &[i64; 8]| {
        let [from, to, inlined, reason, cost, limit, instructions, advice] = *row;
        let callee = name(to)?;
        Some(InlineSite {
            caller: names.number(name(from)?),
            callee: names.number(callee),
            inlined: inlined != 0,
            origin: origins.and_then(|origins| origins.get(callee)).copied(),
            reason: text(texts, reason)?,
            cost,
            limit,
            instructions,
            advice: text(texts, advice).map_or(-1, i64::from),
        })
    };
    inlining.sites.iter().filter_map(&mut site).collect()
}
