use super::{first, inlines, judge, reason, site};
use crate::inline::options::InlineOptions;
use crate::inline::site::{Demand, Marshalling, Role, Site};
use crate::inline::verdict::{InlineReason, Spent};

fn options() -> InlineOptions {
    InlineOptions::default()
}

/// A call whose inlining makes its caller grow by `growth`.
fn growing(growth: i64) -> Site {
    Site { growth: Some(growth), ..site() }
}

/// Whether so much more fits into a caller that has grown by `spent`.
fn fits(role: Role, instructions: u32, spent: u64, options: &InlineOptions) -> bool {
    let site = Site { caller_role: role, caller_instructions: instructions, ..growing(1000) };
    judge(&site, Spent { caller: spent, module: spent }, options).inlines
}

#[test]
fn a_call_is_worth_300_instructions() {
    assert!(inlines(&growing(1500), &options()));
    assert!(!inlines(&growing(1501), &options()));
}

#[test]
fn what_a_call_moves_and_holds_back_raises_the_limit() {
    let limit = |change: fn(&mut Site)| {
        let mut site = growing(100);
        change(&mut site);
        first(&site, &options()).limit
    };
    assert_eq!(limit(|_| {}), 1500);
    assert_eq!(
        limit(|site| site.marshalling = Marshalling { bytes: 64, ..Marshalling::default() }),
        1500 + 640
    );
    assert_eq!(limit(|site| site.stack_arguments = 2), 1500 + 4000);
    assert_eq!(limit(|site| site.constant_arguments = 3), 1500 + 300);
    assert_eq!(limit(|site| site.callee.special_operations = 5), 1500 + 2000);
    assert_eq!(limit(|site| site.is_only_call = true), 1500 + 15_000);
    assert_eq!(limit(|site| site.loop_depth = 1), 2 * 1500);
    assert_eq!(limit(|site| site.loop_depth = 9), 3 * 1500);
}

#[test]
fn recursion_costs_eight_times_as_much() {
    let recursive = |growth| Site { is_recursive: true, ..growing(growth) };
    assert!(inlines(&recursive(187), &options()));
    assert!(!inlines(&recursive(188), &options()));
}

#[test]
fn a_kernel_grows_by_eight_budgets_or_by_its_own() {
    assert!(fits(Role::Kernel, 50, 159_000, &options()));
    assert!(!fits(Role::Kernel, 50, 159_001, &options()));
    let own = InlineOptions { adjusted_budget: Some(25_000), ..options() };
    assert!(fits(Role::Kernel, 50, 24_000, &own));
    assert!(!fits(Role::Kernel, 50, 24_001, &own));
}

#[test]
fn feedback_gives_a_kernel_another_share_of_its_room() {
    let fits = |percent, spent| {
        let site =
            Site { caller_role: Role::Kernel, caller_percent: Some(percent), ..growing(1000) };
        judge(&site, Spent { caller: spent, module: spent }, &options()).inlines
    };
    assert!(fits(25, 39_000) && !fits(25, 39_001));
    assert!(fits(300, 479_000) && !fits(300, 479_001));
    assert!(!fits(0, 0));
    let trivial = Site { caller_role: Role::Kernel, caller_percent: Some(0), ..growing(50) };
    assert!(inlines(&trivial, &options()), "a body no larger than its call");
}

#[test]
fn one_call_may_have_all_that_a_kernel_has() {
    let called = |growth| Site { caller_role: Role::Kernel, ..growing(growth) };
    assert!(inlines(&called(160_000), &options()));
    assert!(!inlines(&called(160_001), &options()));
}

#[test]
fn what_others_import_grows_little_and_what_they_call_grows_like_all_else() {
    for role in [Role::Private, Role::Exported] {
        assert!(fits(role, 251, 19_000, &options()));
        assert!(!fits(role, 251, 19_001, &options()));
    }
    assert!(fits(Role::Exported, 250, 0, &options()));
    assert!(!fits(Role::Exported, 250, 1, &options()));
    assert!(!fits(Role::Imported, 50, 0, &options()));
    let site = Site { caller_role: Role::Imported, ..growing(312) };
    assert!(inlines(&site, &options()));
    assert!(!inlines(&Site { growth: Some(313), ..site }, &options()));
}

#[test]
fn a_body_no_larger_than_its_call_needs_no_budget() {
    let spent = Spent { caller: 1_000_000, module: 1_000_000 };
    let options = InlineOptions { total_budget: Some(0), budget: 0, ..options() };
    assert!(judge(&growing(50), spent, &options).inlines);
    let refused = judge(&growing(51), spent, &options);
    assert_eq!((refused.inlines, refused.reason), (false, InlineReason::CallerBudget));
}

#[test]
fn the_module_has_a_budget_when_it_is_given_one() {
    let options = InlineOptions { total_budget: Some(5000), ..options() };
    assert!(fits(Role::Kernel, 50, 4000, &options));
    let site = Site { caller_role: Role::Kernel, ..growing(1000) };
    let refused = judge(&site, Spent { caller: 0, module: 4001 }, &options);
    assert_eq!((refused.inlines, refused.reason), (false, InlineReason::TotalBudget));
}

#[test]
fn what_llvm_cannot_inline_stays() {
    let words = "recursive call".to_owned();
    let mut site = site();
    site.callee.not_viable = Some(words.clone());
    assert_eq!(reason(&site, &options()), InlineReason::NotAnalyzable(words.clone()));
    let site = Site { demand: Demand::Never(words.clone()), ..super::site() };
    assert_eq!(reason(&site, &options()), InlineReason::Attributes(words));
}

#[test]
fn switches_cost_here_too() {
    let mut site = growing(1000);
    (site.callee.switches, site.callee.cases, site.callee.largest_switch) = (2, 30, 20);
    let costly = InlineOptions { switch_cost: 100, switch_case_cost: 10, ..options() };
    assert_eq!(first(&site, &costly).cost, 1000 + 200 + 300);
    let limited = InlineOptions { largest_switch: Some(19), ..options() };
    assert_eq!(reason(&site, &limited), InlineReason::SwitchCases(20));
}
