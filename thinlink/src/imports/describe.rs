//! Decisions as lines for people: what `--print-imports` and `--print-import-failures` print.

use super::{Decision, Imports};
use crate::index::{Index, Module, Node};
use crate::report::line;

/// What to print.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Printed {
    /// Imports, and declarations that stand in for them.
    pub(crate) imports: bool,
    /// Candidates that were not imported.
    pub(crate) failures: bool,
}

/// The lines about one module's candidates, by where those come from.
pub(crate) fn describe(
    index: &Index<'_>,
    module: Module,
    imports: &Imports,
    printed: Printed,
) -> String {
    let mut text = String::new();
    let importer = index.module_id(module);
    let name = |node: Node| (index.name(node), index.module_id(index.module(node)));
    if printed.imports {
        for &node in &imports.imported {
            let (symbol, source) = name(node as usize);
            line(&mut text, format_args!("{importer} imports {symbol} from {source}"));
        }
        for &node in &imports.declared {
            let (symbol, source) = name(node as usize);
            line(&mut text, format_args!("{importer} declares {symbol} from {source}"));
        }
    }
    if printed.failures {
        for decision in imports.decisions.iter().filter(|it| !it.is_import()) {
            let (symbol, source) = name(decision.callee());
            let (caller, _) = name(decision.caller());
            let Decision { threshold, cost, attempts, level, .. } = decision;
            line(
                &mut text,
                format_args!(
                    "{importer} does not import {symbol} from {source}: {reason} (cost {cost}, \
                     threshold {threshold}, {class} call from {caller}, level {level}, {pass} pass, \
                     met {attempts} times)",
                    reason = decision.verdict.word(),
                    class = decision.class.word(),
                    pass = decision.pass.word(),
                ),
            );
        }
    }
    text
}
