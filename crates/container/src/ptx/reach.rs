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
    let [kernels, functions] = kernels_and_functions(text)?;
    // Most modules have inlined all of their functions.
    if functions.is_empty() {
        return Ok(0);
    }
    let named = named_in_bodies(text, &functions)?;
    Ok(kernels.iter().map(|kernel| reached(kernel, &named).len()).max().unwrap_or(0))
}

/// Returns the kernels of the PTX `text` whose bodies, or those of functions that they reach, name
/// one of the `variables`.
pub(super) fn kernels_that_reach<'text>(
    text: &'text [u8],
    variables: &BTreeSet<&'text [u8]>,
) -> Result<BTreeSet<&'text [u8]>, PtxError> {
    let [kernels, functions] = kernels_and_functions(text)?;
    let named = named_in_bodies(text, &functions.union(variables).copied().collect())?;
    let reaches = |kernel: &&[u8]| !reached(kernel, &named).is_disjoint(variables);
    Ok(kernels.into_iter().filter(reaches).collect())
}

/// Returns the names of all kernels, and of all functions.
fn kernels_and_functions(text: &[u8]) -> Result<[BTreeSet<&[u8]>; 2], PtxError> {
    let (mut kernels, mut functions) = (BTreeSet::new(), BTreeSet::new());
    statements::each(text, |Statement { words: statement, .. }| {
        let Some(at) = statement.iter().position(|word| is_function(word)) else { return };
        let Some(name) = function_name(&statement[at + 1..]) else { return };
        if statement[at] == b".entry" {
            kernels.insert(name)
        } else {
            functions.insert(name)
        };
    })?;
    Ok([kernels, functions])
}

/// The `wanted` names in the body of each kernel and function.
fn named_in_bodies<'text>(
    text: &'text [u8],
    wanted: &BTreeSet<&[u8]>,
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
                if let Some(owner) = owner.filter(|_| wanted.contains(word)) {
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

/// The names in the body of a kernel, and in those of the functions that it reaches.
fn reached<'text>(
    kernel: &'text [u8],
    named: &BTreeMap<&'text [u8], BTreeSet<&'text [u8]>>,
) -> BTreeSet<&'text [u8]> {
    let mut reached: BTreeSet<&[u8]> = BTreeSet::new();
    let mut waiting = vec![kernel];
    while let Some(body) = waiting.pop() {
        let callees = named.get(body).into_iter().flatten();
        waiting.extend(callees.copied().filter(|callee| reached.insert(callee)));
    }
    reached
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
    fn variables_are_reached_through_functions() {
        let text = b".version 8.8\n.const .b32 c;\n.global .u64 p = c;\n\
                     .func a() { ld.const.b32 %r1, [c]; ret; }\n.func b() { call a; }\n\
                     .entry through() { call b; }\n.entry itself() { mov.u64 %rd1, c+4; }\n\
                     .entry none() { ld.global.u64 %rd1, [p]; }";
        let variables = BTreeSet::from([&b"c"[..]]);
        let found = kernels_that_reach(text, &variables).unwrap();
        assert_eq!(found, BTreeSet::from([&b"itself"[..], b"through"]));
    }

    #[test]
    fn the_value_of_a_variable_is_no_function_s_body() {
        let text = b".version 8.8\n.func a() { ret; }\n.func b();\n.global .u64 t[1] = {a};\n\
                     .func b() { ret; }\n.entry k() { call b; }";
        assert_eq!(most_functions_of_a_kernel(text), Ok(1));
    }
}
