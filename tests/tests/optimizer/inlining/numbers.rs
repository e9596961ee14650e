//! Numbers of the model llvm that LLVM keeps for its process, profiles, and LLVM's attributes.

use crate::inlining::models::stores;
use crate::inlining::{Made, codegen};

fn llvm(ir: &str, options: &[&str]) -> Made {
    codegen(ir, &[&["--inline-model=llvm"], options].concat())
}

/// Returns a kernel that calls `callee` twice, a body of 100 stores with what is `more` in it.
fn unit(attributes: &str, more: &str) -> String {
    format!(
        "declare void @other(ptr)
define internal void @callee(ptr %p) {attributes} #0 {{\n{}{more}  ret void\n}}
define ptx_kernel void @kernel(ptr %p) #0 {{
  call void @callee(ptr %p)\n  call void @callee(ptr %p)\n  ret void\n}}\n",
        stores(100)
    )
}

/// Returns the cost of inlining the callee of [`unit`].
fn cost_with(attributes: &str, more: &str, options: &[&str]) -> i64 {
    llvm(&unit(attributes, more), options).number("callee", "kernel", "cost")
}

#[test]
fn instructions_calls_and_accesses_cost_what_is_said() {
    let plain = cost_with("", "", &[]);
    // The argument and the call are saved, and 100 stores are added.
    assert_eq!(cost_with("", "", &["--inline-instr-cost=7"]) - plain, 2 * (100 - 2));
    assert_eq!(cost_with("", "", &["--inline-memaccess-cost=3"]) - plain, 3 * 100);
    assert_eq!(cost_with("", "", &["--inline-call-penalty=100"]) - plain, 25 - 100);
    // The cost of a call in the body equals the savings of inlining the call of the body.
    let call = "  call void @other(ptr %p)\n";
    assert_eq!(
        cost_with("", call, &["--inline-call-penalty=100"]),
        cost_with("", call, &["--inline-call-penalty=25"])
    );
}

#[test]
fn attributes_of_functions_and_calls_hold() {
    let attributed = |name: &str, value: i64| {
        let attributes = format!("\"{name}\"=\"{value}\"");
        cost_with(&attributes, "", &[])
    };
    let plain = cost_with("", "", &[]);
    assert_eq!(attributed("function-inline-cost", 11), 11);
    assert_eq!(attributed("function-inline-cost-multiplier", 3), 3 * plain);
    let call = |attributes: &str| format!("  call void @other(ptr %p) {attributes}\n");
    let dear = cost_with("", &call("\"call-inline-cost\"=\"170\""), &[]);
    assert_eq!(dear - plain, 170);
    let limit = |attributes: &str, more: &str| {
        llvm(&unit(attributes, more), &[]).number("callee", "kernel", "of")
    };
    assert_eq!(limit("\"function-inline-threshold\"=\"7\"", ""), 7);
    let bonus = call("\"call-threshold-bonus\"=\"1000\"");
    assert_eq!(limit("", &bonus), limit("", "") + 1000);
}

#[test]
fn calls_out_of_a_cycle_pay_again_each_time() {
    // Within the cycle the general threshold is too low, and in the loop another one holds.
    let half = |name: &str, other: &str| {
        format!(
            "define void @{name}(ptr %p, i32 %n) #0 {{
  %end = icmp eq i32 %n, 0\n  br i1 %end, label %out, label %on
on:\n{}  %less = sub i32 %n, 1\n  call void @{other}(ptr %p, i32 %less)\n  br label %out
out:\n  ret void\n}}\n",
            stores(60)
        )
    };
    let ir = format!(
        "{}{}define ptx_kernel void @kernel(ptr %p, i32 %n) #0 {{
  br label %outer
outer:
  %i = phi i32 [ 0, %0 ], [ %next_i, %latch ]\n  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %next_j, %inner ]
  call void @even(ptr %p, i32 %n)
  %next_j = add i32 %j, 1\n  %again = icmp slt i32 %next_j, %n
  br i1 %again, label %inner, label %latch
latch:
  %next_i = add i32 %i, 1\n  %anew = icmp slt i32 %next_i, %n
  br i1 %anew, label %outer, label %out
out:\n  ret void\n}}\n",
        half("even", "odd"),
        half("odd", "even")
    );
    let cost = |options: &[&str]| {
        let limits = ["--inline-threshold=10", "--locally-hot-callsite-threshold=5000"];
        llvm(&ir, &[&limits, options].concat()).number("odd", "kernel", "cost")
    };
    let twice = cost(&[]);
    assert!(twice > 0, "{twice}");
    assert_eq!(2 * cost(&["--function-inline-cost-multiplier=5"]), 5 * twice);
}

/// Returns a kernel that calls a function of `size` stores, with counts of an instrumented program
/// by which the call is hot.
fn profiled(size: usize) -> String {
    format!(
        "define void @callee(ptr %p) #0 !prof !20 {{\n{}  ret void\n}}
define ptx_kernel void @kernel(ptr %p) #0 !prof !20 {{\n  call void @callee(ptr %p)\n  ret void\n}}
!llvm.module.flags = !{{!0}}
!0 = !{{i32 1, !\"ProfileSummary\", !1}}
!1 = !{{!2, !3, !4, !5, !6, !7, !8, !9}}
!2 = !{{!\"ProfileFormat\", !\"InstrProf\"}}
!3 = !{{!\"TotalCount\", i64 10000}}
!4 = !{{!\"MaxCount\", i64 1000}}
!5 = !{{!\"MaxInternalCount\", i64 1000}}
!6 = !{{!\"MaxFunctionCount\", i64 1000}}
!7 = !{{!\"NumCounts\", i64 3}}
!8 = !{{!\"NumFunctions\", i64 3}}
!9 = !{{!\"DetailedSummary\", !10}}
!10 = !{{!11, !12, !13}}
!11 = !{{i32 10000, i64 1000, i32 1}}
!12 = !{{i32 990000, i64 1000, i32 2}}
!13 = !{{i32 999999, i64 1, i32 2}}
!20 = !{{!\"function_entry_count\", i64 1000}}\n",
        stores(size)
    )
}

const BY_COST: &str = "--inline-enable-cost-benefit-analysis=false";

#[test]
fn hot_calls_of_a_profile_have_a_threshold() {
    let limit = |options: &[&str]| {
        llvm(&profiled(70), &[&[BY_COST], options].concat()).number("callee", "kernel", "of")
    };
    assert_eq!(limit(&[]), 3000 * 11 * 3 / 2);
    assert_eq!(limit(&["--hot-callsite-threshold=100"]), 100 * 11 * 3 / 2);
}

#[test]
fn hot_calls_of_a_profile_are_weighed_by_their_savings() {
    // A call saves 35, for its argument and itself, and 70 stores cost 350.
    let inlined = |size: usize, options: &[&str]| {
        let made = llvm(&profiled(size), options);
        // A decision without a cost is one by savings.
        assert!(!made.decision("callee", "kernel").contains("; cost "), "{:?}", made.decisions);
        made.inlined("callee", "kernel")
    };
    assert!(inlined(70, &[]));
    let dear = ["--inline-savings-multiplier=4", "--inline-savings-profitable-multiplier=4"];
    assert!(!inlined(70, &dear));
    assert!(!inlined(70, &["--inline-size-allowance=0"]));
    assert!(!inlined(100, &[]));
    assert!(inlined(100, &["--inline-size-allowance=500"]));
    // Between the two factors the cost decides.
    for by_cost in ["--inline-savings-multiplier=4", BY_COST] {
        let made = llvm(&profiled(70), &[by_cost]);
        assert!(made.decision("callee", "kernel").contains("; cost "), "{:?}", made.decisions);
    }
}
