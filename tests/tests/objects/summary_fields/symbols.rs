//! Fields that every symbol has.

use serde_json::{Value, json};

use crate::summary_fields::{device, position, symbol};

/// The expected numbers come from `opt -module-summary` for this module. They are hashes of the
/// name, and of `unit.cu;local` for the local.
#[test]
fn guid() {
    let device = device("@global = global i32 0\n@local = internal global i32 0\n");
    assert_eq!(symbol(&device, "global")["guid"], json!(7_866_218_443_099_566_236_u64));
    assert_eq!(symbol(&device, "local")["guid"], json!(1_207_554_009_455_366_518_u64));
}

#[test]
fn name() {
    let device = device("@\"odd name\" = global i32 0\n@0 = private global i32 0\n");
    assert_eq!(symbol(&device, "odd name")["name"], "odd name");
    assert_eq!(symbol(&device, "weft_anonymous_0")["linkage"], "private");
}

#[test]
fn linkage() {
    let device = device(
        "@external = global i32 0
@internal = internal global i32 0
@private = private global i32 0
@linkonce = linkonce global i32 0
@linkonce_odr = linkonce_odr global i32 0
@weak = weak global i32 0
@weak_odr = weak_odr global i32 0
@common = common global i32 0
@extern_weak = extern_weak global i32
@copy = available_externally global i32 0
@declared = external global i32
@llvm.used = appending global [1 x ptr] [ptr @external], section \"llvm.metadata\"
",
    );
    for (name, linkage) in [
        ("external", "external"),
        ("internal", "internal"),
        ("private", "private"),
        ("linkonce", "linkonce_any"),
        ("linkonce_odr", "linkonce_odr"),
        ("weak", "weak_any"),
        ("weak_odr", "weak_odr"),
        ("common", "common"),
        ("extern_weak", "extern_weak"),
        ("copy", "available_externally"),
        ("declared", "external"),
        ("llvm.used", "appending"),
    ] {
        let expected = if linkage == "extern_weak" { "external_weak" } else { linkage };
        assert_eq!(symbol(&device, name)["linkage"], expected, "{name}");
    }
}

/// Returns the content of `function` in a module with `more` in front of it.
fn content_of(more: &str, function: &str) -> Value {
    symbol(&device(&format!("{more}{function}")), "f")["content"].clone()
}

#[test]
fn content() {
    let function = |linkage: &str, body: &str| {
        format!("define {linkage} i32 @f(i32 %x) \"level\"=\"1\" {{\n{body}}}\n")
    };
    let plain = content_of("", &function("weak", "  %y = sub i32 %x, 1\n  ret i32 %y\n"));
    assert!(plain.is_u64(), "{plain}");
    // A definition has content only if a different definition may replace it.
    for (linkage, has_content) in
        [("linkonce", true), ("linkonce_odr", false), ("weak_odr", false), ("", false)]
    {
        let body = "  ret i32 1\n";
        assert_eq!(content_of("", &function(linkage, body)).is_u64(), has_content, "{linkage}");
    }
    // Names of values, other functions, and numbers of metadata and of attributes do not change the
    // content.
    let others = "@a = private constant i8 1\ndefine void @other() #0 { ret void }
attributes #0 = { nounwind }\n!0 = !{}\n!named = !{!0}\n";
    let body = "  %z = sub i32 %x, 1, !my.kind !1\n  ret i32 %z\n";
    let renamed = format!("{}!1 = !{{i32 0}}\n", function("weak", body));
    assert_eq!(content_of(others, &renamed), plain);
    // The computation, the order of operands and flags of instructions change the content.
    for body in ["  %y = sub i32 %x, 2\n", "  %y = sub i32 1, %x\n", "  %y = sub nsw i32 %x, 1\n"] {
        assert_ne!(content_of("", &function("weak", &format!("{body}  ret i32 %y\n"))), plain);
    }
    let setting =
        function("weak", "  %y = sub i32 %x, 1\n  ret i32 %y\n").replace("\"1\"", "\"2\"");
    assert_ne!(content_of("", &setting), plain);
}

#[test]
fn content_through_locals() {
    let user = "define weak ptr @f() {\n  %p = call ptr @l(ptr @s)\n  ret ptr %p\n}\n";
    let local = |name: &str, add: u32, text: &str| {
        let callee = format!(
            "define internal ptr @{name}(ptr %p) {{\n  \
             %q = getelementptr i8, ptr %p, i32 {add}\n  ret ptr %q\n}}\n"
        );
        format!("@s = private constant [2 x i8] c\"{text}\"\n{callee}")
    };
    let first = content_of(&local("l", 1, "ab"), user);
    // The literals have other numbers, as clang may number them.
    let moved = local("m", 1, "ab").replace("@s ", "@s.7 ");
    assert_eq!(content_of(&moved, &user.replace("@l", "@m").replace("@s", "@s.7")), first);
    assert_ne!(content_of(&local("l", 2, "ab"), user), first);
    assert_ne!(content_of(&local("l", 1, "cd"), user), first);
    let recursive = "define internal void @r() {\n  call void @r()\n  call void @f()\n  ret void\n}
define weak void @f() {\n  call void @r()\n  ret void\n}\n";
    assert_eq!(content_of("", recursive), content_of("", &recursive.replace("@r", "@t")));
}

#[test]
fn content_of_variables_and_aliases() {
    let content = |text: &str| symbol(&device(text), "v")["content"].clone();
    let variable = content("@v = weak addrspace(1) global i32 1, align 4\n");
    assert_eq!(
        content("@w = global i8 0\n@v = weak addrspace(1) global i32 1, align 4\n"),
        variable
    );
    for other in [
        "@v = weak addrspace(1) global i32 2, align 4\n",
        "@v = weak addrspace(1) global i32 1, align 8\n",
        "@v = weak addrspace(1) constant i32 1, align 4\n",
        "@v = weak addrspace(4) global i32 1, align 4\n",
        "@v = weak addrspace(1) global i16 1, align 4\n",
    ] {
        assert_ne!(content(other), variable, "{other}");
    }
    let alias = |target: &str| {
        let targets = "define void @one() { ret void }\ndefine void @two() { ret void }\n";
        content(&format!("{targets}@v = weak alias void (), ptr @{target}\n"))
    };
    assert_eq!(alias("one"), alias("one"));
    assert_ne!(alias("one"), alias("two"));
}

#[test]
fn visibility() {
    let device = device(
        "@default = global i32 0
@hidden = hidden global i32 0
define protected void @protected() { ret void }
",
    );
    for name in ["default", "hidden", "protected"] {
        assert_eq!(symbol(&device, name)["visibility"], name);
    }
}

#[test]
fn comdat() {
    let device = device(
        "$own = comdat any
$group = comdat any
@none = global i32 0
@own = linkonce_odr global i32 0, comdat
@member = linkonce_odr global i32 0, comdat($group)
",
    );
    assert_eq!(symbol(&device, "none")["comdat"], "none");
    assert_eq!(symbol(&device, "own")["comdat"], "own");
    assert_eq!(symbol(&device, "member")["comdat"], json!({ "named": "group" }));
}

#[test]
fn dso_local() {
    let device = device("@here = dso_local global i32 0\n@anywhere = global i32 0\n");
    assert_eq!(symbol(&device, "here")["dso_local"], true);
    assert_eq!(symbol(&device, "anywhere")["dso_local"], false);
}

#[test]
fn address_space() {
    let device = device(
        "@generic = global i32 0
@global = addrspace(1) global i32 0
@shared = addrspace(3) global i32 undef
@constant = addrspace(4) constant i32 1
@far = external addrspace(101) global i32
",
    );
    let spaces = [("generic", 0), ("global", 1), ("shared", 3), ("constant", 4), ("far", 101)];
    for (name, space) in spaces {
        assert_eq!(symbol(&device, name)["address_space"], space, "{name}");
    }
}

/// A direct call takes no address. A stored address and one in an initializer do.
#[test]
fn address_taken() {
    let device = device(
        "@table = global ptr @listed
define void @called() { ret void }
define void @stored() { ret void }
define void @listed() { ret void }
define void @passed() { ret void }
declare void @take(ptr)
define void @f(ptr %p) {
  call void @called()
  store ptr @stored, ptr %p
  call void @take(ptr @passed)
  ret void
}
",
    );
    for (name, is_taken) in
        [("called", false), ("stored", true), ("listed", true), ("passed", true)]
    {
        assert_eq!(symbol(&device, name)["address_taken"], is_taken, "{name}");
    }
}

#[test]
fn llvm_used_and_llvm_compiler_used() {
    let device = device(
        "@kept = global i32 0
@also_kept = addrspace(1) global i32 0
@in_both = addrspace(1) global i32 0
@neither = global i32 0
@llvm.used = appending global [2 x ptr]
  [ptr @kept, ptr addrspacecast (ptr addrspace(1) @in_both to ptr)], section \"llvm.metadata\"
@llvm.compiler.used = appending global [2 x ptr]
  [ptr addrspacecast (ptr addrspace(1) @also_kept to ptr),
   ptr addrspacecast (ptr addrspace(1) @in_both to ptr)], section \"llvm.metadata\"
",
    );
    // A symbol in the second list alone may be there because clang saw that the unit names it.
    for (name, is_used, by_host) in [
        ("kept", true, false),
        ("also_kept", true, true),
        ("in_both", true, false),
        ("neither", false, false),
    ] {
        assert_eq!(symbol(&device, name)["used"], is_used, "{name}");
        assert_eq!(symbol(&device, name)["used_by_host"], by_host, "{name}");
        assert_eq!(symbol(&device, name)["address_taken"], false, "{name}");
    }
}

#[test]
fn used_by_host() {
    let device = device(
        "@named = global i32 0
@other = global i32 0
@__clang_gpu_used_external = internal global [1 x ptr] [ptr @named]
@llvm.compiler.used = appending global [1 x ptr]
  [ptr @__clang_gpu_used_external], section \"llvm.metadata\"
",
    );
    assert_eq!(symbol(&device, "named")["used_by_host"], true);
    assert_eq!(symbol(&device, "named")["used"], false);
    assert_eq!(symbol(&device, "other")["used_by_host"], false);
}

#[test]
fn alias() {
    let device = device(
        "@other_name = alias void (), ptr @function
@other_variable = internal alias i32, ptr @variable
@variable = global i32 0
define void @function() { ret void }
",
    );
    for (name, target) in [("other_name", "function"), ("other_variable", "variable")] {
        let expected = json!({ "alias": { "target": position(&device, target) } });
        assert_eq!(symbol(&device, name)["body"], expected);
    }
}

/// A declaration is a symbol like a definition, so an edge to a definition of another unit exists.
#[test]
fn declarations_meet_definitions() {
    let device = device(
        "@elsewhere = external global i32
declare void @function()
declare ptx_kernel void @kernel()
define i32 @caller(ptr %p) {
  call void @function()
  %value = load i32, ptr @elsewhere
  store ptr @kernel, ptr %p
  ret i32 %value
}
",
    );
    for (name, kind) in [("elsewhere", "variable"), ("function", "function"), ("kernel", "kernel")]
    {
        assert_eq!(symbol(&device, name)["body"], json!({ "declaration": kind }));
    }
    let caller = crate::summary_fields::function(&device, "caller");
    assert_eq!(caller["calls"][0]["callee"], position(&device, "function"));
    let targets = ["elsewhere", "kernel"].map(|name| json!(position(&device, name)));
    assert_eq!(caller["references"], json!(targets));
}
