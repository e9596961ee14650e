//! The statements of a function's body.
//!
//! A body is not parsed by instruction. Braces at the start of a statement are blocks, each with a
//! separate scope for names; elsewhere they hold the parts of a vector operand. Line information
//! has no semicolon, so it is cut off the statement that follows it.

use std::ops::Range;

use weft_container::{PtxToken, ptx_tokens};

/// A part of a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'part, 'text> {
    /// A block begins.
    Open,
    /// A block ends.
    Close,
    /// A statement without its label, its line information and its semicolon.
    Statement(&'part [PtxToken<'text>]),
}

/// Directive of line information.
pub(super) const LINE: PtxToken<'static> = PtxToken::Word(".loc");

/// Calls `take` for each part of the body in `range`, in order.
pub(super) fn each<'text>(
    text: &'text str,
    range: Range<usize>,
    mut take: impl FnMut(Part<'_, 'text>),
) {
    let mut statement: Vec<PtxToken<'text>> = Vec::new();
    let mut operand_braces = 0_usize;
    for (token, _) in ptx_tokens(text, range) {
        let rest = without_lines(&statement);
        match token {
            PtxToken::Symbol('{') if rest.is_empty() => {
                statement.clear();
                take(Part::Open);
            }
            PtxToken::Symbol('}') if operand_braces == 0 => {
                statement.clear();
                take(Part::Close);
            }
            PtxToken::Symbol(';') => {
                if !rest.is_empty() {
                    take(Part::Statement(rest));
                }
                statement.clear();
                operand_braces = 0;
            }
            PtxToken::Symbol(':') if is_label(rest) => statement.clear(),
            _ => {
                match token {
                    PtxToken::Symbol('{') => operand_braces += 1,
                    PtxToken::Symbol('}') => operand_braces -= 1,
                    _ => {}
                }
                statement.push(token);
            }
        }
    }
}

/// Whether a colon after `statement` makes it a label. The colons in `mapa.shared::cluster` do not.
fn is_label(statement: &[PtxToken<'_>]) -> bool {
    matches!(statement, [PtxToken::Word(word)] if !word.contains('.'))
}

/// Returns the tokens behind the line information at the start of `tokens`.
pub(super) fn without_lines<'part, 'text>(
    mut tokens: &'part [PtxToken<'text>],
) -> &'part [PtxToken<'text>] {
    while tokens.first() == Some(&LINE) {
        // File, line and column.
        tokens = tokens.get(4..).unwrap_or_default();
        if let [PtxToken::Symbol(','), PtxToken::Word("function_name"), _, rest @ ..] = tokens {
            tokens = rest;
            if let [PtxToken::Symbol('+'), _, rest @ ..] = tokens {
                tokens = rest;
            }
        }
        if let [PtxToken::Symbol(','), PtxToken::Word("inlined_at"), _, _, _, rest @ ..] = tokens {
            tokens = rest;
        }
    }
    tokens
}

/// Returns the operands of a statement: its tokens between commas outside of all brackets.
pub(super) fn operands<'part, 'text>(
    tokens: &'part [PtxToken<'text>],
) -> impl Iterator<Item = &'part [PtxToken<'text>]> {
    let mut depth = 0_usize;
    tokens.split(move |token| {
        match token {
            PtxToken::Symbol('(' | '[' | '{') => depth += 1,
            PtxToken::Symbol(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && *token == PtxToken::Symbol(',')
    })
}

/// Returns the names among `tokens`: words that are neither numbers nor directives nor instructions
/// with their types.
pub(super) fn names<'part, 'text>(
    tokens: &'part [PtxToken<'text>],
) -> impl Iterator<Item = &'text str> + use<'part, 'text> {
    tokens.iter().filter_map(|token| match *token {
        PtxToken::Word(word) if is_name(word) => Some(word),
        _ => None,
    })
}

/// Whether `word` can be the name of a symbol, a register or a parameter. A special register such
/// as `%tid.x` is none.
pub(super) fn is_name(word: &str) -> bool {
    let starts =
        word.starts_with(|letter: char| letter.is_ascii_alphabetic() || "_$%".contains(letter));
    starts && !word.contains('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the parts of a body, a line each.
    fn parts(body: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let text = format!(".version 9.5\n.func f() {body}");
        let start = text.find('{').unwrap();
        each(&text, start..text.len(), |part| {
            lines.push(match part {
                Part::Open => "{".to_owned(),
                Part::Close => "}".to_owned(),
                Part::Statement(tokens) => {
                    let words = tokens.iter().map(|token| match token {
                        PtxToken::Word(word) | PtxToken::String(word) => (*word).to_owned(),
                        PtxToken::Symbol(symbol) => symbol.to_string(),
                    });
                    words.collect::<Vec<_>>().join(" ")
                }
            });
        });
        lines
    }

    #[test]
    fn blocks_vectors_labels_and_lines_are_told_apart() {
        let body = "{ .reg .b32 %r<3>;\n.loc 1 27 0\n ld.v2.u32 {%r1, %r2}, [a+4];\n\
                    $L__BB0_1:\n.loc 1 3 4, function_name $L__info + 12, inlined_at 1 2 3\n\
                    { .reg .b64 %t; mapa.shared::cluster.u64 %t, %t; }\n\
                    .loc 1 2 3\n$L__func_end0:\n.loc 2 2 3\n@!%p1 bra $L__BB0_1;\n\
                    p_1 : .callprototype (.param .b32 _) _ ();\n.loc 1 1 1\n ret; }";
        let expected = [
            "{",
            ".reg .b32 %r < 3 >",
            "ld.v2.u32 { %r1 , %r2 } , [ a + 4 ]",
            "{",
            ".reg .b64 %t",
            "mapa.shared : : cluster.u64 %t , %t",
            "}",
            "@ ! %p1 bra $L__BB0_1",
            ".callprototype ( .param .b32 _ ) _ ( )",
            "ret",
            "}",
        ];
        assert_eq!(parts(body), expected);
    }

    #[test]
    fn text_that_is_no_code_gives_no_part_and_no_panic() {
        assert_eq!(
            parts("{ .loc 1 } } a: : ; ; {{ , ; }"),
            ["{", "}", "}", ":", "{", "{", ",", "}"]
        );
        assert_eq!(parts("{ .loc"), ["{"]);
    }
}
