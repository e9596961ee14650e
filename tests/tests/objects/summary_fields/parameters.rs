//! Bytes that calls move through `.param` space: every kind of type, on both sides, and coerced
//! types.

use std::fmt::Write as _;

use serde_json::Value;

use crate::summary_fields::{call, device};

/// Returns the cost of a call with one argument of type `of` that returns a value of the same type.
fn cost(of: &str) -> Value {
    let device = device(&format!(
        "declare {of} @callee({of})
define void @caller(ptr %p) {{
  %argument = load {of}, ptr %p
  %result = call {of} @callee({of} %argument)
  ret void
}}
"
    ));
    call(&device, "caller", "callee")["cost"].clone()
}

fn takes(of: &str, bytes: u32) {
    let cost = cost(of);
    for field in ["argument_bytes", "parameter_bytes", "return_bytes"] {
        assert_eq!(cost[field], bytes, "{field} of {of}");
    }
    assert_eq!(cost["coerced_arguments"], 0, "{of}");
}

#[test]
fn half() {
    takes("half", 2);
    takes("bfloat", 2);
}

#[test]
fn float() {
    takes("float", 4);
}

#[test]
fn double() {
    takes("double", 8);
}

#[test]
fn fp128() {
    takes("fp128", 16);
}

#[test]
fn pointer() {
    takes("ptr", 8);
    takes("ptr addrspace(3)", 8);
    // Pointers to tensor memory have 32 bits.
    takes("ptr addrspace(6)", 4);
}

#[test]
fn array() {
    takes("[3 x i16]", 6);
    takes("[2 x [5 x float]]", 40);
    takes("[0 x i32]", 0);
}

#[test]
fn vector() {
    takes("<4 x float>", 16);
    takes("<3 x i32>", 12);
    takes("<2 x ptr>", 16);
    takes("<9 x i1>", 2);
}

#[test]
fn integer_of_any_width() {
    for (width, bytes) in [(1, 1), (7, 1), (8, 1), (9, 2), (24, 3), (65, 9), (128, 16)] {
        takes(&format!("i{width}"), bytes);
    }
}

#[test]
fn structure() {
    takes("{ i8, i32 }", 8);
    takes("{ i8, { i64, i8 } }", 24);
    takes("{}", 0);
}

#[test]
fn packed_structure() {
    takes("<{ i8, i32 }>", 5);
}

/// Returns `i32` inside `depth` structures.
fn nested(depth: usize) -> String {
    format!("{}i32{}", "{ ".repeat(depth), " }".repeat(depth))
}

#[test]
fn structures_are_followed_to_depth_20() {
    takes(&nested(1), 4);
    takes(&nested(20), 4);
    takes(&nested(21), 0);
}

#[test]
fn structure_by_value() {
    let device = device(
        "%particle = type { double, double, i32 }
declare void @callee(ptr byval(%particle), i32)
define void @caller(ptr %p) {
  call void @callee(ptr byval(%particle) %p, i32 1)
  ret void
}
",
    );
    let cost = &call(&device, "caller", "callee")["cost"];
    assert_eq!(cost["argument_bytes"], 28);
    assert_eq!(cost["parameter_bytes"], 28);
    assert_eq!(cost["return_bytes"], 0);
}

#[test]
fn many_arguments_add_up() {
    let mut parameters = String::from("i32");
    for _ in 0..9 {
        // Writing to a String cannot fail.
        let _ = write!(parameters, ", double");
    }
    let arguments = parameters.replace("i32", "i32 1").replace("double", "double 0.0");
    let device = device(&format!(
        "declare void @callee({parameters})
define void @caller() {{
  call void @callee({arguments})
  ret void
}}
"
    ));
    assert_eq!(call(&device, "caller", "callee")["cost"]["argument_bytes"], 76);
}

/// The caller's type of the callee differs from the callee's own type. Of several calls, the most
/// expensive one counts.
#[test]
fn coerced_arguments() {
    let device = device(
        "declare i32 @callee(i16, i32, i64)
define void @caller() {
  %a = call i32 @callee(i16 1, i32 1, i64 1)
  %b = call i32 @callee(i32 1, i32 1, i32 1)
  ret void
}
",
    );
    let cost = &call(&device, "caller", "callee")["cost"];
    assert_eq!(cost["coerced_arguments"], 2);
    assert_eq!(cost["argument_bytes"], 14);
    assert_eq!(cost["parameter_bytes"], 14);
    assert_eq!(cost["return_bytes"], 4);
}

#[test]
fn actual_and_formal_bytes_are_told_apart() {
    let device = device(
        "declare void @callee(i16)
define void @caller() {
  call void @callee(i64 1, i64 2)
  ret void
}
",
    );
    let cost = &call(&device, "caller", "callee")["cost"];
    assert_eq!(cost["argument_bytes"], 16);
    assert_eq!(cost["parameter_bytes"], 2);
    assert_eq!(cost["coerced_arguments"], 2);
}
