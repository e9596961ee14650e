//! Parts of PTX in their normal form: bodies, heads and initializers.
//!
//! LLVM numbers labels, prototypes of calls and local arrays through a whole module, and says in
//! comments where it is. The normal form has labels numbered in each body, and no comments.

use std::collections::BTreeMap;
use std::ops::Range;

use weft_container::{PtxToken, ptx_tokens};

/// Name of the array in local memory, which LLVM gives the number of the function.
const LOCAL_DEPOT: &str = "__local_depot";

/// Returns a part of PTX without comments and with the same blanks everywhere, in which `word`
/// gives words another form.
pub(super) fn rewritten<'text, 'name>(
    text: &'text str,
    range: Range<usize>,
    mut word: impl FnMut(&'text str) -> Option<&'name str>,
) -> String {
    let mut result = String::with_capacity(range.len());
    let mut end = None;
    for (token, place) in ptx_tokens(text, range) {
        if let Some(end) = end {
            let between = text.get(end..place.start).unwrap_or_default();
            let closes = matches!(token, PtxToken::Symbol('}' | ')'));
            result.push_str(match (between.contains('\n'), closes) {
                (true, true) => "\n",
                (true, false) => "\n\t",
                (false, _) if between.is_empty() => "",
                (false, _) => " ",
            });
        }
        end = Some(place.end);
        match token {
            PtxToken::Word(text) => result.push_str(word(text).unwrap_or(text)),
            PtxToken::String(text) => result.push_str(text),
            PtxToken::Symbol(symbol) => result.push(symbol),
        }
    }
    result
}

/// Returns the normal form of a body.
pub(super) fn normal(text: &str, range: Range<usize>) -> String {
    let labels = labels(text, range.clone());
    rewritten(text, range, |word| {
        let number = word.strip_prefix(LOCAL_DEPOT);
        let is_depot =
            number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        if is_depot { Some(LOCAL_DEPOT) } else { labels.get(word).map(String::as_str) }
    })
}

/// Returns the labels that a body defines, with their names in its normal form.
fn labels(text: &str, range: Range<usize>) -> BTreeMap<&str, String> {
    let mut labels = BTreeMap::new();
    let mut before = [PtxToken::Symbol(';'); 2];
    for (token, _) in ptx_tokens(text, range).chain([(PtxToken::Symbol(';'), 0..0)]) {
        // Two colons are inside an instruction, as in `cp.async.bulk.shared::cluster`.
        if let [PtxToken::Word(word), PtxToken::Symbol(':')] = before
            && token != PtxToken::Symbol(':')
        {
            let number = labels.len();
            labels.entry(word).or_insert_with(|| format!("$L_{number}"));
        }
        before = [before[1], token];
    }
    labels
}

/// The names in a part of PTX.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    /// All names that `is_known` accepted, in the order of their first place.
    pub(super) all: Vec<String>,
    /// Names that are elsewhere than at the function of a call, which takes their address.
    pub(super) addressed: Vec<String>,
}

impl Names {
    /// Finds the names in a body, or in the value of a variable, where nothing is called.
    pub(super) fn of(text: &str, is_body: bool, is_known: impl Fn(&str) -> bool) -> Self {
        let mut names = Self::default();
        let mut call = Call::None;
        for (token, _) in ptx_tokens(text, 0..text.len()) {
            let was_callee = is_body && call.take(token);
            let PtxToken::Word(word) = token else { continue };
            if !may_be_name(word) || !is_known(word) {
                continue;
            }
            let mut add = |list: fn(&mut Self) -> &mut Vec<String>| {
                let list = list(&mut names);
                if !list.iter().any(|known| known == word) {
                    list.push(word.to_owned());
                }
            };
            add(|names| &mut names.all);
            if !was_callee {
                add(|names| &mut names.addressed);
            }
        }
        names
    }
}

fn may_be_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || "_$".contains(first))
}

/// Place in an instruction `call (results), function, (arguments), prototype;`.
#[derive(Clone, Copy)]
enum Call {
    None,
    /// Before the function, in as many parentheses.
    Before(usize),
}

impl Call {
    /// Takes the next token, and returns whether it is the function of a call.
    fn take(&mut self, token: PtxToken<'_>) -> bool {
        match (*self, token) {
            (Self::None, PtxToken::Word(word)) => {
                if word == "call" || word.starts_with("call.") {
                    *self = Self::Before(0);
                }
                false
            }
            (Self::Before(0), PtxToken::Word(_)) => {
                *self = Self::None;
                true
            }
            (Self::Before(depth), PtxToken::Symbol('(')) => {
                *self = Self::Before(depth + 1);
                false
            }
            (Self::Before(depth), PtxToken::Symbol(')')) => {
                *self = Self::Before(depth.saturating_sub(1));
                false
            }
            (_, PtxToken::Symbol(';')) => {
                *self = Self::None;
                false
            }
            _ => false,
        }
    }
}

/// Returns the declarations of shared variables in a body, each with its name and its place. LLVM
/// puts a variable there that one function alone names.
pub(super) fn demoted(body: &str) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    let mut start = None;
    let mut name = None;
    let mut is_array = false;
    for (token, place) in ptx_tokens(body, 0..body.len()) {
        match token {
            PtxToken::Word(".shared") => (start, name, is_array) = (Some(place.start), None, false),
            PtxToken::Word(word) if start.is_some() && !is_array && may_be_name(word) => {
                name = Some(word.to_owned());
            }
            PtxToken::Symbol('[') => is_array = true,
            PtxToken::Symbol(';') => {
                found.extend(name.take().zip(start.take().map(|start| start..place.end)));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_module_leave_no_trace() {
        let body = |function: u32, call: u32| {
            format!(
                "{{\n\t.local .align 8 .b8 \t__local_depot{function}[16];\n\
                 \t{{ // callseq {call}, 0\n\
                 \tprototype_{call} : .callprototype _ (.param .b32 _);\n\
                 \tcall \n\t%rd1, \n\t(\n\tparam0\n\t)\n\t, prototype_{call};\n\
                 \t}} // callseq {call}\n\
                 \t@%p2 bra \t$L__BB{function}_2;\n$L__BB{function}_2: // %bb\n\
                 \tld.global.L1::no_allocate.b32 %r1, [a];\n\n\tret;\n\n}}"
            )
        };
        let (one, other) = (body(3, 17), body(4, 9));
        let text = normal(&one, 0..one.len());
        assert_eq!(text, normal(&other, 0..other.len()));
        assert_eq!(
            text,
            "{\n\t.local .align 8 .b8 __local_depot[16];\n\t{\n\t$L_0 : .callprototype _ (.param \
             .b32 _);\n\tcall\n\t%rd1,\n\t(\n\tparam0\n)\n\t, $L_0;\n}\n\t@%p2 bra $L_1;\n\t$L_1:\
             \n\tld.global.L1::no_allocate.b32 %r1, [a];\n\tret;\n}"
        );
        assert_eq!(normal(&text, 0..text.len()), text);
    }

    #[test]
    fn the_function_of_a_call_is_not_addressed() {
        let known = |word: &str| ["f", "g", "v", "p"].contains(&word);
        let names = |text: &str, is_body: bool| {
            let Names { all, addressed } = Names::of(text, is_body, known);
            (all.concat(), addressed.concat())
        };
        let of = |text: &str| names(text, true);
        let parts = |all: &str, addressed: &str| (all.to_owned(), addressed.to_owned());
        assert_eq!(of("call.uni (r), f, (a, b);"), parts("f", ""));
        assert_eq!(of("@%p1 call f; mov.u64 %rd1, f;"), parts("f", "f"));
        assert_eq!(of("call (v), %rd1, (g), p;"), parts("vgp", "vgp"));
        assert_eq!(names("{f, generic(v)+8, v}", false), parts("fv", "fv"));
        // A function may be called so.
        assert_eq!(names("{call, f}", false), parts("f", "f"));
        assert_eq!(of("ld.b32 %r1, [v+4]; \"g\""), parts("v", "v"));
        assert_eq!(of("call ; mov.u64 %rd1, g;"), parts("g", "g"));
    }

    #[test]
    fn shared_variables_in_bodies_have_names() {
        let body = "{ .reg .b32 %r<2>; .shared .align 4 .b8 s[32]; ld.shared.b32 %r1, [s]; .shared \
                    .align 4 .u32 t; ret; }";
        let found = demoted(body);
        let names: Vec<_> =
            found.iter().map(|(name, place)| (&**name, &body[place.clone()])).collect();
        let expected = [("s", ".shared .align 4 .b8 s[32];"), ("t", ".shared .align 4 .u32 t;")];
        assert_eq!(names, expected);
    }
}
