//! The models gpu and llvm, and the rules that hold for all models.

use crate::inlining::codegen;

/// Returns `count` stores that no pass removes.
pub(crate) fn stores(count: usize) -> String {
    "  store volatile i32 1, ptr %p\n".repeat(count)
}

/// Returns a kernel that calls `middle`, which calls `leaf` twice.
fn chain(leaf: usize) -> String {
    format!(
        "define internal void @leaf(ptr %p) #0 {{\n{}  ret void\n}}
define internal void @middle(ptr %p) #0 {{
  call void @leaf(ptr %p)\n  call void @leaf(ptr %p)\n  ret void\n}}
define ptx_kernel void @kernel(ptr %p) #0 {{
  call void @middle(ptr %p)\n  call void @middle(ptr %p)\n  ret void\n}}\n",
        stores(leaf)
    )
}

#[test]
fn a_callee_is_weighed_after_its_own_calls_were_inlined() {
    let made = codegen(&chain(100), &[]);
    assert!(made.inlined("leaf", "middle"));
    let leaf = made.number("leaf", "middle", "growth");
    assert!(leaf >= 400, "{leaf}");
    let middle = made.number("middle", "kernel", "growth");
    assert!(middle >= 2 * leaf, "{middle} of {leaf}");
}

#[test]
fn the_growth_of_a_caller_is_bounded() {
    assert_eq!(codegen(&chain(100), &[]).calls(), 0);
    let made = codegen(&chain(100), &["--inline-budget=600", "--inline-adj-budget=1200"]);
    // One copy of the leaf fits into `middle`, and one into the kernel.
    assert!(made.decision("leaf", "middle").contains("the caller's budget is spent"));
    assert!(made.calls() > 0);
}

#[test]
fn imported_functions_stay_small_in_their_own_module() {
    let of = |size: usize| {
        format!(
            "define internal void @leaf(ptr %p) #0 {{\n{}  ret void\n}}
define void @shared(ptr %p) #0 {{\n{}  call void @leaf(ptr %p)\n  call void @leaf(ptr %p)\n  \
             ret void\n}}\n",
            stores(240),
            stores(size)
        )
    };
    assert!(codegen(&of(1), &[]).calls() > 0);
    assert_eq!(codegen(&of(300), &[]).calls(), 0);
}

#[test]
fn recursion_pays_eight_times_unless_told_otherwise() {
    let ir = format!(
        "define internal void @even(ptr %p, i32 %n) #0 {{
  %end = icmp eq i32 %n, 0\n  br i1 %end, label %out, label %on
on:\n{}  %less = sub i32 %n, 1\n  call void @odd(ptr %p, i32 %less)\n  br label %out
out:\n  ret void\n}}
define internal void @odd(ptr %p, i32 %n) #0 {{
  %end = icmp eq i32 %n, 0\n  br i1 %end, label %out, label %on
on:\n{}  %less = sub i32 %n, 1\n  call void @even(ptr %p, i32 %less)\n  br label %out
out:\n  ret void\n}}
define ptx_kernel void @kernel(ptr %p, i32 %n) #0 {{
  call void @even(ptr %p, i32 %n)\n  ret void\n}}\n",
        stores(60),
        stores(60)
    );
    for (options, factor) in [(&[][..], 8), (&["--function-inline-cost-multiplier=3"], 3)] {
        let made = codegen(&ir, options);
        let recursive = made
            .decisions
            .iter()
            .find(|line| line.contains(" in odd:") || line.contains(" in even:"))
            .expect("a decision about the cycle");
        let (callee, within) =
            if recursive.contains(" in odd:") { ("even", "odd") } else { ("odd", "even") };
        let growth = made.number(callee, within, "growth");
        assert_eq!(made.number(callee, within, "cost"), factor * growth);
    }
}

#[test]
fn the_model_llvm_goes_by_its_threshold() {
    let ir = "
define internal void @callee(ptr %p) #0 {\nSTORES  ret void\n}
define ptx_kernel void @kernel(ptr %p) #0 {
  call void @callee(ptr %p)\n  call void @callee(ptr %p)\n  ret void\n}\n"
        .replace("STORES", &stores(300));
    let with = |threshold: u32| {
        let threshold = format!("--inline-threshold={threshold}");
        codegen(&ir, &["--inline-model=llvm", &threshold])
    };
    // The limit is eleven times the threshold, and half as much again for a single block. Each
    // instruction costs five.
    assert!(with(225).inlined("callee", "kernel"));
    assert_eq!(with(225).number("callee", "kernel", "of"), 225 * 11 * 3 / 2);
    assert!(!with(60).inlined("callee", "kernel"));
}

#[test]
fn all_or_nothing_can_be_asked_for() {
    let large = chain(3000);
    for model in ["nvidia", "llvm", "gpu"] {
        let model = format!("--inline-model={model}");
        assert_eq!(codegen(&large, &[&model, "--nv-inline-all"]).calls(), 0, "{model}");
        let none = codegen(&chain(1), &[&model, "--disable-inlining"]);
        assert_eq!(none.calls(), 4, "{model}");
    }
}

#[test]
fn noinline_holds_in_every_model() {
    let ir = chain(1).replace("@leaf(ptr %p) #0", "@leaf(ptr %p) #1");
    for options in [
        &["--inline-model=nvidia"][..],
        &["--inline-model=llvm"],
        &["--inline-model=gpu"],
        &["--nv-inline-all"],
    ] {
        assert!(!codegen(&ir, options).inlined("leaf", "middle"), "{options:?}");
    }
}
