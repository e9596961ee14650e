//! Edges of the call graph, and references.

use serde_json::json;

use crate::summary_fields::{call, device, function, position};

const CALLS: &str = "@renamed = alias void (), ptr @callee
declare float @llvm.fma.f32(float, float, float)
define void @callee() { ret void }
define void @caller(ptr %p) {
  call void @callee()
  call void @callee()
  call void @renamed()
  call void %p()
  call void %p()
  call void asm sideeffect \"trap;\", \"\"()
  %x = call float @llvm.fma.f32(float 1.0, float 1.0, float 1.0)
  ret void
}
";

#[test]
fn callee() {
    let device = device(CALLS);
    let calls = function(&device, "caller")["calls"].as_array().expect("a list").clone();
    let callees: Vec<_> = calls.iter().map(|call| call["callee"].clone()).collect();
    assert_eq!(callees, ["callee", "renamed"].map(|name| json!(position(&device, name))));
}

#[test]
fn count() {
    let device = device(CALLS);
    assert_eq!(call(&device, "caller", "callee")["count"], 2);
    assert_eq!(call(&device, "caller", "renamed")["count"], 1);
}

#[test]
fn indirect_calls() {
    assert_eq!(function(&device(CALLS), "caller")["indirect_calls"], 2);
}

#[test]
fn references() {
    let device = device(
        "@read = global [4 x i32] zeroinitializer
@written = addrspace(3) global [4 x i32] undef
@both = global i32 0
@passed = global i32 0
@stored = global i32 0
@volatile = global i32 0
@updated = global i32 0
@cast = addrspace(3) global i32 undef
@unused = global i32 0
define i32 @f(ptr %p) {
  %a = load i32, ptr @read
  %b = load i32, ptr getelementptr ([4 x i32], ptr @read, i64 0, i64 2)
  store i32 %a, ptr addrspace(3) @written
  store i32 1, ptr addrspace(3) getelementptr ([4 x i32], ptr addrspace(3) @written, i64 0, i64 1)
  %c = load i32, ptr @both
  store i32 %b, ptr @both
  call void @f(ptr @passed)
  store ptr @stored, ptr %p
  %d = load volatile i32, ptr @volatile
  %e = atomicrmw add ptr @updated, i32 1 seq_cst
  store i32 1, ptr addrspacecast (ptr addrspace(3) @cast to ptr)
  ret i32 %c
}
",
    );
    let named = ["both", "cast", "passed", "read", "stored", "updated", "volatile", "written"];
    let expected = named.map(|name| json!(position(&device, name)));
    assert_eq!(function(&device, "f")["references"], json!(expected));
}
