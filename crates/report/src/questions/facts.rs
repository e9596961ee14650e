//! The facts behind answers: the record of decisions with each name once.

use weft_artifact::{ClosureDecision, Decisions, ImportDecision, SymbolFate};

use super::codes::{at_step, of_class, of_exit, of_fate, of_pass, of_refusal};
use crate::data::{Candidate, Closure, Definitions};
use crate::names::NameTable;

/// Decisions about one module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleFacts {
    /// Module id.
    pub id: String,
    /// Candidates for import.
    pub candidates: Vec<Candidate>,
    /// Closures of live kernels.
    pub closures: Vec<Closure>,
}

/// All decisions of one thin link, or of several.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Modules, in the order of the decisions.
    pub modules: Vec<ModuleFacts>,
    /// Definitions of all modules.
    pub definitions: Definitions,
}

impl Facts {
    /// Adds the decisions of a link, and their names to `names`. The error describes the fault of
    /// the record.
    pub fn add(&mut self, decisions: &Decisions, names: &mut NameTable) -> Result<(), String> {
        // Decisions number definitions from the first one of their link.
        let start = self.count();
        for decided in &decisions.modules {
            let first = self.count();
            let module = u32::try_from(self.modules.len()).unwrap_or(u32::MAX);
            for symbol in decided.symbols()? {
                self.add_definition(names.number(&symbol.name), module, symbol.fate, first);
            }
            let closures = decided.closures()?;
            let candidates = decided.imports()?;
            self.modules.push(ModuleFacts {
                id: decided.module_id.to_string(),
                candidates: candidates.iter().map(|import| candidate(import, start)).collect(),
                closures: closures.iter().map(|one| closure(one, start, names)).collect(),
            });
        }
        Ok(())
    }

    fn add_definition(&mut self, name: u32, module: u32, fate: SymbolFate, first: u32) {
        let (fate, step) = of_fate(fate);
        let Definitions { name: names, module: modules, fate: fates, other } =
            &mut self.definitions;
        names.push(name);
        modules.push(module);
        fates.push(fate);
        other.push(step.map_or(-1, |step| at_step(first, step).into()));
    }

    fn count(&self) -> u32 {
        u32::try_from(self.definitions.name.len()).unwrap_or(u32::MAX)
    }
}

fn candidate(import: &ImportDecision, start: u32) -> Candidate {
    let ImportDecision { symbol, cost, refusal, call } = import;
    let mut candidate = Candidate {
        definition: start + symbol,
        cost: *cost,
        refusal: refusal.map(of_refusal),
        ..Candidate::default()
    };
    if let Some(call) = call {
        candidate.caller = Some(start + call.caller);
        candidate.level = call.level;
        candidate.threshold = call.threshold;
        candidate.class = of_class(call.class);
        candidate.pass = of_pass(call.pass);
    }
    candidate
}

fn closure(decision: &ClosureDecision, start: u32, names: &mut NameTable) -> Closure {
    let ClosureDecision { kernel, functions, instructions, exit } = decision;
    let exit = exit.as_ref();
    Closure {
        kernel: start + kernel,
        functions: *functions,
        instructions: *instructions,
        exit: exit.map(|exit| of_exit(exit.reason)),
        caller: exit.map(|exit| start + exit.caller),
        callee: exit.and_then(|exit| Some(names.number(exit.callee.as_deref()?))),
    }
}
