//! Facts about a function's instructions that cost models use, and the launch bounds of kernels.

use crate::{device, function};

/// Checks one field of the shape of `f`.
fn check(field: &str, expected: u32, ir: &str) {
    let device = device(ir);
    assert_eq!(function(&device, "f")["shape"][field], expected, "{field}");
}

const MEMORY: &str = "define i32 @f(ptr %p) {
  %a = load i32, ptr %p
  %b = load i32, ptr %p
  %c = load volatile i32, ptr %p
  store i32 %a, ptr %p
  store i32 %b, ptr %p
  ret i32 %c
}
";

#[test]
fn loads() {
    check("loads", 3, MEMORY);
}

#[test]
fn stores() {
    check("stores", 2, MEMORY);
}

const SWITCHES: &str = "define void @f(i32 %x) {
  switch i32 %x, label %next [ i32 1, label %next ]
next:
  switch i32 %x, label %end [ i32 1, label %end i32 5, label %end i32 9, label %end ]
end:
  ret void
}
";

#[test]
fn switches() {
    check("switches", 2, SWITCHES);
}

#[test]
fn largest_switch() {
    check("largest_switch", 3, SWITCHES);
}

/// An allocation without a fixed size counts as zero.
#[test]
fn local_bytes() {
    let ir = "define void @f(i32 %n) {
  %a = alloca i32
  %b = alloca [10 x double]
  %c = alloca i16, i32 5
  %d = alloca i32, i32 %n
  ret void
}
";
    check("local_bytes", 4 + 80 + 10, ir);
}

const INTRINSICS: &str = "declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.activemask()
declare {float, float, float, float} @llvm.nvvm.mma.m16n8k8.row.col.tf32(
  i32, i32, i32, i32, i32, i32, float, float, float, float)
declare {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3))
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare float @llvm.nvvm.ex2.approx.f(float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fma.f32(float, float, float)
define void @f(ptr addrspace(3) %p, float %x) {
  %a = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 1, i32 1, i32 31)
  %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 true)
  %c = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 1)
  %d = call i32 @llvm.nvvm.redux.sync.add(i32 1, i32 -1)
  %e = call i32 @llvm.nvvm.activemask()
  %g = call {float, float, float, float} @llvm.nvvm.mma.m16n8k8.row.col.tf32(
    i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, float %x, float %x, float %x, float %x)
  %h = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %p)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %i = call float @llvm.nvvm.ex2.approx.f(float %x)
  %j = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = call float @llvm.fma.f32(float %x, float %x, float %x)
  ret void
}
";

#[test]
fn warp_operations() {
    check("warp_operations", 5, INTRINSICS);
}

#[test]
fn tensor_operations() {
    check("tensor_operations", 2, INTRINSICS);
}

#[test]
fn barriers() {
    check("barriers", 3, INTRINSICS);
}

#[test]
fn special_operations() {
    check("special_operations", 2, INTRINSICS);
}

/// A bound is a number, or a number for each dimension, which are multiplied.
#[test]
fn launch_bounds() {
    let device = device(
        "define ptx_kernel void @f() #0 { ret void }
define ptx_kernel void @g() { ret void }
attributes #0 = { \"nvvm.maxntid\"=\"32,8,2\" \"nvvm.reqntid\"=\"64,2\"
  \"nvvm.minctasm\"=\"3\" \"nvvm.cluster_dim\"=\"2,2,1\"
  \"nvvm.maxclusterrank\"=\"8\" \"nvvm.maxnreg\"=\"96\" }
",
    );
    for (field, expected) in [
        ("max_threads", 512),
        ("required_threads", 128),
        ("min_blocks", 3),
        ("cluster_blocks", 4),
        ("max_cluster_blocks", 8),
        ("max_registers", 96),
    ] {
        assert_eq!(function(&device, "f")["launch_bounds"][field], expected, "{field}");
        assert_eq!(function(&device, "g")["launch_bounds"][field], 0, "{field}");
    }
}
