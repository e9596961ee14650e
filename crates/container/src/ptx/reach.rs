//! The functions that a kernel may call, directly or through others.

use std::collections::{BTreeMap, BTreeSet};

use super::declarations::function_name;
use super::error::PtxError;
use super::statements::{self, Statement, is_function};
use super::token::{Token, Tokens};

/// Returns the largest number of functions of the PTX `text` that a kernel of it reaches.
///
/// A body reaches the functions that it names and those that they reach. A function that is only
/// declared counts, too.
pub fn most_functions_of_a_kernel(text: &[u8]) -> Result<usize, PtxError> {
    let mut kernels = BTreeSet::new();
    let mut functions = BTreeSet::new();
    statements::each(text, |Statement { words: statement, .. }| {
        let Some(at) = statement.iter().position(|word| is_function(word)) else { return };
        let Some(name) = function_name(&statement[at + 1..]) else { return };
        if statement[at] == b".entry" {
            kernels.insert(name)
        } else {
            functions.insert(name)
        };
    })?;
    // Most modules have inlined all of their functions.
    if functions.is_empty() {
        return Ok(0);
    }
    let named = named_in_bodies(text, &functions)?;
    Ok(kernels.iter().map(|kernel| count_reached(kernel, &named)).max().unwrap_or(0))
}

/// The `functions` that the body of each kernel and function names.
fn named_in_bodies<'text>(
    text: &'text [u8],
    functions: &BTreeSet<&[u8]>,
) -> Result<BTreeMap<&'text [u8], BTreeSet<&'text [u8]>>, PtxError> {
    let mut named: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    let mut head: Vec<&[u8]> = Vec::new();
    let mut owner = None;
    let mut braces = 0_usize;
    for token in Tokens::new(text) {
        match token? {
            Token::Symbol(b'{') => {
                if braces == 0 {
                    owner = function_name(&head);
                }
                braces += 1;
            }
            Token::Symbol(b'}') => braces = braces.saturating_sub(1),
            Token::Word(word) if braces > 0 => {
                if let Some(owner) = owner.filter(|_| functions.contains(word)) {
                    named.entry(owner).or_default().insert(word);
                }
            }
            Token::Word(word) if is_function(word) => head.clear(),
            Token::Word(word) => head.push(word),
            Token::Symbol(b'(') if braces == 0 => head.push(b"("),
            Token::Symbol(b')') if braces == 0 => head.push(b")"),
            Token::Symbol(b';') if braces == 0 => head.clear(),
            Token::Symbol(_) | Token::String(_) => {}
        }
    }
    Ok(named)
}

fn count_reached(kernel: &[u8], named: &BTreeMap<&[u8], BTreeSet<&[u8]>>) -> usize {
    let mut reached: BTreeSet<&[u8]> = BTreeSet::new();
    let mut waiting = vec![kernel];
    while let Some(body) = waiting.pop() {
        let callees = named.get(body).into_iter().flatten();
        waiting.extend(callees.copied().filter(|callee| reached.insert(callee)));
    }
    reached.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_count_once_for_the_kernel_that_reaches_most() {
        let text = ".version 8.8\n.target sm_90\n\
                    .func (.param .b32 r) a(.param .b32 p);\n\
                    .extern .func elsewhere();\n\
                    .global .b32 a_variable = {1};\n\
                    .func (.param .b32 r) b(.param .b32 p) { call (r), a, (p); ret; }\n\
                    .func (.param .b32 r) a(.param .b32 p)\n\
                    { { call (r), b, (p); } call elsewhere; ret; }\n\
                    .func alone() { ret; }\n\
                    .visible .entry two(.param .b32 p)\n.maxntid 8\n{ call alone; bar; }\n\
                    .entry one() { call (r), b, (p); call (r), b, (p); ret; }\n";
        assert_eq!(most_functions_of_a_kernel(text.as_bytes()), Ok(3));
        let last = text.rfind(".entry one").unwrap();
        assert_eq!(most_functions_of_a_kernel(&text.as_bytes()[..last]), Ok(1));
        assert_eq!(most_functions_of_a_kernel(b".version 8.8\n.target sm_90\n"), Ok(0));
        assert!(most_functions_of_a_kernel(b".version 8.8\n.entry a() {").is_err());
    }

    #[test]
    fn the_value_of_a_variable_is_no_function_s_body() {
        let text = b".version 8.8\n.func a() { ret; }\n.func b();\n.global .u64 t[1] = {a};\n\
                     .func b() { ret; }\n.entry k() { call b; }";
        assert_eq!(most_functions_of_a_kernel(text), Ok(1));
    }
}
