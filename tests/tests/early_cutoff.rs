//! What was not imported leaves no trace in an importer's linked module, and what was imported does.

use weft_tests::Workbench;

const A: &str = include_str!("../scenarios/promotion/a.ll");
const B: &str = include_str!("../scenarios/promotion/b.ll");

/// Linked module of the importer `a`, with `b` as its import source.
fn linked_importer(b: &str) -> Vec<u8> {
    let bench = Workbench::new();
    bench.write("a.ll", A);
    bench.write("b.ll", b);
    bench.prepare(&["a", "b"]);
    bench.thinlink(&["a", "b"], &[]);
    bench.import("a", &["b"]).succeed();
    bench.read("a.linked.bc")
}

/// `B` with one text replaced, which must be there.
fn edited(old: &str, new: &str) -> String {
    assert!(B.contains(old), "{old:?} is not in the unit");
    B.replace(old, new)
}

#[test]
fn edits_outside_the_imported_bodies_change_nothing() {
    let before = linked_importer(B);
    let function = "define i32 @another(ptr %p) #0 {\n  %q = getelementptr %struct.new, ptr %p, \
                    i32 1\n  store i32 1, ptr %q, !new.kind !0\n  ret i32 0\n}\n!0 = !{}\n";
    let edits = [
        ("an unimported body", edited("store volatile i8 0", "store volatile i8 1")),
        ("an unimported variable", edited("global i32 3", "global i32 4")),
        (
            "a longer unimported body",
            edited("  ret void", "  store volatile i8 2, ptr %slot\n  ret void"),
        ),
        ("a new function with a type and metadata of its own", {
            edited("@counter =", "@zero = constant i32 0\n@counter =")
                + "%struct.new = type { i8, i32 }\n"
                + function
        }),
        ("a new local before those that are imported", {
            edited("@counter =", "@aaa = internal unnamed_addr constant i32 5\n@counter =")
        }),
        ("another source name", format!("source_filename = \"/elsewhere/b.cu\"\n{B}")),
        ("names of local values", edited("%old", "%renamed")),
    ];
    for (what, edit) in edits {
        assert!(linked_importer(&edit) == before, "{what} changed the importer's linked module");
    }
}

#[test]
fn edits_inside_the_imported_bodies_change_it() {
    let before = linked_importer(B);
    let edits = [
        ("the body", edited("i32 1 monotonic", "i32 2 monotonic")),
        ("a copied string", edited("c\"hello", "c\"hallo")),
        ("a variable's size", edited("32 x i32", "64 x i32")),
    ];
    for (what, edit) in edits {
        assert!(linked_importer(&edit) != before, "{what} left the importer's linked module");
    }
}
