//! Tests of the symbols of texts by nvcc and clang.

use super::*;

const TEXT: &str = include_str!("sample.ptx");

#[test]
fn declarations_outside_bodies_are_found() -> Result<(), PtxError> {
    let facts = ptx_facts(TEXT.as_bytes())?;
    assert_eq!(facts.architecture, "sm_90a");
    assert_eq!(
        facts.symbols.defines,
        ["_Z5tmplIfEvPT_", "aliased", "c", "later", "managed", "second", "sh", "tab", "tentative"]
    );
    assert_eq!(facts.symbols.needs, ["_Z1fi", "dyn", "ev", "fixed", "never", "rows", "vprintf"]);
    let dynamic_shared = [("dyn".to_owned(), 16), ("rows".to_owned(), 1024)];
    assert_eq!(facts.symbols.dynamic_shared, dynamic_shared);
    Ok(())
}

#[test]
fn padding_is_no_part_of_the_text() -> Result<(), PtxError> {
    let mut padded = TEXT.as_bytes().to_vec();
    padded.extend([0; 7]);
    assert_eq!(ptx_facts(&padded)?, ptx_facts(TEXT.as_bytes())?);
    Ok(())
}

#[test]
fn dynamic_shared_memory_is_external_and_shared() -> Result<(), PtxError> {
    let text = b".version 8.8\n.extern .global .b8 g[];\n.visible .shared .b8 s[];\n";
    assert_eq!(ptx_facts(text)?.symbols.dynamic_shared, []);
    Ok(())
}

#[test]
fn the_state_space_of_a_parameter_is_no_declaration() -> Result<(), PtxError> {
    let text = b".version 8.8\n.visible .entry k(.param .u64 .ptr .global .align 8 p) { ret; }";
    let symbols = ptx_facts(text)?.symbols;
    assert_eq!((symbols.defines, symbols.needs), (vec!["k".to_owned()], Vec::new()));
    Ok(())
}

#[test]
fn what_is_not_ptx_or_not_all_of_it_is_refused() {
    for (text, part) in [
        ("hello", "does not start with .version"),
        ("", "does not start with .version"),
        (".version 8.8\n.visible .func f() {", "ends inside braces"),
        (".version 8.8\n}", "without its '{'"),
        (".version 8.8\n/* ", "comment without end"),
        (".version 8.8\n.file 1 \"x", "string without end"),
        (".version 8.8\n\0.visible", "at byte 13: a byte that is no text"),
    ] {
        let message = ptx_facts(text.as_bytes()).map(drop).map_err(|error| error.to_string());
        assert!(message.as_ref().is_err_and(|error| error.contains(part)), "{text:?}: {message:?}");
    }
}

#[test]
fn no_truncation_panics() {
    for length in 0..TEXT.len() {
        let _ = ptx_facts(&TEXT.as_bytes()[..length]);
    }
}
