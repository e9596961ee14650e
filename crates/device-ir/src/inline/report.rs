//! All that the inliner decided in a module.

use std::fmt;

use super::decision::InlineDecision;
use super::imported::ImportedBodies;

/// All decisions of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InlineReport {
    /// Decisions in the order in which they were made: callees before callers.
    pub decisions: Vec<InlineDecision>,
    /// Fate of the imported bodies.
    pub imported: ImportedBodies,
}

impl fmt::Display for InlineReport {
    /// A line for each decision, then one that sums up.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for decision in &self.decisions {
            let verb = if decision.inlined { "inlined" } else { "kept" };
            let from = if decision.imported { " (imported)" } else { "" };
            let InlineDecision { caller, callee, parameter_bytes, .. } = decision;
            let outcome = decision.outcome();
            write!(formatter, "{verb} {callee}{from} in {caller}: {outcome}")?;
            write!(formatter, "; {parameter_bytes} bytes through .param")?;
            if let Some(growth) = decision.growth {
                write!(formatter, "; growth {growth}")?;
            }
            writeln!(formatter)?;
        }
        let calls = self.decisions.iter().filter(|decision| decision.inlined).count();
        let ImportedBodies { bodies, inlined, .. } = self.imported;
        writeln!(
            formatter,
            "inlined {calls} of {} calls, and {inlined} of {bodies} imported bodies",
            self.decisions.len()
        )
    }
}
