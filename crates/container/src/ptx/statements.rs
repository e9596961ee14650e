//! The statements of a PTX module outside braces.

use std::ops::Range;

use super::error::PtxError;
use super::token::{Token, Tokens};

/// Directives that give a symbol its linkage.
pub(super) const LINKAGES: [&[u8]; 4] = [b".extern", b".visible", b".weak", b".common"];
/// Directives that declare a variable of the module.
pub(super) const VARIABLES: [&[u8]; 3] = [b".global", b".const", b".shared"];
/// Other directives that begin a statement.
const OTHERS: [&[u8]; 9] = [
    b".version",
    b".target",
    b".address_size",
    b".file",
    b".section",
    b".pragma",
    b".alias",
    b".loc",
    b".metadata_section",
];

/// Whether `word` is the directive of a function or of a kernel.
pub(super) fn is_function(word: &[u8]) -> bool {
    word == b".func" || word == b".entry"
}

/// A statement outside braces.
#[derive(Debug, Default)]
pub(super) struct Statement<'text> {
    /// Words outside braces, with the symbols `(`, `)`, `,` and `[`.
    pub(super) words: Vec<&'text [u8]>,
    /// Bytes from the first word to the last token: a semicolon, a brace, or a word.
    pub(super) range: Range<usize>,
    /// Bytes of a function's body, with its braces.
    pub(super) body: Option<Range<usize>>,
    /// Offset after the first `=`, where the value of a variable begins.
    pub(super) value: Option<usize>,
}

/// Calls `take` for each statement outside braces, in order.
pub(super) fn each<'text>(
    text: &'text [u8],
    mut take: impl FnMut(&Statement<'text>),
) -> Result<(), PtxError> {
    let mut statement = Statement::default();
    let (mut braces, mut parentheses) = (0_usize, 0_usize);
    let mut tokens = Tokens::new(text);
    let mut finish = |statement: &mut Statement<'text>| {
        let statement = std::mem::take(statement);
        if !statement.words.is_empty() {
            take(&statement);
        }
    };
    while let Some((token, range)) = tokens.next_with_range().transpose()? {
        match token {
            Token::Symbol(b'{') => {
                // A function's body, or the value of a variable whose statement goes on after it.
                if braces == 0 && statement.words.iter().any(|word| is_function(word)) {
                    statement.body = Some(range.clone());
                }
                braces += 1;
            }
            Token::Symbol(b'}') => {
                let unmatched = || PtxError::new(range.end, "a '}' without its '{'");
                braces = braces.checked_sub(1).ok_or_else(unmatched)?;
                statement.range.end = range.end;
                if let Some(body) = statement.body.as_mut().filter(|_| braces == 0) {
                    body.end = range.end;
                    finish(&mut statement);
                    parentheses = 0;
                }
            }
            _ if braces > 0 => {}
            Token::Symbol(b';') => {
                statement.range.end = range.end;
                finish(&mut statement);
                parentheses = 0;
            }
            Token::Word(word) => {
                // Some directives have no terminator: the next one ends them. Inside parentheses
                // the same words are state spaces of parameters.
                let first_after_linkage =
                    statement.words.last().is_some_and(|word| LINKAGES.contains(word));
                if parentheses == 0 && !first_after_linkage && starts_statement(word) {
                    finish(&mut statement);
                }
                if statement.words.is_empty() {
                    statement.range.start = range.start;
                }
                statement.words.push(word);
                statement.range.end = range.end;
            }
            Token::String(_) => statement.range.end = range.end,
            Token::Symbol(symbol) => {
                match symbol {
                    b'(' => parentheses += 1,
                    b')' => parentheses = parentheses.saturating_sub(1),
                    b'=' => statement.value = statement.value.or(Some(range.end)),
                    _ => {}
                }
                if let Some(kept) = KEPT.iter().find(|kept| kept[0] == symbol) {
                    if statement.words.is_empty() {
                        statement.range.start = range.start;
                    }
                    statement.words.push(kept.as_slice());
                }
                statement.range.end = range.end;
            }
        }
    }
    if braces > 0 {
        return Err(PtxError::new(text.len(), "it ends inside braces"));
    }
    finish(&mut statement);
    Ok(())
}

/// Symbols that are kept among the words of a statement.
const KEPT: [&[u8; 1]; 4] = [b"(", b")", b",", b"["];

fn starts_statement(word: &[u8]) -> bool {
    LINKAGES.contains(&word)
        || OTHERS.contains(&word)
        || is_function(word)
        || VARIABLES.contains(&word)
}
