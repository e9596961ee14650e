//! The kernels of PTX, and the text of each.

use std::ops::Range;

use super::declarations::function_name;
use super::error::PtxError;
use super::facts::is_ptx;
use super::token::{Token, Tokens};

/// A kernel of PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PtxKernel {
    /// Name.
    pub name: String,
    /// Bytes of the text from `.entry` to the brace that ends the body.
    pub text: Range<usize>,
    /// Number of statements in the body, instructions and directives alike.
    pub statements: usize,
}

/// The kernel whose head or body is being read: where it starts, and the words of its head.
type Open<'text> = (usize, Vec<&'text [u8]>);

/// Returns the kernels that the PTX `text` defines, in order.
pub fn ptx_kernels(text: &[u8]) -> Result<Vec<PtxKernel>, PtxError> {
    if !is_ptx(text) {
        return Err(PtxError::new(0, "it does not start with .version"));
    }
    let mut kernels = Vec::new();
    let mut open: Option<Open<'_>> = None;
    let mut braces = 0_usize;
    let mut statements = 0_usize;
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next() {
        match token? {
            Token::Word(b".entry") if braces == 0 => {
                open = Some((tokens.offset() - b".entry".len(), Vec::new()));
                statements = 0;
            }
            Token::Symbol(b';') if braces == 0 => open = None,
            Token::Symbol(b';') => statements += 1,
            Token::Word(word) if braces == 0 => take(&mut open, word),
            Token::Symbol(b'(') if braces == 0 => take(&mut open, b"("),
            Token::Symbol(b')') if braces == 0 => take(&mut open, b")"),
            Token::Symbol(b'{') => braces += 1,
            Token::Symbol(b'}') => {
                let unmatched = || PtxError::new(tokens.offset(), "a '}' without its '{'");
                braces = braces.checked_sub(1).ok_or_else(unmatched)?;
                if let Some((start, head)) = open.take_if(|_| braces == 0)
                    && let Some(name) = function_name(&head)
                {
                    let name = String::from_utf8_lossy(name).into_owned();
                    kernels.push(PtxKernel { name, text: start..tokens.offset(), statements });
                }
            }
            _ => {}
        }
    }
    if braces > 0 {
        return Err(PtxError::new(text.len(), "it ends inside braces"));
    }
    Ok(kernels)
}

/// Adds a word to the head of the open kernel.
fn take<'text>(open: &mut Option<Open<'text>>, word: &'text [u8]) {
    if let Some((_, head)) = open {
        head.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kernel_has_its_own_text() {
        let text = ".version 8.8\n.target sm_90\n.global .b8 t[2] = {1, 2};\n\
                    .func f() { ret; }\n// .entry no {\n\
                    .visible .entry one(.param .u64 p)\n.maxntid 8\n{ { add; } ret; }\n\
                    .entry declared();\n.entry $two() { bra \"}\"; }\n";
        let kernels = ptx_kernels(text.as_bytes()).unwrap();
        let found: Vec<_> = kernels
            .iter()
            .map(|kernel| (&*kernel.name, &text[kernel.text.clone()], kernel.statements))
            .collect();
        let expected = [
            ("one", ".entry one(.param .u64 p)\n.maxntid 8\n{ { add; } ret; }", 2),
            ("$two", ".entry $two() { bra \"}\"; }", 1),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_in_parentheses_is_no_name() {
        let text = ".version 8.8\n.entry .attribute(.unified(a, b)) k(.param .u64 p) { ret; }";
        let kernels = ptx_kernels(text.as_bytes()).unwrap();
        let names: Vec<_> = kernels.iter().map(|kernel| &*kernel.name).collect();
        assert_eq!(names, ["k"]);
    }

    #[test]
    fn a_body_has_neither_a_head_nor_a_name() {
        let kernels = ptx_kernels(b".version 8.8\n.entry { name; }\n.entry k() { .entry; ret; }");
        let text = 30..57;
        let k = PtxKernel { name: "k".to_owned(), text, statements: 2 };
        assert_eq!(kernels, Ok(vec![k]));
        let declared = b".version 8.8\n.entry k();\n.global .u32 t[1] = {1};";
        assert_eq!(ptx_kernels(declared), Ok(Vec::new()));
    }

    #[test]
    fn text_that_is_cut_off_is_an_error() {
        assert!(ptx_kernels(b".version 8.8\n.entry a() { ret;").is_err());
        assert!(ptx_kernels(b".version 8.8\n}").is_err());
        assert!(ptx_kernels(b"garbage").is_err());
    }
}
