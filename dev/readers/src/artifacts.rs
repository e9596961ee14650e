//! Readers of the files that the executables hand each other.
//!
//! A frame holds a digest, so a changed file would be refused before any of it is read. The readers
//! of whole files therefore read an input twice: unchanged, and with a matching frame.

use weft_artifact::{
    Artifact, Decisions, Feedback, Manifest, Plan, StagedImports, SummaryFile, digest,
};

/// Number of bytes before the record.
const FRAME: usize = 44;

/// Returns the input with the magic number, version and digest of an artifact.
pub(crate) fn framed<A: Artifact>(input: &[u8]) -> Vec<u8> {
    let record = input.get(FRAME..).unwrap_or_default();
    let mut file = A::MAGIC.to_vec();
    file.extend(A::VERSION.to_le_bytes());
    file.extend(digest(record).as_bytes());
    file.extend(record);
    file
}

/// Reads a file unchanged, and with a matching frame.
pub(crate) fn file<A: Artifact>(input: &[u8]) -> bool {
    A::decode(input).is_ok() | A::decode(&framed::<A>(input)).is_ok()
}

/// Reads a record. It must be the same after a round trip.
fn record<A: Artifact + PartialEq + std::fmt::Debug>(input: &[u8]) -> bool {
    let Ok(value) = A::read(input) else { return false };
    let mut again = Vec::new();
    value.write(&mut again).unwrap_or_else(|error| panic!("what was read is not written: {error}"));
    assert_eq!(A::read(&again).as_ref(), Ok(&value));
    true
}

/// Reads a file of summaries.
pub fn summary(input: &[u8]) -> bool {
    file::<SummaryFile>(input)
}

/// Reads the record of a file of summaries, as it is before compression.
pub fn summary_record(input: &[u8]) -> bool {
    record::<SummaryFile>(input)
}

/// Reads a plan.
pub fn plan(input: &[u8]) -> bool {
    file::<Plan>(input)
}

/// Reads the record of a plan. Its content can be written and read again, and is the same only for
/// plans that the thin link can write.
pub fn plan_record(input: &[u8]) -> bool {
    let Ok(plan) = Plan::read(input) else { return false };
    let mut again = Vec::new();
    plan.write(&mut again).unwrap_or_else(|error| panic!("what was read is not written: {error}"));
    assert!(Plan::read(&again).is_ok());
    true
}

/// Reads the imports of a plan that are in one file.
pub fn staged_imports(input: &[u8]) -> bool {
    file::<StagedImports>(input)
}

/// Reads the decisions of a link, and all that is kept in them as bytes.
pub fn decisions(input: &[u8]) -> bool {
    let Ok(decisions) = Decisions::decode(&framed::<Decisions>(input)) else { return false };
    for module in &decisions.modules {
        // Checked content can be read.
        let parts = (module.symbols(), module.imports(), module.closures());
        assert!(matches!(parts, (Ok(_), Ok(_), Ok(_))));
    }
    true
}

/// Reads the record of the decisions of a link.
pub fn decisions_record(input: &[u8]) -> bool {
    record::<Decisions>(input)
}

/// Reads a manifest.
pub fn manifest(input: &[u8]) -> bool {
    Manifest::read(input).is_ok()
}

/// Reads a file of feedback. Its content must be the same after a round trip.
pub fn feedback(input: &[u8]) -> bool {
    let Ok(feedback) = Feedback::read(input) else { return false };
    let text = feedback.text().unwrap_or_else(|error| panic!("not written: {error}"));
    assert_eq!(Feedback::read(text.as_bytes()).as_ref(), Ok(&feedback));
    let _ = feedback.choices();
    true
}
