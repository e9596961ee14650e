//! The thresholds of the model llvm, which it is told with each call.

use crate::inlining::models::stores;
use crate::inlining::{Made, codegen};

/// Limit that a threshold makes on NVPTX for a callee of a single block.
const fn limit(threshold: i64) -> i64 {
    threshold * 11 + threshold * 11 / 2
}

/// Returns a kernel that calls `callee`, which has `attributes`, twice in its only block.
fn calls(attributes: &str) -> String {
    format!(
        "define internal void @callee(ptr %p) {attributes} #0 {{\n{}  ret void\n}}
define ptx_kernel void @kernel(ptr %p) #0 {{
  call void @callee(ptr %p)\n  call void @callee(ptr %p)\n  ret void\n}}\n",
        stores(100)
    )
}

fn llvm(ir: &str, options: &[&str]) -> Made {
    codegen(ir, &[&["--inline-model=llvm"], options].concat())
}

/// Returns the limit that the call of `callee` was held against.
fn limit_of(ir: &str, options: &[&str]) -> i64 {
    llvm(ir, options).number("callee", "kernel", "of")
}

#[test]
fn functions_with_a_hint_have_a_higher_threshold() {
    let low = "--inline-threshold=100";
    let higher = "--inlinehint-threshold=400";
    assert_eq!(limit_of(&calls("inlinehint"), &[low]), limit(325));
    assert_eq!(limit_of(&calls("inlinehint"), &[low, higher]), limit(400));
    assert_eq!(limit_of(&calls(""), &[low, higher]), limit(100));
    assert_eq!(limit_of(&calls("inlinehint"), &[]), limit(2000));
}

#[test]
fn cold_functions_have_a_lower_threshold_and_no_bonus() {
    assert_eq!(limit_of(&calls("cold"), &[]), 45 * 11);
    assert_eq!(limit_of(&calls("cold"), &["--inlinecold-threshold=60"]), 60 * 11);
    assert_eq!(limit_of(&calls(""), &["--inlinecold-threshold=60"]), limit(2000));
}

#[test]
fn calls_that_are_rarely_reached_have_a_lower_threshold() {
    let ir = format!(
        "define internal void @callee(ptr %p) #0 {{\n{}  ret void\n}}
define ptx_kernel void @kernel(ptr %p, i1 %is_rare) #0 {{
  br i1 %is_rare, label %rare, label %out, !prof !0
rare:
  call void @callee(ptr %p)\n  call void @callee(ptr %p)\n  br label %out
out:\n  ret void\n}}
!0 = !{{!\"branch_weights\", i32 1, i32 100000}}\n",
        stores(100)
    );
    assert_eq!(limit_of(&ir, &[]), 45 * 11);
    assert_eq!(limit_of(&ir, &["--inline-cold-callsite-threshold=70"]), 70 * 11);
}

#[test]
fn calls_in_inner_loops_can_have_a_threshold_of_their_own() {
    let ir = format!(
        "define internal void @callee(ptr %p) #0 {{\n{}  ret void\n}}
define ptx_kernel void @kernel(ptr %p, i32 %n) #0 {{
  br label %outer
outer:
  %i = phi i32 [ 0, %0 ], [ %next_i, %latch ]\n  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %next_j, %inner ]
  call void @callee(ptr %p)\n  call void @callee(ptr %p)
  %next_j = add i32 %j, 1\n  %again = icmp slt i32 %next_j, %n
  br i1 %again, label %inner, label %latch
latch:
  %next_i = add i32 %i, 1\n  %anew = icmp slt i32 %next_i, %n
  br i1 %anew, label %outer, label %out
out:\n  ret void\n}}\n",
        stores(100)
    );
    assert_eq!(limit_of(&ir, &[]), limit(2000));
    assert_eq!(limit_of(&ir, &["--locally-hot-callsite-threshold=525"]), limit(525));
}

#[test]
fn a_cost_is_counted_to_the_end_only_if_wanted() {
    // LLVM looks at the limit after each block.
    let ir = format!(
        "define internal void @callee(ptr %p, i1 %more) #0 {{\n{stores}
  br i1 %more, label %on, label %out\non:\n{stores}  br label %out\nout:\n  ret void\n}}
define ptx_kernel void @kernel(ptr %p, i1 %more) #0 {{
  call void @callee(ptr %p, i1 %more)\n  call void @callee(ptr %p, i1 %more)\n  ret void\n}}\n",
        stores = stores(100)
    );
    let low = "--inline-threshold=10";
    let cost = |options: &[&str]| llvm(&ir, options).number("callee", "kernel", "cost");
    let stopped = cost(&[low]);
    let whole = cost(&[low, "--inline-cost-full"]);
    assert!(stopped > limit(10) && whole > stopped + 100 * 5 - 50, "{stopped} and {whole}");
}

#[test]
fn a_call_is_left_to_the_callers_of_its_caller_only_if_wanted() {
    let ir = format!(
        "define internal void @leaf(ptr %p) #0 {{\n{}  ret void\n}}
define internal void @middle(ptr %p) #0 {{\n{}  call void @leaf(ptr %p)\n  ret void\n}}
define ptx_kernel void @kernel(ptr %p) #0 {{
  call void @middle(ptr %p)\n  call void @middle(ptr %p)\n  call void @leaf(ptr %p)\n  ret void\n}}
",
        stores(150),
        stores(60)
    );
    let low = "--inline-threshold=60";
    assert!(llvm(&ir, &[low]).inlined("leaf", "middle"));
    assert!(!llvm(&ir, &[low, "--inline-deferral"]).inlined("leaf", "middle"));
}

#[test]
fn warp_operations_take_2000_off_in_every_model() {
    let with = |operation: &str| {
        format!(
            "declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
define internal void @callee(ptr %p) #0 {{\n{}{operation}  ret void\n}}
define ptx_kernel void @kernel(ptr %p) #0 {{
  call void @callee(ptr %p)\n  call void @callee(ptr %p)\n  ret void\n}}\n",
            stores(500)
        )
    };
    let shuffle = "  %s = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 1, i32 1, i32 31)
  store volatile i32 %s, ptr %p\n";
    let [plain, special] = [with(""), with(shuffle)];
    let low = "--inline-threshold=60";
    assert!(!llvm(&plain, &[low]).inlined("callee", "kernel"));
    assert!(llvm(&special, &[low]).inlined("callee", "kernel"));
    let [plain, special] =
        [plain, special].map(|ir| llvm(&ir, &[]).number("callee", "kernel", "cost"));
    let operation = special + 2000 - plain;
    assert!((5..50).contains(&operation), "{special} and {plain}");
}

#[test]
fn fast_compilation_lowers_every_threshold() {
    for (level, divisor) in [("min", 2), ("mid", 4)] {
        let level = format!("-Ofast-compile={level}");
        assert_eq!(limit_of(&calls(""), &[&level]), limit(2000 / divisor), "{level}");
        let hint = ["--inline-threshold=0", "--inlinehint-threshold=400", &level];
        assert_eq!(limit_of(&calls("inlinehint"), &hint), limit(400 / divisor), "{level}");
    }
    assert!(!llvm(&calls("inlinehint"), &["-Ofast-compile=max"]).inlined("callee", "kernel"));
}
