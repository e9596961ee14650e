//! The statements of a PTX module that stand outside braces.

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

/// Calls `take` for each statement outside braces, in order, with its words and with whether a
/// function's body follows.
pub(super) fn each<'text>(
    text: &'text [u8],
    mut take: impl FnMut(&[&'text [u8]], bool),
) -> Result<(), PtxError> {
    let mut statement: Vec<&[u8]> = Vec::new();
    let (mut braces, mut parentheses) = (0_usize, 0_usize);
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next() {
        match token? {
            Token::Symbol(b'{') => {
                // A function's body, or the value of a variable whose statement goes on after it.
                if braces == 0 && statement.iter().any(|word| is_function(word)) {
                    take(&statement, true);
                    statement.clear();
                    parentheses = 0;
                }
                braces += 1;
            }
            Token::Symbol(b'}') => {
                let unmatched = || PtxError::new(tokens.offset(), "a '}' without its '{'");
                braces = braces.checked_sub(1).ok_or_else(unmatched)?;
            }
            _ if braces > 0 => {}
            Token::Symbol(b';') => {
                take(&statement, false);
                statement.clear();
                parentheses = 0;
            }
            Token::Word(word) => {
                // Some directives have no end of their own: the next one ends them. Inside
                // parentheses the same words are state spaces of parameters.
                let first_after_linkage =
                    statement.last().is_some_and(|word| LINKAGES.contains(word));
                if parentheses == 0 && !first_after_linkage && starts_statement(word) {
                    take(&statement, false);
                    statement.clear();
                }
                statement.push(word);
            }
            Token::Symbol(b'(') => {
                parentheses += 1;
                statement.push(b"(");
            }
            Token::Symbol(b')') => {
                parentheses = parentheses.saturating_sub(1);
                statement.push(b")");
            }
            Token::Symbol(b',') => statement.push(b","),
            Token::Symbol(b'[') => statement.push(b"["),
            Token::Symbol(_) => {}
        }
    }
    if braces > 0 {
        return Err(PtxError::new(text.len(), "it ends inside braces"));
    }
    take(&statement, false);
    Ok(())
}

fn starts_statement(word: &[u8]) -> bool {
    LINKAGES.contains(&word)
        || OTHERS.contains(&word)
        || is_function(word)
        || VARIABLES.contains(&word)
}
