use super::{inlines, moving, reason, site};
use crate::inline::options::{InlineModel, InlineOptions};
use crate::inline::site::{Demand, Site};
use crate::inline::verdict::InlineReason;

fn each_model() -> impl Iterator<Item = InlineOptions> {
    [InlineModel::Nvidia, InlineModel::Llvm, InlineModel::Gpu]
        .into_iter()
        .map(|model| InlineOptions { model, ..InlineOptions::default() })
}

#[test]
fn all_can_be_inlined_whatever_it_costs() {
    for options in each_model() {
        let options = InlineOptions { inline_all: true, ..options };
        let dear = Site { growth: Some(1 << 30), ..moving(1 << 40) };
        assert_eq!(reason(&dear, &options), InlineReason::InlineAll);
        let mut impossible = dear.clone();
        impossible.callee.not_viable = Some("indirect branch".to_owned());
        assert!(!inlines(&impossible, &options));
        let demand = Demand::Never("noinline".to_owned());
        assert!(!inlines(&Site { demand, ..dear }, &options));
    }
}

#[test]
fn nothing_need_be_inlined_but_what_must_be() {
    for options in each_model() {
        let options = InlineOptions { disabled: true, ..options };
        assert_eq!(reason(&site(), &options), InlineReason::Disabled);
        let must = Site { demand: Demand::Always, ..site() };
        assert_eq!(reason(&must, &options), InlineReason::AlwaysInline);
        assert!(inlines(&must, &options));
    }
}

#[test]
fn llvm_decides_by_its_own_numbers() {
    let options = InlineOptions { model: InlineModel::Llvm, ..InlineOptions::default() };
    for (inlined, cost, limit) in [(true, 5, 10), (false, 10, 10)] {
        let verdict = super::first(&Site { llvm: (inlined, cost, limit), ..site() }, &options);
        assert_eq!((verdict.inlines, verdict.cost, verdict.limit), (inlined, cost, limit));
    }
}
