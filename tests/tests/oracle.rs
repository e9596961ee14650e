//! Programs linked through Weft have what the same programs have when they are linked plainly.
//!
//! `WEFT_ORACLE_PROGRAMS` says how many random programs are compared, and `WEFT_SEED` from which seed
//! on; `cargo xtask bench oracle` compares more.

use weft_tests::corpus::{self, Program};
use weft_tests::oracle::{Failure, check_program, check_random, run};
use weft_tests::setting;

fn none(failures: &[Failure], of: usize) {
    let names: Vec<_> = failures.iter().map(|it| it.program.as_str()).collect();
    assert!(names.is_empty(), "{} of {of} programs failed: {names:#?}", names.len());
}

/// Compares each program whose name starts with a letter of `letters`.
fn corpus_of(letters: std::ops::RangeInclusive<char>) {
    let mut programs = corpus::programs();
    programs.retain(|it| it.name.starts_with(|first| letters.contains(&first)));
    assert!(!programs.is_empty(), "the corpus has no program of {letters:?}");
    none(&run(&programs, |program: &Program| check_program(program)), programs.len());
}

#[test]
fn programs_of_the_corpus_a_to_k() {
    corpus_of('a'..='k');
}

#[test]
fn programs_of_the_corpus_l() {
    corpus_of('l'..='l');
}

#[test]
fn programs_of_the_corpus_m_to_r() {
    corpus_of('m'..='r');
}

#[test]
fn programs_of_the_corpus_s_to_z() {
    corpus_of('s'..='z');
}

#[test]
fn random_programs_have_what_they_have_when_linked_plainly() {
    let first = setting("WEFT_SEED", 1);
    let seeds: Vec<u64> = (first..first + setting("WEFT_ORACLE_PROGRAMS", 10)).collect();
    none(&run(&seeds, |seed| check_random(*seed)), seeds.len());
}
