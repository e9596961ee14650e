//! Counts the differences between programs that are linked through Weft and plainly.
//!
//! `oracle corpus` compares the corpus and the example, `oracle corpus TEXT…` compares the programs
//! of the corpus that have one of the texts in their names, with each kind of jobs, and `oracle
//! random FIRST COUNT` compares random programs. `oracle nvcc FIRST COUNT` compares random
//! programs, and those programs of the corpus that say so, with units of nvcc; `oracle nvcc-corpus
//! TEXT…` compares such programs of the corpus alone, and `oracle nvcc-random FIRST COUNT` random
//! programs alone.

#![allow(clippy::expect_used, clippy::panic, reason = "a measurement may stop at a surprise")]

use weft_tests::corpus::{self, Program};
use weft_tests::interpreted::check_random_by_nvcc;
use weft_tests::oracle::{self, Failure, check_random, check_transport};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (count, failures) = match words[..] {
        ["corpus"] => {
            let programs = corpus::programs();
            let mut failures = oracle::run(&programs, Program::check);
            if let Err(failure) = check_transport() {
                println!("{failure}");
                failures.push(*failure);
            }
            (programs.len(), failures)
        }
        ["corpus", ref texts @ ..] => {
            let mut programs = corpus::programs();
            programs.retain(|program| texts.iter().any(|text| program.name.contains(text)));
            let failures = oracle::run(&programs, |program| program.check_with_each(&corpus::JOBS));
            (programs.len(), failures)
        }
        ["random", first, count] => {
            let seeds = seeds(first, count);
            (seeds.len(), oracle::run(&seeds, |seed| check_random(*seed)))
        }
        ["nvcc", first, count] => {
            let programs = for_both(&[]);
            let mut failures = oracle::run(&programs, Program::check_by_nvcc);
            let seeds = seeds(first, count);
            failures.extend(oracle::run(&seeds, |seed| check_random_by_nvcc(*seed)));
            (programs.len() + seeds.len(), failures)
        }
        ["nvcc-random", first, count] => {
            let seeds = seeds(first, count);
            (seeds.len(), oracle::run(&seeds, |seed| check_random_by_nvcc(*seed)))
        }
        ["nvcc-corpus", ref texts @ ..] => {
            let programs = for_both(texts);
            (programs.len(), oracle::run(&programs, Program::check_by_nvcc))
        }
        _ => panic!("usage: oracle corpus [TEXT]… | random FIRST COUNT | nvcc FIRST COUNT"),
    };
    println!("programs {count}");
    println!("differences {}", differences(&failures));
}

fn seeds(first: &str, count: &str) -> Vec<u64> {
    let [first, count] = [first, count].map(|word| word.parse::<u64>().expect("a number"));
    (first..first + count).collect()
}

/// Returns the programs of the corpus that nvcc compiles as well and that have one of `texts` in
/// their names; all of them if there is no text.
fn for_both(texts: &[&str]) -> Vec<Program> {
    let mut programs = corpus::programs();
    let has_text = |name: &str| texts.is_empty() || texts.iter().any(|text| name.contains(text));
    programs.retain(|program| program.is_for_both() && has_text(&program.name));
    programs
}

/// Returns the number of differences in `failures`. A step that failed counts as one.
fn differences(failures: &[Failure]) -> usize {
    failures.iter().map(|failure| failure.differences.len().max(1)).sum()
}
