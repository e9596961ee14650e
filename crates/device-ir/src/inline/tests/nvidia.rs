use weft_artifact::Linkage;

use super::{first, inlines, judge, moving, reason, site};
use crate::inline::options::{InlineModel, InlineOptions};
use crate::inline::site::{Body, Demand, Marshalling, Role, Site};
use crate::inline::verdict::{InlineReason, Spent};

fn options() -> InlineOptions {
    InlineOptions { model: InlineModel::Nvidia, ..InlineOptions::default() }
}

fn with_body(change: impl FnOnce(&mut Body)) -> Site {
    let mut site = site();
    change(&mut site.callee);
    site
}

#[test]
fn a_call_is_inlined_below_the_budget_of_20000_and_not_at_it() {
    assert!(inlines(&moving(19_999), &options()));
    assert!(!inlines(&moving(20_000), &options()));
}

#[test]
fn aggressive_inlining_is_a_budget_of_40000() {
    let options = InlineOptions { budget: InlineOptions::AGGRESSIVE_BUDGET, ..options() };
    assert!(inlines(&moving(39_999), &options));
    assert!(!inlines(&moving(40_000), &options));
}

#[test]
fn a_budget_is_the_callers_and_is_used_up() {
    let spent = Spent { caller: 19_900, module: 1_000_000 };
    assert!(judge(&moving(99), spent, &options()).inlines);
    let refused = judge(&moving(100), spent, &options());
    assert_eq!((refused.inlines, refused.reason), (false, InlineReason::CallerBudget));
}

#[test]
fn the_total_budget_is_the_modules() {
    let options = InlineOptions { total_budget: Some(1000), ..options() };
    let spent = Spent { caller: 0, module: 900 };
    assert!(judge(&moving(99), spent, &options).inlines);
    let refused = judge(&moving(100), spent, &options);
    assert_eq!((refused.inlines, refused.reason), (false, InlineReason::TotalBudget));
}

#[test]
fn a_kernel_may_have_more_and_never_has_less() {
    let kernel = |bytes| Site { caller_role: Role::Kernel, ..moving(bytes) };
    let more = InlineOptions { adjusted_budget: Some(30_000), ..options() };
    assert!(inlines(&kernel(29_999), &more));
    assert!(!inlines(&kernel(30_000), &more));
    assert!(!inlines(&moving(20_000), &more));
    let less = InlineOptions { adjusted_budget: Some(10_000), ..options() };
    assert!(inlines(&kernel(19_999), &less));
}

#[test]
fn loads_times_stores_above_100_is_too_much() {
    let body = |loads, stores| with_body(|body| (body.loads, body.stores) = (loads, stores));
    assert!(inlines(&body(10, 10), &options()));
    assert!(inlines(&body(1000, 0), &options()));
    assert_eq!(reason(&body(101, 1), &options()), InlineReason::LoadsTimesStores(101));
    assert_eq!(reason(&body(120, 120), &options()), InlineReason::LoadsTimesStores(14_400));
}

#[test]
fn eligibility_is_asked_for_in_its_order() {
    let words = || "it returns twice".to_owned();
    let mut site = with_body(|body| {
        body.name = "llvm.memcpy".to_owned();
        body.not_viable = Some(words());
        body.linkage = Some(Linkage::External);
        body.is_protected = true;
        body.is_declaration = true;
        body.no_inline = true;
        body.no_optimize = true;
        body.loads = 20;
        body.stores = 20;
    });
    let mut expect = |expected: InlineReason, mend: fn(&mut Body)| {
        assert_eq!(reason(&site, &options()), expected);
        mend(&mut site.callee);
    };
    expect(InlineReason::Intrinsic, |body| body.name = "copy".to_owned());
    expect(InlineReason::NotAnalyzable(words()), |body| body.not_viable = None);
    expect(InlineReason::Linkage, |body| body.linkage = Some(Linkage::WeakOdr));
    expect(InlineReason::Protected, |body| body.is_protected = false);
    expect(InlineReason::Declaration, |body| body.is_declaration = false);
    expect(InlineReason::NoInline, |body| body.no_inline = false);
    expect(InlineReason::NoOptimize, |body| body.no_optimize = false);
    expect(InlineReason::LoadsTimesStores(400), |body| body.loads = 0);
    assert!(inlines(&site, &options()));
}

#[test]
fn linkages_that_let_a_body_go_are_eligible() {
    let of = |linkage| with_body(|body| body.linkage = Some(linkage));
    for linkage in [
        Linkage::LinkonceOdr,
        Linkage::WeakOdr,
        Linkage::Internal,
        Linkage::Private,
        Linkage::AvailableExternally,
    ] {
        assert!(inlines(&of(linkage), &options()), "{linkage:?}");
    }
    for linkage in [Linkage::External, Linkage::WeakAny, Linkage::LinkonceAny] {
        assert_eq!(reason(&of(linkage), &options()), InlineReason::Linkage, "{linkage:?}");
    }
}

#[test]
fn operations_of_tensor_cores_and_warps_take_2000_off_once() {
    for operations in [1, 7] {
        let mut site = moving(21_999);
        site.callee.special_operations = operations;
        assert!(inlines(&site, &options()));
        site.marshalling.bytes += 1;
        assert!(!inlines(&site, &options()));
    }
}

#[test]
fn coerced_fields_cost_a_copy_each() {
    let marshalling = Marshalling { bytes: 19_990, coerced: 2, coerced_fields: 9 };
    let mut site = Site { marshalling, ..site() };
    assert_eq!(first(&site, &options()).cost, 19_999);
    assert!(inlines(&site, &options()));
    site.marshalling.coerced_fields = 10;
    assert!(!inlines(&site, &options()));
}

#[test]
fn instructions_do_not_count() {
    assert!(inlines(&Site { growth: Some(10_000_000), ..site() }, &options()));
    assert!(inlines(&Site { growth: None, ..site() }, &options()));
}

#[test]
fn switches_cost_by_their_number_and_by_their_cases() {
    let mut site = moving(100);
    (site.callee.switches, site.callee.cases, site.callee.largest_switch) = (3, 40, 20);
    assert_eq!(first(&site, &options()).cost, 100);
    let by_number = InlineOptions { switch_cost: 10, ..options() };
    assert_eq!(first(&site, &by_number).cost, 130);
    let by_cases = InlineOptions { switch_case_cost: 2, ..options() };
    assert_eq!(first(&site, &by_cases).cost, 180);
}

#[test]
fn a_switch_of_too_many_cases_is_refused_whatever_it_costs() {
    let site = with_body(|body| (body.switches, body.largest_switch) = (1, 20));
    let limited = |cases| InlineOptions { largest_switch: Some(cases), ..options() };
    assert!(inlines(&site, &limited(20)));
    assert_eq!(reason(&site, &limited(19)), InlineReason::SwitchCases(20));
}

#[test]
fn attributes_that_do_not_fit_together_forbid() {
    let demand = Demand::Never("conflicting attributes".to_owned());
    let expected = InlineReason::Attributes("conflicting attributes".to_owned());
    assert_eq!(reason(&Site { demand, ..site() }, &options()), expected);
}
