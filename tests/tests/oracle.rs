//! Programs linked through Weft have what the same programs have when they are linked plainly.
//!
//! `WEFT_ORACLE_PROGRAMS` says how many random programs are compared, and `WEFT_SEED` from which seed
//! on; `cargo xtask bench oracle` compares more.

use weft_tests::oracle::{Failure, check_random, run};
use weft_tests::setting;

fn none(failures: &[Failure], of: usize) {
    let names: Vec<_> = failures.iter().map(|it| it.program.as_str()).collect();
    assert!(names.is_empty(), "{} of {of} programs failed: {names:#?}", names.len());
}

#[test]
fn random_programs_have_what_they_have_when_linked_plainly() {
    let first = setting("WEFT_SEED", 1);
    let seeds: Vec<u64> = (first..first + setting("WEFT_ORACLE_PROGRAMS", 10)).collect();
    none(&run(&seeds, |seed| check_random(*seed)), seeds.len());
}
