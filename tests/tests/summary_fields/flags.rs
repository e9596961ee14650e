//! Instruction counts and the flags of functions: each on exactly the one function that has it.

use crate::{device, function};

#[test]
fn instruction_count() {
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
    // alloca, store, fma, ret.
    assert_eq!(function(&device, "f")["instruction_count"], 4);
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
define ptr @not_importable() {
  br label %next
next:
  ret ptr blockaddress(@not_importable, %next)
}
";

/// Of all functions, `flag` is set on exactly the one of its name.
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
fn not_importable() {
    only_its_own("not_importable");
}
