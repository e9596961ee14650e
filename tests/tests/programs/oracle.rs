//! Programs linked through Weft have the same facts as the same programs linked plainly.
//!
//! `WEFT_ORACLE_PROGRAMS` sets the number of random programs that are compared, and `WEFT_SEED` the
//! first seed. `cargo xtask bench oracle` compares more programs.

use std::collections::BTreeSet;

use weft_tests::corpus;
use weft_tests::interpreted::check_random_by_nvcc;
use weft_tests::oracle::{
    Aspect, Expected, Failure, Image, LinkInput, LinkInputs, check_random, check_transport,
    compare, missing, run, variables,
};
use weft_tests::{Workbench, setting};

fn none(failures: &[Failure], of: usize) {
    let names: Vec<_> = failures.iter().map(|failure| failure.program.as_str()).collect();
    assert!(names.is_empty(), "{} of {of} programs failed: {names:#?}", names.len());
}

/// Compares each program whose name starts with a letter of `letters`, with all kinds of jobs.
fn corpus_of(letters: std::ops::RangeInclusive<char>) {
    let mut programs = corpus::programs();
    programs.retain(|program| program.name.starts_with(|first| letters.contains(&first)));
    assert!(!programs.is_empty(), "the corpus has no program of {letters:?}");
    none(&run(&programs, |program| program.check_with_each(&corpus::JOBS)), programs.len());
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

/// One in so many programs of the corpus is linked with units of nvcc, which compiles slowly.
/// `cargo xtask bench oracle` tries all.
const BY_NVCC: usize = 8;

/// Programs of the corpus that nvcc compiles as well are linked from its LTO IR, and plainly from
/// its PTX.
#[test]
fn programs_of_the_corpus_by_nvcc() {
    let mut programs = corpus::programs();
    programs.retain(corpus::Program::is_for_both);
    let programs: Vec<_> = programs.into_iter().step_by(BY_NVCC).collect();
    none(&run(&programs, corpus::Program::check_by_nvcc), programs.len());
}

#[test]
fn random_programs_by_nvcc_have_what_they_have_when_linked_plainly() {
    let first = setting("WEFT_SEED", 1);
    let seeds: Vec<u64> = (first..first + setting("WEFT_ORACLE_PROGRAMS", 10)).collect();
    none(&run(&seeds, |seed| check_random_by_nvcc(*seed)), seeds.len());
}

#[test]
fn the_example_has_what_it_has_when_linked_plainly() {
    if let Err(failure) = check_transport() {
        panic!("{failure}");
    }
}

#[test]
fn random_programs_have_what_they_have_when_linked_plainly() {
    let first = setting("WEFT_SEED", 1);
    let seeds: Vec<u64> = (first..first + setting("WEFT_ORACLE_PROGRAMS", 10)).collect();
    none(&run(&seeds, |seed| check_random(*seed)), seeds.len());
}

/// A program whose image is altered below.
const UNIT: &str = r#"
extern "C" __device__ unsigned marked = 0x5eed1234;
extern "C" __global__ void launched(unsigned *out) { *out = marked; }
void host(unsigned *out) {
  launched<<<1, 1>>>(out);
  cudaMemcpyToSymbol(marked, out, sizeof *out);
}
"#;

/// The oracle notices a change of one byte in an image, and a program that is said to use a symbol
/// that it lacks.
#[test]
fn an_altered_image_differs() {
    let bench = Workbench::new();
    bench.write("a.cu", UNIT);
    bench.compile("a");
    let file =
        LinkInput { path: "a.o".to_owned(), module_id: "a".to_owned(), ..LinkInput::default() };
    let used = |symbol: &str| vec![symbol.to_owned()];
    let mut inputs = LinkInputs {
        files: vec![file],
        launched: used("launched"),
        touched: used("marked"),
        ..LinkInputs::default()
    };
    assert_eq!(compare(&bench, &inputs).unwrap(), []);

    let content = bench.read("weft/image.cubin");
    let image = Image::read(&content).unwrap();
    let altered = |from: &[u8], to: &[u8]| {
        let place = content.windows(from.len()).position(|window| window == from).unwrap();
        let mut content = content.clone();
        content[place..place + to.len()].copy_from_slice(to);
        Image::read(&content).unwrap()
    };
    let seed = 0x5eed_1234_u32.to_le_bytes();
    let found = variables(&image, &altered(&seed, &[0]), &BTreeSet::new(), false);
    assert_eq!(
        found.iter().map(|difference| difference.aspect).collect::<Vec<_>>(),
        [Aspect::Content]
    );
    let expected = Expected {
        used: BTreeSet::from(["launched".to_owned(), "marked".to_owned()]),
        ..Expected::default()
    };
    assert_eq!(missing(&expected, &image), []);
    let found = missing(&expected, &altered(b"\0launched\0", b"\0lunched\0\0"));
    assert_eq!(
        found.iter().map(|difference| difference.symbol.as_str()).collect::<Vec<_>>(),
        ["launched"]
    );

    inputs.launched.push("forgotten".to_owned());
    assert!(compare(&bench, &inputs).unwrap_err().contains("forgotten"));
    inputs.refused = Some("anything".to_owned());
    let found = compare(&bench, &inputs).unwrap();
    assert_eq!(
        found.iter().map(|difference| difference.aspect).collect::<Vec<_>>(),
        [Aspect::Refusal]
    );
}
