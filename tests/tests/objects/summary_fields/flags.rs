//! Instruction counts and the flags of functions, each of which is set on exactly one function.

use crate::summary_fields::{device, function};

#[test]
fn instruction_count_and_lifetime_markers() {
    let device = device(
        "declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare float @llvm.fma.f32(float, float, float)
define float @f(float %x) !dbg !3 {
  %slot = alloca float
  call void @llvm.lifetime.start.p0(ptr %slot)
  store float %x, ptr %slot
    #dbg_value(float %x, !5, !DIExpression(), !7)
  %y = call float @llvm.fma.f32(float %x, float %x, float %x)
  call void @llvm.lifetime.end.p0(ptr %slot)
  ret float %y
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: \"unit.cu\", directory: \"\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
!3 = distinct !DISubprogram(name: \"f\", file: !1, unit: !0, type: !4, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocalVariable(name: \"x\", scope: !3, file: !1, type: !6)
!6 = !DIBasicType(name: \"float\", size: 32, encoding: DW_ATE_float)
!7 = !DILocation(line: 1, scope: !3)
",
    );
    // The instructions are alloca, lifetime.start, store, fma, lifetime.end and ret.
    assert_eq!(function(&device, "f")["instruction_count"], 6);
    assert_eq!(function(&device, "f")["lifetime_markers"], 2);
}

const FLAGGED: &str = "declare i32 @personality(...)
define void @plain() { ret void }
define void @has_unwind_info() personality ptr @personality { ret void }
define void @no_inline() noinline { ret void }
define void @read_none() memory(none) { ret void }
define void @reads_arguments() memory(argmem: read) { ret void }
define void @no_unwind() nounwind { ret void }
define void @will_return() willreturn { ret void }
define void @no_return() noreturn { unreachable }
define void @must_progress() mustprogress { ret void }
@visible = alias void (), ptr @has_visible_alias
define void @has_visible_alias() { ret void }
@hidden_away = internal alias void (), ptr @has_local_alias
define void @has_local_alias() { ret void }
@pinned = internal global i32 0
@free = internal global i32 0
@llvm.used = appending global [1 x ptr] [ptr @pinned], section \"llvm.metadata\"
define void @has_non_importable_references() { store i32 1, ptr @pinned ret void }
define void @has_importable_references() { store i32 1, ptr @free ret void }
define ptx_kernel void @kernel() { ret void }
define void @always_inline() alwaysinline { ret void }
define void @no_recurse() norecurse { ret void }
define ptr @not_importable() {
  br label %next
next:
  ret ptr blockaddress(@not_importable, %next)
}
";

/// Checks that `flag` is set on the function of the same name and on no other.
fn only_its_own(flag: &str) {
    let device = device(FLAGGED);
    let symbols = device["symbols"].as_array().expect("a list of symbols");
    let set: Vec<_> = symbols
        .iter()
        .filter(|symbol| symbol["body"]["function"]["flags"][flag] == true)
        .map(|symbol| symbol["name"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(set, [flag]);
    assert_eq!(function(&device, "plain")["flags"][flag], false);
}

#[test]
fn has_unwind_info() {
    only_its_own("has_unwind_info");
}

#[test]
fn no_inline() {
    only_its_own("no_inline");
}

#[test]
fn read_none() {
    only_its_own("read_none");
}

#[test]
fn no_unwind() {
    only_its_own("no_unwind");
}

#[test]
fn will_return() {
    only_its_own("will_return");
}

#[test]
fn no_return() {
    only_its_own("no_return");
}

#[test]
fn must_progress() {
    only_its_own("must_progress");
}

#[test]
fn has_visible_alias() {
    only_its_own("has_visible_alias");
}

#[test]
fn has_non_importable_references() {
    only_its_own("has_non_importable_references");
}

#[test]
fn kernel() {
    only_its_own("kernel");
}

#[test]
fn always_inline() {
    only_its_own("always_inline");
}

#[test]
fn no_recurse() {
    only_its_own("no_recurse");
}

#[test]
fn not_importable() {
    only_its_own("not_importable");
}

const MEMORY: &str = "@variable = global i32 0
@table = constant [2 x i32] [i32 1, i32 2]
declare void @other(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define i32 @nothing(i32 %x) { ret i32 %x }
define i32 @reads_argument(ptr %p) { %v = load i32, ptr %p ret i32 %v }
define void @writes_argument(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 4 store i32 1, ptr %q ret void }
define i32 @reads_other() { %v = load i32, ptr @variable ret i32 %v }
define i32 @reads_constant(i64 %i) {
  %p = getelementptr i32, ptr @table, i64 %i %v = load i32, ptr %p ret i32 %v }
define void @updates_other() { %v = atomicrmw add ptr @variable, i32 1 monotonic ret void }
define i32 @keeps_to_itself() {
  %p = alloca i32 store i32 1, ptr %p %v = load i32, ptr %p ret i32 %v }
define i32 @reads_volatile(ptr %p) { %v = load volatile i32, ptr %p ret i32 %v }
define void @copies(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 8, i1 false) ret void }
define void @calls(ptr %p) { call void @other(ptr %p) ret void }
define void @passes_a_copy(ptr %p) { call void @other(ptr byval(i64) %p) ret void }
define void @calls_a_pointer(ptr %p) { call void %p() ret void }
define void @waits() { call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ret void }
define void @declared(ptr %p) memory(argmem: read, inaccessiblemem: write) {
  call void @other(ptr %p) ret void }
";

#[test]
fn own_memory() {
    let device = device(MEMORY);
    for (name, expected) in [
        ("nothing", 0),
        ("reads_argument", 1),
        ("writes_argument", 2),
        ("reads_other", 16),
        ("reads_constant", 0),
        ("updates_other", 48),
        ("keeps_to_itself", 0),
        ("reads_volatile", 63),
        ("copies", 3),
        ("calls", 0),
        ("passes_a_copy", 1),
        ("calls_a_pointer", 63),
        ("waits", 63),
    ] {
        assert_eq!(function(&device, name)["own_memory"], expected, "{name}");
    }
}

#[test]
fn memory() {
    let device = device(MEMORY);
    assert_eq!(function(&device, "declared")["memory"], 9);
    assert_eq!(function(&device, "nothing")["memory"], 63, "nobody has said so");
}

#[test]
fn constant_result() {
    let device = device(
        "define i32 @three() { ret i32 3 }
define i8 @minus_one() { ret i8 -1 }
define float @one() { ret float 1.0 }
define void @none() { ret void }
define i32 @its_argument(i32 %x) { ret i32 %x }
define i32 @after_a_store(ptr %p) { store i32 1, ptr %p ret i32 3 }
define i128 @wide() { ret i128 3 }
",
    );
    for (name, expected) in [("three", Some(3)), ("minus_one", Some(255))] {
        assert_eq!(function(&device, name)["constant_result"].as_u64(), expected, "{name}");
    }
    for name in ["one", "none", "its_argument", "after_a_store", "wide"] {
        assert!(function(&device, name)["constant_result"].is_null(), "{name}");
    }
}
