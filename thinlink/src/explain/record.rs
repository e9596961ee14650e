//! The record of decisions, made easy to walk.

use std::path::Path;

use weft_artifact::{
    Artifact as _, ClosureDecision, Decisions, ImportDecision, ModuleId, SymbolFate,
};
use weft_cli::{Blame as _, Fault, failure, files};

use crate::emit::files::DECISIONS;
use crate::model::glob::Glob;

/// All definitions of a link with the decisions about them.
pub(super) struct Record {
    definitions: Vec<Entry>,
    /// Each module's imports.
    pub(super) imports: Vec<(ModuleId, Vec<ImportDecision>)>,
    /// Closing of live kernels, in order.
    pub(super) closures: Vec<ClosureDecision>,
}

/// One definition.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) module: ModuleId,
    pub(super) fate: SymbolFate,
    /// Number of its module's first definition, which verdicts count from.
    first: usize,
}

impl Record {
    /// Reads the record in a folder of plans.
    pub(super) fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(DECISIONS);
        let wrong = || path.display().to_string();
        let decisions = Decisions::decode(&files::read(&path)?).blame(Fault::Input, wrong)?;
        let mut record =
            Self { definitions: Vec::new(), imports: Vec::new(), closures: Vec::new() };
        for module in decisions.modules {
            let first = record.definitions.len();
            let symbols = module.symbols().map_err(|reason| failure(Fault::Input, reason))?;
            record.definitions.extend(symbols.into_iter().map(|symbol| Entry {
                name: symbol.name,
                module: module.module_id.clone(),
                fate: symbol.fate,
                first,
            }));
            let closures = module.closures().map_err(|fault| failure(Fault::Input, fault))?;
            record.closures.extend(closures);
            let imports = module.imports().map_err(|fault| failure(Fault::Input, fault))?;
            record.imports.push((module.module_id, imports));
        }
        Ok(record)
    }

    /// Returns the definition with a number. Reading has checked that there is one.
    pub(super) fn get(&self, number: usize) -> &Entry {
        &self.definitions[number]
    }

    /// Returns the definition that a step from the module of `entry` leads to.
    pub(super) fn step(&self, entry: &Entry, step: i64) -> &Entry {
        let step = isize::try_from(step).unwrap_or(0);
        self.get(entry.first.saturating_add_signed(step).min(self.definitions.len() - 1))
    }

    /// Returns all definitions whose names match; an error names the pattern if there are none.
    pub(super) fn matching(&self, pattern: &str) -> anyhow::Result<Vec<&Entry>> {
        let glob = Glob::new(pattern);
        let found = self
            .definitions
            .iter()
            .filter(|entry| entry.name == pattern || glob.matches(&entry.name));
        let found: Vec<_> = found.collect();
        if found.is_empty() {
            let message =
                format!("no module defines '{pattern}': names are mangled, and `*` helps");
            return Err(failure(Fault::Usage, message));
        }
        Ok(found)
    }
}
