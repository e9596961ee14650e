//! Bitcode with changed bits gives a summary or a clear error that names the file, never a crash:
//! LLVM's reader trusts its input, so Weft catches what happens to it there.

use weft_tests::Workbench;

const UNIT: &str = include_str!("../scenarios/promotion/b.ll");
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
            // Knuth's generator: the same numbers in every run.
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
