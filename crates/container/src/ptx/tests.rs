//! The symbols of texts as nvcc and clang write them.

use super::*;

const TEXT: &str = r#"
// a comment with { and .visible .func no(
.version 9.5
.target sm_90a, debug
.address_size 64
.extern .func  (.param .b32 func_retval0) _Z1fi
(
	.param .b32 _Z1fi_param_0
)
;
.func local() ;
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b) .noreturn;
.visible .func (.param .b32 r) later (.param .b32 a);
.visible .func (.param .b32 r) never ();
.visible .shared .align 4 .u32 sh;
.extern .shared .align 16 .b8 dyn[];
.visible .global .align 8 .u64 tab[2] = {_Z1fi, local}, second = 5;
.weak .global .attribute(.managed) .align 4 .u32 managed = generic(hidden);
.extern .global .align 4 .u32 ev;
.visible .const .align 4 .v2 .f32 c;
.common .global .b32 tentative;
.global .align 1 .b8 $str[3] = {37, 100};
.file	1 "a { quoted.cu"
.visible .func (.param .b32 r) later (.param .b32 a)
{
	.reg .b32 %r<3>;
	{ .extern .func inner; }
	ret;
}
/* .visible .func no2( { */
.weak .entry _Z5tmplIfEvPT_(
	.param .u64 p
)
.maxntid 256, 1, 1
{
	ret;
}
.visible .func aliased;
.alias aliased, later;
.section	.debug_abbrev
{
.b8 1
}
"#;

#[test]
fn declarations_outside_bodies_are_found() -> Result<(), PtxError> {
    let facts = ptx_facts(TEXT.as_bytes())?;
    assert_eq!(facts.architecture, "sm_90a");
    assert_eq!(
        facts.symbols.defines,
        ["_Z5tmplIfEvPT_", "aliased", "c", "later", "managed", "second", "sh", "tab", "tentative"]
    );
    assert_eq!(facts.symbols.needs, ["_Z1fi", "dyn", "ev", "never", "vprintf"]);
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
fn what_is_not_ptx_or_not_all_of_it_is_refused() {
    for (text, part) in [
        ("hello", "does not start with .version"),
        ("", "does not start with .version"),
        (".version 8.8\n.visible .func f() {", "ends inside braces"),
        (".version 8.8\n}", "without its '{'"),
        (".version 8.8\n/* ", "comment without end"),
        (".version 8.8\n.file 1 \"x", "string without end"),
        (".version 8.8\n\0.visible", "no text"),
    ] {
        let message = ptx_facts(text.as_bytes()).map(drop).map_err(|error| error.to_string());
        assert!(message.as_ref().is_err_and(|it| it.contains(part)), "{text:?}: {message:?}");
    }
}

#[test]
fn no_truncation_panics() {
    for length in 0..TEXT.len() {
        let _ = ptx_facts(&TEXT.as_bytes()[..length]);
    }
}
