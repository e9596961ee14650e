//! Fields of variables.

use serde_json::json;

use crate::summary_fields::{device, position, symbol, variable};

const VARIABLES: &str = "@number = addrspace(1) externally_initialized global i32 7, align 4
@table = addrspace(4) constant [100 x double] zeroinitializer, align 16
@buffer = internal addrspace(3) global [3 x i16] undef
@literal = private unnamed_addr constant [3 x i8] c\"ab\\00\"
@named_literal = private constant [3 x i8] c\"ab\\00\"
@short_table = internal unnamed_addr addrspace(4) constant [128 x double] zeroinitializer
@long_table = internal unnamed_addr addrspace(4) constant [129 x double] zeroinitializer
@pointers = global [3 x ptr] [ptr @number_alias, ptr @callback, ptr @callback]
@number_alias = global i32 0
declare void @callback()
";

#[test]
fn size() {
    let device = device(VARIABLES);
    for (name, size) in [("number", 4), ("table", 800), ("buffer", 6), ("pointers", 24)] {
        assert_eq!(variable(&device, name)["size"], size, "{name}");
    }
}

#[test]
fn alignment() {
    let device = device(VARIABLES);
    for (name, alignment) in [("number", 4), ("table", 16), ("buffer", 0)] {
        assert_eq!(variable(&device, name)["alignment"], alignment, "{name}");
    }
}

#[test]
fn dynamic_shared() {
    let device = device(
        "@aligned = external addrspace(3) global [0 x i32], align 1024
@natural = external addrspace(3) global [0 x double]
@sized = external addrspace(3) global [4 x i32], align 16
@elsewhere = external addrspace(1) global [0 x i32], align 16
",
    );
    for (name, declaration) in [
        ("aligned", json!({"dynamic_shared": 1024})),
        ("natural", json!({"dynamic_shared": 8})),
        ("sized", json!("variable")),
        ("elsewhere", json!("variable")),
    ] {
        assert_eq!(symbol(&device, name)["body"]["declaration"], declaration, "{name}");
    }
}

#[test]
fn constant() {
    let device = device(VARIABLES);
    for (name, is_constant) in [("number", false), ("table", true), ("literal", true)] {
        assert_eq!(variable(&device, name)["constant"], is_constant, "{name}");
    }
}

#[test]
fn initialized() {
    let device = device(VARIABLES);
    for (name, is_initialized) in [("number", true), ("table", true), ("buffer", false)] {
        assert_eq!(variable(&device, name)["initialized"], is_initialized, "{name}");
    }
}

#[test]
fn externally_initialized() {
    let device = device(VARIABLES);
    for (name, is_set) in [("number", true), ("table", false), ("buffer", false)] {
        assert_eq!(variable(&device, name)["externally_initialized"], is_set, "{name}");
    }
}

#[test]
fn copyable() {
    let device = device(VARIABLES);
    let expected = [
        ("literal", true),
        ("named_literal", false),
        ("number", false),
        ("short_table", true),
        ("long_table", false),
    ];
    for (name, is_copyable) in expected {
        assert_eq!(variable(&device, name)["copyable"], is_copyable, "{name}");
    }
}

#[test]
fn handle() {
    let device = device(
        "@texture = addrspace(1) global i64 0
@surface = addrspace(1) global i64 0
@sampler = addrspace(1) global i64 0
@memory = addrspace(1) global i64 0
!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr addrspace(1) @texture, !\"texture\", i32 1}
!1 = !{ptr addrspace(1) @surface, !\"surface\", i32 1}
!2 = !{ptr addrspace(1) @sampler, !\"sampler\", i32 1}
",
    );
    for name in ["texture", "surface", "sampler"] {
        assert_eq!(variable(&device, name)["handle"], name);
    }
    assert!(variable(&device, "memory")["handle"].is_null());
}

#[test]
fn references() {
    let device = device(VARIABLES);
    let expected = ["callback", "number_alias"].map(|name| position(&device, name));
    assert_eq!(variable(&device, "pointers")["references"], json!(expected));
    assert_eq!(variable(&device, "number")["references"], json!([]));
}
