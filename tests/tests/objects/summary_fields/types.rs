//! Virtual tables, type identifiers, type tests and virtual calls.

use serde_json::json;
use weft_artifact::Guid;

use crate::summary_fields::{device, function, position, variable};

const TYPES: &str = "@table = constant { [4 x ptr] }
  { [4 x ptr] [ptr null, ptr null, ptr @first, ptr @second] }, !type !0, !type !1
@writable = global [1 x ptr] [ptr @first], !type !0
define void @first(ptr %this) { ret void }
define void @second(ptr %this) { ret void }
declare i1 @llvm.type.test(ptr, metadata)
declare i1 @llvm.public.type.test(ptr, metadata)
declare void @llvm.assume(i1)
declare {ptr, i1} @llvm.type.checked.load(ptr, i32, metadata)
define void @calls(ptr %object) {
  %table = load ptr, ptr %object
  %is = call i1 @llvm.type.test(ptr %table, metadata !\"base\")
  call void @llvm.assume(i1 %is)
  %slot = getelementptr i8, ptr %table, i64 8
  %function = load ptr, ptr %slot
  call void %function(ptr %object)
  ret void
}
define void @calls_public(ptr %object) {
  %table = load ptr, ptr %object
  %is = call i1 @llvm.public.type.test(ptr %table, metadata !\"base\")
  call void @llvm.assume(i1 %is)
  %function = load ptr, ptr %table
  call void %function(ptr %object)
  ret void
}
@nameless = constant [1 x ptr] [ptr @stand_in], !type !2
@stand_in = alias void (ptr), ptr @first
define i1 @tests(ptr %object) {
  %table = load ptr, ptr %object
  %is = call i1 @llvm.type.test(ptr %table, metadata !\"derived\")
  ret i1 %is
}
define void @checks(ptr %object) {
  %table = load ptr, ptr %object
  %pair = call {ptr, i1} @llvm.type.checked.load(ptr %table, i32 16, metadata !\"base\")
  %function = extractvalue {ptr, i1} %pair, 0
  %is = extractvalue {ptr, i1} %pair, 1
  call void @llvm.assume(i1 %is)
  call void %function(ptr %object)
  ret void
}
!0 = !{i64 16, !\"base\"}
!1 = !{i64 24, !\"derived\"}
!2 = !{i64 0, !3}
!3 = distinct !{}
";

#[test]
fn virtual_functions() {
    let device = device(TYPES);
    let expected = json!([
        { "offset": 16, "function": position(&device, "first") },
        { "offset": 24, "function": position(&device, "second") },
    ]);
    assert_eq!(variable(&device, "table")["virtual_functions"], expected);
    let alias = json!([{ "offset": 0, "function": position(&device, "stand_in") }]);
    assert_eq!(variable(&device, "nameless")["virtual_functions"], alias);
    // A variable that can be written to is no virtual table.
    assert_eq!(variable(&device, "writable")["virtual_functions"], json!([]));
}

#[test]
fn type_identifiers() {
    let device = device(TYPES);
    let expected = json!([
        { "type_id": Guid::of_global("base"), "offset": 16 },
        { "type_id": Guid::of_global("derived"), "offset": 24 },
    ]);
    assert_eq!(variable(&device, "table")["type_ids"], expected);
    let own = json!([{ "type_id": Guid::of_global(""), "offset": 0 }]);
    assert_eq!(variable(&device, "nameless")["type_ids"], own);
}

#[test]
fn type_tests() {
    let device = device(TYPES);
    let tests = |name| function(&device, name)["type_tests"].clone();
    assert_eq!(tests("tests"), json!([Guid::of_global("derived")]));
    assert_eq!(tests("calls"), json!([]));
}

#[test]
fn virtual_calls() {
    let device = device(TYPES);
    let calls = |name| function(&device, name)["virtual_calls"].clone();
    let base = Guid::of_global("base");
    assert_eq!(calls("calls"), json!([{ "type_id": base, "offset": 8 }]));
    assert_eq!(calls("calls_public"), json!([{ "type_id": base, "offset": 0 }]));
    assert_eq!(calls("checks"), json!([{ "type_id": base, "offset": 16 }]));
    assert_eq!(calls("tests"), json!([]));
}
