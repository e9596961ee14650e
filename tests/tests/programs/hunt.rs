//! The hunt for wrong code, for a short time.
//!
//! `WEFT_HUNT_MINUTES` sets a time, `WEFT_HUNT_PROGRAMS` the least number of programs and
//! `WEFT_SEED` the first seed; `cargo xtask hunt` sets them. `WEFT_HUNT_REDUCTION` sets the number
//! of programs that the reduction of the planted fault tries.

use std::cell::Cell;

use weft_tests::hunted::{Case, Oracle, hunt, reduce, size_of};
use weft_tests::{Workbench, setting};

#[test]
fn random_programs_are_right() {
    let first = setting("WEFT_SEED", 1);
    let count = setting("WEFT_HUNT_PROGRAMS", 4);
    let minutes = u32::try_from(setting("WEFT_HUNT_MINUTES", 0)).unwrap_or(u32::MAX);
    let found = hunt(first, count, f64::from(minutes) * 60.0);
    println!("metric strain.hunt_programs {}", found.programs);
    println!("metric strain.hunt_wrong {}", found.wrong.len());
    assert!(
        found.wrong.is_empty(),
        "of {} programs, these seeds failed: {:?}. Again: cargo xtask hunt --programs 1 --seed \
         SEED",
        found.programs,
        found.wrong
    );
}

/// A code generator that adds instead of multiplying is noticed, and the program that shows it is
/// made smaller while it shows the same.
#[test]
fn a_planted_fault_is_found_and_its_program_made_small() {
    // More attempts make the program smaller and the test slower.
    let limit = usize::try_from(setting("WEFT_HUNT_REDUCTION", 14)).unwrap_or(usize::MAX);
    let alter = |text: String| text.replace("mul.lo.s32", "add.s32");
    let case = Case::draw(1).by(Oracle::Processor);
    assert_eq!(case.fault(&Workbench::new(), &|text| text), None, "{case}");
    let fault = case.fault(&Workbench::new(), &alter);
    let kind = fault.map(|fault| fault.kind);
    assert_eq!(kind.as_deref(), Some("computes"), "{case}");
    let wrong = Cell::new(0);
    let reduced = reduce(&case.program, limit, &mut |program| {
        let found = case.with(program.clone()).fault(&Workbench::new(), &alter);
        let is_wrong = found.is_some_and(|fault| fault.kind == "computes");
        wrong.set(wrong.get() + usize::from(is_wrong));
        is_wrong
    });
    assert!(reduced.tried <= limit && wrong.get() > 0, "{} of {}", wrong.get(), reduced.tried);
    let (whole, rest) = (size_of(&case.program), size_of(&reduced.program));
    assert!(
        rest < whole || reduced.program.launches.len() < case.program.launches.len(),
        "{whole} characters, {rest} after {} programs",
        reduced.tried
    );
    println!("{whole} characters, {rest} after {} programs", reduced.tried);
    let small = case.with(reduced.program);
    let shown = if rest < 1000 { small.program.units.as_slice() } else { &[] };
    for unit in shown {
        let code: String =
            unit.definitions.iter().map(|definition| definition.text.as_str()).collect();
        println!("{}:\n{code}", unit.name);
    }
    assert!(small.fault(&Workbench::new(), &alter).is_some());
    assert_eq!(small.fault(&Workbench::new(), &|text| text), None, "{small}");
}
