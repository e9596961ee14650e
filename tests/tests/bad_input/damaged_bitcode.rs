//! Bitcode with changed bits gives a summary or a clear error that names the file, never a crash.
//! LLVM trusts its input, so Weft catches the failures of its reader and its code generator.

use weft_tests::Workbench;

const UNIT: &str = include_str!("../../scenarios/promotion/b.ll");
const CALLEE: &str = include_str!("../../scenarios/call/b.ll");
/// Exit code for a wrong input.
const INPUT: i32 = 3;

#[test]
fn bit_flips_of_a_unit_are_refused_or_mean_something() {
    let bench = Workbench::new();
    bench.write("b.ll", UNIT);
    bench.assemble_ir("b");
    let bitcode = bench.read("b.bc");
    let (mut taken, mut refused) = (0, 0);
    let mut random = 0x5EED_u64;
    for _ in 0..400 {
        let mut damaged = bitcode.clone();
        for _ in 0..=random % 3 {
            // Knuth's generator gives the same numbers in every run.
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let bit = usize::try_from(random >> 33).unwrap_or(0) % (bitcode.len() * 8);
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        bench.write("damaged.bc", damaged);
        let run =
            bench.weft("summarize").args(["--module-id", "b", "-o", "out.summary", "damaged.bc"]);
        let outcome = run.outcome();
        match outcome.code {
            Some(0) => taken += 1,
            Some(INPUT) => {
                outcome.says(&["summarize: error: damaged.bc: "]);
                refused += 1;
            }
            _ => panic!("{:?}\n{}{}", outcome.code, outcome.stdout, outcome.stderr),
        }
    }
    assert!(taken > 10 && refused > 100, "{taken} taken, {refused} refused");
}

/// A number of types or of basic blocks costs bitcode a few bits, and LLVM allocates memory for
/// that number. The limit applies to the counted allocations of the thread, because the system
/// would grant all of them here.
#[test]
fn bitcode_that_claims_more_than_it_holds_is_refused() {
    let bench = Workbench::new();
    bench.write("b.ll", UNIT);
    bench.assemble_ir("b");
    let bitcode = bench.read("b.bc");
    let claims = with_block_counts(&bitcode, 1 << 28);
    assert!(!claims.is_empty());
    for damaged in claims {
        bench.write("damaged.bc", damaged);
        let run =
            bench.weft("summarize").args(["--module-id", "b", "-o", "out.summary", "damaged.bc"]);
        let reason = "LLVM's reader asked for more memory than it can need";
        run.expect(INPUT).says(&["summarize: error: damaged.bc: ", reason]);
        assert!(!bench.file("out.summary").exists());
    }
}

/// Bodies of import sources are read only when they are moved.
#[test]
fn a_body_that_claims_more_than_it_holds_is_not_imported() {
    let bench = Workbench::new();
    bench.write("a.ll", include_str!("../../scenarios/call/a.ll"));
    bench.write("b.ll", CALLEE);
    bench.prepare(&["a", "b"]);
    bench.thinlink(&["a", "b"], &[]);
    let mut refused = 0;
    for damaged in with_block_counts(&bench.read("b.bc"), 1 << 28) {
        bench.write("b.bc", damaged);
        // A body that the plan does not import is not read.
        let outcome = bench.import("a", &["b"]).outcome();
        if outcome.code == Some(INPUT) {
            outcome.says(&["b.bc", "LLVM's reader asked for more memory than it can need"]);
            refused += 1;
        } else {
            assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
            bench.remove("a.linked.bc");
        }
        assert!(!bench.file("a.linked.bc").exists());
    }
    assert!(refused > 0);
}

/// Only imported bodies of a source are read, so a source that breaks LLVM's rules is noticed in
/// the module that imports from it.
#[test]
fn the_source_of_a_body_that_breaks_the_rules_is_named() {
    let bench = Workbench::new();
    bench.write("a.ll", include_str!("../../scenarios/call/a.ll"));
    bench.write("b.ll", CALLEE);
    bench.prepare(&["a", "b"]);
    bench.thinlink(&["a", "b"], &[]);
    bench.import("a", &["b"]).succeed();
    bench.remove("a.linked.bc");
    let too_late = "%doubled = mul i32 %later, %value\n  %later = add i32 %value, 1";
    bench.write("b.ll", CALLEE.replace("%doubled = mul i32 %value, %value", too_late));
    bench.llvm("llvm-as").args(["-disable-verify", "b.ll", "-o", "b.bc"]).succeed();
    let reason = "Instruction does not dominate all uses";
    bench.import("a", &["b"]).expect(INPUT).says(&["backend-job: error: b.bc: ", reason]);
    assert!(!bench.file("a.linked.bc").exists());
}

/// Modules that LLVM's own check takes, and that its code generator cannot finish.
#[test]
fn what_stops_the_code_generator_is_an_error_of_its_file() {
    let bench = Workbench::new();
    let odd_name = CALLEE.replace("@unused", "@\"un used\"");
    let call = "call void asm sideeffect \"mov.u32 $7, $0;\", \"r\"(i32 %value)\n  ret i32 %value";
    let odd_operand = CALLEE.replace("ret i32 %value", call);
    for (text, reason) in
        [(odd_name, "Symbol name with unsupported characters"), (odd_operand, "operand")]
    {
        bench.write("b.ll", text);
        bench.assemble_ir("b");
        let run = bench.weft("backend-job").args(["codegen", "b.bc", "-o", "out.ptx"]);
        run.expect(INPUT).says(&["backend-job: error: b.bc: code generation failed: ", reason]);
        assert!(!bench.file("out.ptx").exists());
    }
}

/// Returns copies of `bitcode`, in each of which another function claims to have `count` basic
/// blocks. The records after that claim are garbage, but LLVM creates the blocks first.
fn with_block_counts(bitcode: &[u8], count: u64) -> Vec<Vec<u8>> {
    /// Width of an abbreviation's number in a block of a function.
    const WIDTH: u32 = 5;
    /// An unabbreviated record (3) of code 1 with one operand, in the lowest 17 bits of a word. The
    /// block of a function begins with this record, and no other block does.
    const DECLARE_BLOCKS: u64 = 3 | 1 << WIDTH | 1 << (WIDTH + 6);
    let mut operand = 0;
    let mut at = WIDTH + 12;
    let mut rest = count;
    while rest != 0 {
        let more = u64::from(rest >> 5 != 0) << 5;
        operand |= (rest & 31 | more) << at;
        (at, rest) = (at + 6, rest >> 5);
    }
    let starts = (0..bitcode.len() - 8).step_by(4).filter(|&start| {
        let word = u64::from(u32::from_le_bytes([0, 1, 2, 3].map(|byte| bitcode[start + byte])));
        word & ((1 << (WIDTH + 12)) - 1) == DECLARE_BLOCKS
    });
    let damaged = starts.map(|start| {
        let mut copy = bitcode.to_vec();
        copy[start..start + 8].copy_from_slice(&(DECLARE_BLOCKS | operand).to_le_bytes());
        copy
    });
    damaged.collect()
}
