//! The digest of a function's prototype, which says what nvlink compares.

use serde_json::Value;

use crate::summary_fields::{device, symbol};

/// Returns the prototype of a function of that declaration, without its name.
fn prototype(result: &str, parameters: &str) -> Value {
    let text = format!(
        "%pair = type {{ float, float }}
%odd = type {{ [3 x i8] }}
declare {result} @f({parameters})
define void @caller() {{
  call void @f()
  ret void
}}
"
    );
    symbol(&device(&text), "f")["prototype"].clone()
}

#[test]
fn prototypes_are_those_of_ptx() {
    // Each row holds declarations that nvlink takes for one.
    let alike: [&[(&str, &str)]; 9] = [
        &[("i32", "i32"), ("float", "float"), ("i1", "i8"), ("i16", "i1 zeroext")],
        &[("i32", "i32, i32")],
        &[("void", "i32"), ("void", "float")],
        &[("i64", "ptr"), ("double", "i64"), ("ptr", "i33")],
        &[
            ("i32", "ptr byval(%pair) align 4"),
            ("i32", "<2 x float>"),
            ("i32", "[8 x i8]"),
            ("i32", "ptr byval(%pair) align 8"),
        ],
        &[("i32", "half"), ("i32", "bfloat"), ("i32", "<2 x i8>")],
        &[("%odd", "ptr byval(%odd)"), ("[3 x i8]", "%odd")],
        &[("i128", "i128"), ("<4 x float>", "[4 x i32]")],
        &[("i32", "ptr, ..."), ("i32", "ptr, ptr")],
    ];
    let mut firsts: Vec<Value> = Vec::new();
    for row in alike {
        let all: Vec<Value> =
            row.iter().map(|(result, parameters)| prototype(result, parameters)).collect();
        assert!(all[0].is_u64(), "{row:?}");
        assert!(all.iter().all(|one| *one == all[0]), "{row:?} {all:?}");
        assert!(!firsts.contains(&all[0]), "{row:?} is like one before");
        firsts.push(all[0].clone());
    }
}

#[test]
fn prototypes_are_of_functions_that_other_modules_bind_to() {
    let device = device(
        "@variable = global ptr @named
declare void @named(i32)
declare void @called(i32)
define void @function(i32 %x) {
  call void @called(i32 %x)
  call void @local(i32 %x)
  ret void
}
define internal void @local(i32 %x) { ret void }
define available_externally void @elsewhere(i32 %x) { ret void }
define ptx_kernel void @kernel(i32 %x) { ret void }
",
    );
    assert_eq!(symbol(&device, "called")["prototype"], symbol(&device, "function")["prototype"]);
    assert!(symbol(&device, "function")["prototype"].is_u64());
    for name in ["variable", "named", "local", "elsewhere", "kernel"] {
        assert!(symbol(&device, name)["prototype"].is_null(), "{name}");
    }
}
