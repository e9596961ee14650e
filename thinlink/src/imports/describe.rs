//! Decisions as the lines that `--print-imports` and `--print-import-failures` print.

use super::decision::Decision;
use crate::model::ids::{ModuleIndex, NodeId};
use crate::model::index::Index;
use crate::model::policy::{ImportPolicy, Printed};
use crate::model::text::line;

/// Returns the lines about one module's candidates, in the order of their modules.
pub(super) fn describe(
    index: &Index<'_>,
    module: ModuleIndex,
    decisions: &[&Decision],
    policy: &ImportPolicy,
) -> String {
    let mut text = String::new();
    let importer = index.module_id(module);
    let name = |node: NodeId| (index.name(node), index.module_id(index.member(node)));
    let Printed { imports, failures } = policy.printed;
    if imports {
        for decision in decisions.iter().filter(|decision| decision.is_import()) {
            let (symbol, source) = name(decision.callee());
            line(&mut text, format_args!("{importer} imports {symbol} from {source}"));
        }
    }
    if failures {
        for decision in decisions.iter().filter(|decision| !decision.is_import()) {
            let (symbol, source) = name(decision.callee());
            let (caller, _) = name(decision.caller());
            let Decision { threshold, cost, attempts, level, .. } = decision;
            line(
                &mut text,
                format_args!(
                    "{importer} does not import {symbol} from {source}: {reason} (cost {cost}, \
                     threshold {threshold}, {class} call from {caller}, level {level}, \
                     {pass} pass, met {attempts} times)",
                    reason = decision.outcome.word(),
                    class = decision.class.word(),
                    pass = decision.pass.word(),
                ),
            );
        }
    }
    text
}
