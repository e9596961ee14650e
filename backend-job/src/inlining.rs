//! Decisions of the inliner about a module, in words.

use std::collections::BTreeMap;

use weft_device_ir::{InlineDecision, InlineModel, InlineReason, InlineReport};
use weft_job::Inlining;

/// LLVM's units for each instruction.
const UNITS: i64 = 5;

/// Describes the decisions that `model` made.
pub(crate) fn inlining(report: &InlineReport, model: InlineModel) -> Inlining {
    let (mut names, mut texts) = (Numbers::default(), Numbers::default());
    let mut site = |decision: &InlineDecision| {
        [
            names.number(&decision.caller),
            names.number(&decision.callee),
            decision.inlined.into(),
            texts.number(&reason(decision, model)),
            decision.cost,
            decision.limit,
            decision.growth.map_or(-1, |growth| growth.max(0) / UNITS),
            advice(decision, model).map_or(-1, |advice| texts.number(&advice)),
        ]
    };
    let sites = report.decisions.iter().map(&mut site).collect();
    Inlining { names: names.texts, texts: texts.texts, sites }
}

/// Texts with numbers, each once.
#[derive(Default)]
struct Numbers {
    texts: Vec<String>,
    known: BTreeMap<String, i64>,
}

impl Numbers {
    fn number(&mut self, text: &str) -> i64 {
        if let Some(number) = self.known.get(text) {
            return *number;
        }
        // There is no memory for 2^63 texts.
        let number = i64::try_from(self.known.len()).unwrap_or(i64::MAX);
        self.texts.push(text.to_owned());
        self.known.insert(text.to_owned(), number);
        number
    }
}

/// Returns why a call was inlined or not, as an end of a sentence that starts with the callee.
fn reason(decision: &InlineDecision, model: InlineModel) -> String {
    match &decision.reason {
        InlineReason::AlwaysInline => "it must be inlined everywhere".to_owned(),
        InlineReason::Intrinsic => "it is one of LLVM's own functions".to_owned(),
        InlineReason::NotAnalyzable(words) if words.is_empty() => {
            "LLVM cannot estimate its cost".to_owned()
        }
        InlineReason::NotAnalyzable(words) => format!("LLVM cannot inline it: {words}"),
        InlineReason::Attributes(words) => format!("attributes forbid it: {words}"),
        InlineReason::Linkage => "another definition may take its place".to_owned(),
        InlineReason::Protected => "its visibility is protected".to_owned(),
        InlineReason::Declaration => "the module has no body of it".to_owned(),
        InlineReason::NoInline => "it is noinline".to_owned(),
        InlineReason::NoOptimize => "it is optnone".to_owned(),
        InlineReason::LoadsTimesStores(product) => {
            format!("its loads times its stores are {product}, and 100 are allowed")
        }
        InlineReason::SwitchCases(cases) => format!("it has a switch of {cases} cases"),
        InlineReason::InlineAll => "all calls are inlined".to_owned(),
        InlineReason::Disabled => "inlining is disabled".to_owned(),
        InlineReason::Cost if decision.inlined => "it costs no more than it may".to_owned(),
        InlineReason::Cost if decision.cost <= decision.limit && model != InlineModel::Nvidia => {
            "LLVM could not inline it".to_owned()
        }
        InlineReason::Cost => "it costs more than it may".to_owned(),
        InlineReason::CallerBudget => "its caller has no room left".to_owned(),
        InlineReason::TotalBudget => "its module has no room left".to_owned(),
    }
}

/// Returns the option or the edit that would change a decision against inlining.
fn advice(decision: &InlineDecision, model: InlineModel) -> Option<String> {
    if decision.inlined {
        return None;
    }
    let (budget, kernel) = match model {
        InlineModel::Llvm => ("--inline-threshold", "--inline-threshold"),
        InlineModel::Gpu | InlineModel::Nvidia => ("--inline-budget", "--inline-adj-budget"),
    };
    let budget = if decision.is_in_kernel { kernel } else { budget };
    let says_noinline = |words: &str| words.contains("noinline");
    Some(match &decision.reason {
        InlineReason::NoInline => NOINLINE.to_owned(),
        InlineReason::NotAnalyzable(words) | InlineReason::Attributes(words)
            if says_noinline(words) =>
        {
            NOINLINE.to_owned()
        }
        InlineReason::NotAnalyzable(words) if words.contains("recurs") => {
            "A loop instead of the recursion would let it be inlined.".to_owned()
        }
        InlineReason::NoOptimize => "Its unit is compiled without optimization.".to_owned(),
        InlineReason::Declaration => "weft why-not-imported says why there is none.".to_owned(),
        InlineReason::Linkage | InlineReason::Protected | InlineReason::LoadsTimesStores(_) => {
            "--inline-model=gpu has no such rule.".to_owned()
        }
        InlineReason::SwitchCases(cases) => {
            format!("--inline-maxswitchcases={cases} allows it.")
        }
        InlineReason::Disabled => "Leave out --disable-inlining.".to_owned(),
        InlineReason::Cost if decision.cost <= decision.limit => return None,
        // The limit of a call in another function comes from the call, not from a budget.
        InlineReason::Cost if model == InlineModel::Gpu && !decision.is_in_kernel => {
            "Make it smaller, or mark it __forceinline__.".to_owned()
        }
        InlineReason::Cost => {
            format!("A larger {budget} allows it, or mark it __forceinline__.")
        }
        InlineReason::CallerBudget => {
            format!("A larger {budget} gives its caller room, or mark it __forceinline__.")
        }
        InlineReason::TotalBudget => "A larger --inline-total-budget gives room.".to_owned(),
        InlineReason::AlwaysInline
        | InlineReason::Intrinsic
        | InlineReason::NotAnalyzable(_)
        | InlineReason::Attributes(_)
        | InlineReason::InlineAll => return None,
    })
}

const NOINLINE: &str = "Take __noinline__ off its definition.";

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(callee: &str, inlined: bool, reason: InlineReason) -> InlineDecision {
        InlineDecision {
            caller: "kernel".to_owned(),
            callee: callee.to_owned(),
            imported: true,
            is_in_kernel: true,
            inlined,
            reason,
            cost: 500,
            limit: 400,
            parameter_bytes: 0,
            growth: Some(52),
        }
    }

    #[test]
    fn names_and_texts_are_there_once_and_refusals_have_advice() {
        let decisions = vec![
            decision("a", true, InlineReason::Cost),
            decision("b", false, InlineReason::Cost),
            decision("b", false, InlineReason::NoInline),
            decision("a", false, InlineReason::Cost),
        ];
        let report = InlineReport { decisions, ..InlineReport::default() };
        let found = inlining(&report, InlineModel::Gpu);
        assert_eq!(found.names, ["kernel", "a", "b"]);
        let texts = [
            "it costs no more than it may",
            "it costs more than it may",
            "A larger --inline-adj-budget allows it, or mark it __forceinline__.",
            "it is noinline",
            NOINLINE,
        ];
        assert_eq!(found.texts, texts);
        assert_eq!(found.sites[0][..3], [0, 1, 1]);
        assert_eq!(found.sites[0][4..], [500, 400, 10, -1]);
        assert_eq!(found.sites[1][3], found.sites[3][3]);
        assert!(found.sites[1..].iter().all(|site| site[7] >= 0));
    }
}
