//! Counts the differences between programs that are linked through Weft and plainly.
//!
//! `oracle corpus` compares the corpus and the example, `oracle corpus TEXT…` compares the programs
//! of the corpus that have one of the texts in their names, with each kind of jobs, and `oracle
//! random FIRST COUNT` compares random programs.

#![allow(clippy::expect_used, clippy::panic, reason = "a measurement may stop at a surprise")]

use weft_tests::corpus::{self, Program};
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
            let [first, count] = [first, count].map(|word| word.parse::<u64>().expect("a number"));
            let seeds: Vec<u64> = (first..first + count).collect();
            (seeds.len(), oracle::run(&seeds, |seed| check_random(*seed)))
        }
        _ => panic!("usage: oracle corpus [TEXT]… | oracle random FIRST COUNT"),
    };
    println!("programs {count}");
    println!("differences {}", differences(&failures));
}

/// Returns the number of differences in `failures`. A step that failed counts as one.
fn differences(failures: &[Failure]) -> usize {
    failures.iter().map(|failure| failure.differences.len().max(1)).sum()
}
