//! Calls that a profile makes critical, and sizes with lifetime markers.

use std::fmt::Write as _;

use weft_artifact::Guid;
use weft_tests::Workbench;

use super::program::Program;
use super::{compare, ours};

/// Returns a function with a number of instructions, of which two are lifetime markers, and which
/// calls `callees`.
fn function(definition: &str, instructions: usize, callees: &[&str]) -> String {
    let mut text = format!("define {definition} {{\n  %slot = alloca i32\n");
    text.push_str("  call void @llvm.lifetime.start.p0(ptr %slot)\n");
    for callee in callees {
        let _ = writeln!(text, "  call void @{callee}()");
    }
    for _ in callees.len() + 4..instructions {
        text.push_str("  store volatile i32 1, ptr %slot\n");
    }
    text + "  call void @llvm.lifetime.end.p0(ptr %slot)\n  ret void\n}\n"
}

/// Returns a module of the functions, with declarations of `declared`.
fn module(id: &str, declared: &[&str], functions: &[String], metadata: &str) -> String {
    let mut text = format!(
        "source_filename = \"{id}\"
target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
"
    );
    for name in declared {
        let _ = writeln!(text, "declare void @{name}()");
    }
    text + &functions.concat() + metadata
}

/// `caller` names `step` alone and gets what its profile lists: `large`, which `step` calls, the
/// local `hidden`, by either GUID, but neither `huge` nor the ambiguous local `twice`. The usual
/// limit applies to the targets that the metadata of its indirect call lists.
fn program(bench: &Workbench) -> Program {
    let listed = ["large", "huge", "b.cu;hidden", "other", "twice", "nowhere", "step"];
    let guids = listed.map(|name| format!(", i64 {}", Guid::of_global(name).0.cast_signed()));
    let metadata = format!(
        "!0 = !{{!\"function_entry_count\", i64 1{}}}\n!1 = !{{ptr @fits, ptr @large_target}}\n",
        guids.concat()
    );
    let caller = "define void @caller(ptr %p) !prof !0 {
  call void @step()
  call void %p(), !callees !1
  ret void
}
";
    let a = module("a.cu", &["step", "fits", "large_target"], &[caller.to_owned()], &metadata);
    let b = [
        function("void @step()", 100, &["large", "huge", "hidden", "other", "twice"]),
        function("void @large()", 10_000, &["below", "above"]),
        function("void @huge()", 10_001, &[]),
        function("void @below()", 70, &[]),
        function("void @above()", 71, &[]),
        function("internal void @hidden()", 5000, &[]),
        function("internal void @other()", 5000, &[]),
        function("internal void @twice()", 5000, &[]),
        function("void @fits()", 100, &[]),
        function("void @large_target()", 101, &[]),
    ];
    let c = [
        function("internal void @twice()", 5000, &[]),
        function("void @calls_twice()", 10, &["twice"]),
    ];
    let modules =
        [("a.cu", a), ("b.cu", module("b.cu", &[], &b, "")), ("c.cu", module("c.cu", &[], &c, ""))];
    Program::of_ir(bench, &modules)
}

#[test]
fn critical_calls() {
    let bench = Workbench::new();
    let program = program(&bench);
    let mut results = Vec::new();
    for knobs in [
        &[][..],
        &["--import-critical-multiplier=50"],
        &["--import-critical-multiplier=1"],
        &["--import-instr-limit=99"],
        &["--import-instr-limit=5", "--import-critical-multiplier=2000"],
    ] {
        let tally = compare(&bench, &program, knobs);
        assert!(tally.equal > 0 && tally.explained.is_empty(), "{knobs:?}: {tally:?}");
        let imports = ours(&bench, &program, knobs).into_iter();
        let imports = imports.filter(|import| import.importer == "a.cu" && !import.declaration);
        let names = imports.map(|import| {
            let symbol = program.symbol(&import.source, import.guid);
            symbol.map_or_else(String::new, |symbol| symbol.name.clone())
        });
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        results.push(names.join(" "));
    }
    assert_eq!(
        results,
        [
            "below fits hidden large other step",
            "fits hidden other step",
            "fits step",
            "hidden other step",
            "hidden large other step",
        ]
    );
}
