//! Hotness and complexity budgets, with a profile and without one.

use crate::{call, device, function};

/// A profile in which counts from 100 on are hot, and counts up to 1 are cold.
const PROFILE: &str = "!llvm.module.flags = !{!0}
!0 = !{i32 1, !\"ProfileSummary\", !1}
!1 = !{!2, !3, !4, !5, !6, !7, !8, !9}
!2 = !{!\"ProfileFormat\", !\"InstrProf\"}
!3 = !{!\"TotalCount\", i64 10000}
!4 = !{!\"MaxCount\", i64 1000}
!5 = !{!\"MaxInternalCount\", i64 1000}
!6 = !{!\"MaxFunctionCount\", i64 1000}
!7 = !{!\"NumCounts\", i64 10}
!8 = !{!\"NumFunctions\", i64 10}
!9 = !{!\"DetailedSummary\", !10}
!10 = !{!11, !12, !13}
!11 = !{i32 10000, i64 1000, i32 1}
!12 = !{i32 990000, i64 100, i32 5}
!13 = !{i32 999999, i64 1, i32 10}
!20 = !{!\"function_entry_count\", i64 1000}
!21 = !{!\"function_entry_count\", i64 50}
!22 = !{!\"function_entry_count\", i64 0}
!23 = !{!\"function_entry_count\", i64 1099511627776}
!30 = !{!\"branch_weights\", i32 1, i32 999}
";

const CALLERS: &str = "declare void @rarely()
declare void @usually()
declare void @sometimes()
define void @hot(i1 %c) !prof !20 {
  br i1 %c, label %left, label %right, !prof !30
left:
  call void @rarely()
  ret void
right:
  call void @usually()
  ret void
}
define void @warm() !prof !21 {
  call void @sometimes()
  ret void
}
define void @never() !prof !22 {
  ret void
}
define void @hottest() !prof !23 {
  ret void
}
define void @unknown() {
  ret void
}
";

#[test]
fn hotness_follows_the_profile() {
    let device = device(&format!("{CALLERS}{PROFILE}"));
    assert_eq!(call(&device, "hot", "rarely")["hotness"], "cold");
    assert_eq!(call(&device, "hot", "usually")["hotness"], "hot");
    assert_eq!(call(&device, "warm", "sometimes")["hotness"], "none");
}

#[test]
fn profiled_are_functions_with_an_entry_count() {
    let device = device(&format!("{CALLERS}{PROFILE}"));
    for (name, profiled) in [("hot", true), ("never", true), ("unknown", false)] {
        assert_eq!(function(&device, name)["flags"]["profiled"], profiled, "{name}");
    }
}

/// The budget is the entry count divided by the threshold for hot counts, in units of 1/256.
#[test]
fn complexity_budget_follows_the_profile() {
    let device = device(&format!("{CALLERS}{PROFILE}"));
    for (name, budget) in [("hot", 2560), ("warm", 128), ("never", 0), ("unknown", 1)] {
        assert_eq!(function(&device, name)["complexity_budget"], budget, "{name}");
    }
}

#[test]
fn complexity_budget_is_clamped_to_28_bits() {
    let device = device(&format!("{CALLERS}{PROFILE}"));
    assert_eq!(function(&device, "hottest")["complexity_budget"], 0x0FFF_FFFF);
}

#[test]
fn import_priority_of_hot_functions() {
    let device = device(&format!("{CALLERS}{PROFILE}"));
    for (name, priority) in [("hot", "force"), ("warm", "standard"), ("unknown", "standard")] {
        assert_eq!(function(&device, name)["import_priority"], priority, "{name}");
    }
}

const LOOPS: &str = "declare void @once()
declare void @in_loop()
declare void @in_inner_loop()
declare void @in_cold_block()
declare void @gives_up() cold
define void @f(i32 %n, i1 %c) {
entry:
  call void @once()
  br i1 %c, label %outer, label %error
error:
  call void @gives_up()
  call void @in_cold_block()
  ret void
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  call void @in_loop()
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  call void @in_inner_loop()
  %j.next = add i32 %j, 1
  %j.more = icmp ult i32 %j.next, %n
  br i1 %j.more, label %inner, label %latch
latch:
  %i.next = add i32 %i, 1
  %i.more = icmp ult i32 %i.next, %n
  br i1 %i.more, label %outer, label %exit
exit:
  ret void
}
define void @straight() {
  call void @once()
  call void @once()
  ret void
}
";

#[test]
fn hotness_follows_loops_without_a_profile() {
    let device = device(LOOPS);
    for (callee, hotness) in
        [("once", "none"), ("in_loop", "hot"), ("in_inner_loop", "hot"), ("in_cold_block", "cold")]
    {
        assert_eq!(call(&device, "f", callee)["hotness"], hotness, "{callee}");
    }
}

#[test]
fn loop_depth() {
    let device = device(LOOPS);
    for (callee, depth) in [("once", 0), ("in_loop", 1), ("in_inner_loop", 2), ("gives_up", 0)] {
        assert_eq!(call(&device, "f", callee)["loop_depth"], depth, "{callee}");
    }
}

/// LLVM assumes about 32 iterations of a loop.
#[test]
fn frequency() {
    let device = device(LOOPS);
    let times = |callee| call(&device, "f", callee)["frequency"].as_u64().unwrap_or(0) / 256;
    assert_eq!(times("once"), 1);
    assert_eq!(times("in_cold_block"), 0);
    assert!((20..40).contains(&times("in_loop")), "{}", times("in_loop"));
    assert!((400..1600).contains(&times("in_inner_loop")), "{}", times("in_inner_loop"));
    assert_eq!(call(&device, "straight", "once")["frequency"], 512);
}

#[test]
fn complexity_budget_without_a_profile() {
    let device = device(LOOPS);
    assert_eq!(function(&device, "straight")["complexity_budget"], 3);
    let budget = function(&device, "f")["complexity_budget"].as_u64().unwrap_or(0);
    // The inner loop has five instructions, and the outer loop has six more.
    assert!((2000..10_000).contains(&budget), "{budget}");
}
