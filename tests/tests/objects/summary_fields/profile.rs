//! Hotness of calls, with a profile and without one, and what else a profile says.

use serde_json::json;
use weft_artifact::Guid;

use crate::summary_fields::{call, device, function};

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
    for (name, budget) in [("hot", 2560), ("warm", 128), ("never", 0), ("unknown", 0)] {
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

/// The functions that a profile lists behind an entry count are to be imported for the function,
/// and metadata may list the targets of a pointer. Functions that are not called by name are
/// identified by GUID, which for a local is that of its module id and name.
#[test]
fn critical_and_distant_calls() {
    let [called, declared, nowhere, missing_local] =
        ["called", "declared", "nowhere", "elsewhere.cu;local"].map(Guid::of_global);
    let local = Guid::of_global("unit.cu;local");
    let guids = [called, declared, nowhere, missing_local, local];
    let guids = guids.map(|guid| format!("i64 {}", guid.0.cast_signed())).join(", ");
    let device = device(&format!(
        "declare void @called()
declare void @other()
declare void @declared()
declare void @target()
define internal void @local() {{ ret void }}
define void @f(ptr %p) !prof !0 {{
  call void @called()
  call void @other()
  call void %p(), !callees !1
  ret void
}}
define void @g() {{ ret void }}
!0 = !{{!\"function_entry_count\", i64 0, {guids}}}
!1 = !{{ptr @target, ptr @other}}
"
    ));
    assert_eq!(call(&device, "f", "called")["hotness"], "critical");
    assert_ne!(call(&device, "f", "other")["hotness"], "critical");
    let mut expected = [declared, nowhere, missing_local, local]
        .map(|guid| (guid, "critical"))
        .into_iter()
        .chain([(Guid::of_global("target"), "unknown")])
        .collect::<Vec<_>>();
    expected.sort_unstable();
    let expected: Vec<_> = expected
        .iter()
        .map(|(guid, hotness)| json!({ "callee": guid, "hotness": hotness }))
        .collect();
    assert_eq!(function(&device, "f")["distant_calls"], json!(expected));
    assert_eq!(function(&device, "g")["distant_calls"], json!([]));
}

/// The profile of a pointer's targets says how hot each is.
#[test]
fn distant_calls_of_pointers() {
    let [often, rarely] = ["often", "rarely"].map(Guid::of_global);
    let device = device(&format!(
        "define void @f(ptr %p) !prof !20 {{
  call void %p(), !prof !40
  ret void
}}
!40 = !{{!\"VP\", i32 0, i64 1000, i64 {}, i64 600, i64 {}, i64 400}}
{PROFILE}",
        often.0.cast_signed(),
        rarely.0.cast_signed(),
    ));
    let mut expected = [often, rarely];
    expected.sort_unstable();
    let expected = expected.map(|guid| json!({ "callee": guid, "hotness": "hot" }));
    assert_eq!(function(&device, "f")["distant_calls"], json!(expected));
}
