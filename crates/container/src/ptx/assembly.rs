//! Finds the symbols that assembly inside a program's code names, and the labels that it makes.
//!
//! CUDA's `asm` statements are PTX in the middle of a function, and module-level assembly is PTX in
//! front of all functions. LLVM takes both for opaque text: it knows neither the symbols that the
//! text names nor the labels that it makes. This reader finds both, without knowing the
//! instructions.
//!
//! - A word that can be a name may be the name of a symbol, a register, a label or an instruction
//!   such as `ret`. The caller knows the module's symbols and compares.
//! - Declarations and labels outside braces belong to the function around the text. So the text can
//!   be in that function only once. Inside braces, each copy has its own.
//! - Text that cannot be read counts as naming all of its words, and as being possible only once.
//!
//! | in the template | means |
//! |---|---|
//! | `$0`, `${0:x}` | an operand |
//! | `${:uid}` | a number that differs in each copy (`%=` in CUDA's source) |
//! | `$$` | a dollar sign |
//! | `$(`, `$\|`, `$)` | alternatives, which do not exist in PTX |

use std::collections::BTreeSet;

use super::declarations::{function_name, variable_names};
use super::statements::is_function;
use super::token::{Token, Tokens};

/// Placeholder for an operand while the text is read: no name of PTX continues with a `%`.
const OPERAND: &str = "%0";
/// Placeholder for a number that differs in each copy.
const UNIQUE: &str = "%uid";

/// Directives that begin a declaration or give a name to a register or variable. They are separate
/// words, while instructions have their parts attached, as in `ld.global.u32`.
const DECLARATIONS: [&[u8]; 19] = [
    b".reg",
    b".sreg",
    b".param",
    b".local",
    b".shared",
    b".global",
    b".const",
    b".tex",
    b".extern",
    b".visible",
    b".weak",
    b".common",
    b".func",
    b".entry",
    b".alias",
    b".branchtargets",
    b".calltargets",
    b".callprototype",
    b".section",
];

/// The names that a piece of assembly uses, and the facts that restrict copies of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssemblyFacts {
    /// Every word that may be a symbol's name, sorted.
    pub words: BTreeSet<String>,
    /// Symbols that the assembly declares and other code defines, in the order of the text.
    pub externals: Vec<ExternalSymbol>,
    /// Whether a second copy in one function clashes with the first: the assembly makes a label or
    /// declares something outside braces, or its braces do not match.
    pub must_be_unique: bool,
    /// Whether the assembly calls a function, which must be declared before the call although
    /// nobody looks for calls there.
    pub calls: bool,
    /// Whether a name is assembled from operands and can thus be any name.
    pub has_unknown_names: bool,
}

/// A symbol that `.extern` declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalSymbol {
    /// Name of the symbol.
    pub name: String,
    /// Address space in LLVM's numbers; `None` for a function.
    pub address_space: Option<u32>,
}

/// Returns the facts about the template of an `asm` statement, in the form of LLVM's IR.
#[must_use]
pub fn inline_assembly(template: &str) -> AssemblyFacts {
    facts(&expanded(template))
}

/// Returns the facts about module-level assembly, which has no operands.
#[must_use]
pub fn module_assembly(text: &str) -> AssemblyFacts {
    facts(text)
}

/// Returns the template with its escapes replaced by placeholders.
fn expanded(template: &str) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, escape)) = rest.split_once('$') {
        text.push_str(before);
        let digits = escape.bytes().take_while(u8::is_ascii_digit).count();
        rest = match escape.as_bytes().first() {
            Some(b'$') => {
                text.push('$');
                &escape[1..]
            }
            Some(b'(' | b'|' | b')') => {
                text.push(' ');
                &escape[1..]
            }
            Some(b'{') => {
                let (operand, rest) = escape[1..].split_once('}').unwrap_or((escape, ""));
                text.push_str(if operand == ":uid" { UNIQUE } else { OPERAND });
                rest
            }
            _ if digits > 0 => {
                text.push_str(OPERAND);
                &escape[digits..]
            }
            _ => {
                text.push('$');
                escape
            }
        };
    }
    text.push_str(rest);
    text
}

fn facts(text: &str) -> AssemblyFacts {
    let mut reader = Reader::default();
    let tokens: Result<Vec<Token<'_>>, _> = Tokens::new(text.as_bytes()).collect();
    match tokens {
        Ok(tokens) => {
            reader.read(&tokens);
            reader.facts
        }
        Err(_) => AssemblyFacts {
            words: text.split(|letter: char| !is_part_of_name(letter)).map(str::to_owned).collect(),
            must_be_unique: true,
            has_unknown_names: true,
            ..AssemblyFacts::default()
        },
    }
}

fn is_part_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_$%".contains(character)
}

#[derive(Default)]
struct Reader {
    facts: AssemblyFacts,
}

impl Reader {
    fn read(&mut self, tokens: &[Token<'_>]) {
        let mut depth = 0_usize;
        for (position, token) in tokens.iter().enumerate() {
            let before = &tokens[..position];
            let behind = &tokens[position + 1..];
            match *token {
                Token::Symbol(b'{') => depth += 1,
                Token::Symbol(b'}') if depth == 0 => self.facts.must_be_unique = true,
                Token::Symbol(b'}') => depth -= 1,
                Token::Symbol(_) | Token::String(_) => {}
                Token::Word(word) => {
                    // `shared::cluster` in an instruction is neither a label nor two names.
                    let is_qualified = ends_in_two_colons(before);
                    let is_label = is_label(behind) && !is_qualified;
                    if depth == 0 && (DECLARATIONS.contains(&word) || is_label) {
                        self.facts.must_be_unique |= !(is_label && is_unique(word));
                    }
                    if word == b".extern" {
                        self.declare(behind);
                    }
                    if !is_qualified {
                        self.word(word);
                    }
                }
            }
        }
        self.facts.must_be_unique |= depth > 0;
    }

    fn word(&mut self, word: &[u8]) {
        self.facts.calls |= word == b"call" || word.starts_with(b"call.");
        // Instructions and directives have dots, and names have none.
        if word.contains(&b'.') || is_unique(word) {
            return;
        }
        let is_made_of_operands = word.iter().skip(1).any(|&byte| byte == b'%')
            || word.strip_prefix(OPERAND.as_bytes()).is_some_and(|rest| !rest.is_empty());
        if is_made_of_operands {
            self.facts.has_unknown_names = true;
        } else if word.first().is_some_and(|byte| !byte.is_ascii_digit())
            && word != OPERAND.as_bytes()
        {
            self.facts.words.insert(String::from_utf8_lossy(word).into_owned());
        }
    }

    /// Records the declaration that `.extern` begins and the tokens `behind` continue.
    fn declare(&mut self, behind: &[Token<'_>]) {
        let end = |token: &&Token<'_>| !matches!(token, Token::Symbol(b';' | b'{' | b'}'));
        let statement: Vec<&[u8]> = behind.iter().take_while(end).map(bytes).collect();
        let Some((directive, rest)) = statement.split_first() else { return };
        let address_space = match *directive {
            b".global" => Some(1),
            b".shared" => Some(3),
            b".const" => Some(4),
            directive if is_function(directive) => None,
            _ => return,
        };
        let names = match address_space {
            None => function_name(rest).into_iter().collect(),
            Some(_) => variable_names(rest),
        };
        let names = names.into_iter().map(|name| String::from_utf8_lossy(name).into_owned());
        self.facts.externals.extend(names.map(|name| ExternalSymbol { name, address_space }));
    }
}

/// Returns the bytes of a token, in the form that the readers of declarations expect.
fn bytes<'text>(token: &Token<'text>) -> &'text [u8] {
    match token {
        Token::Word(word) => word,
        Token::Symbol(b'(') => b"(",
        Token::Symbol(b')') => b")",
        Token::Symbol(b',') => b",",
        Token::Symbol(_) | Token::String(_) => b" ",
    }
}

fn is_label(behind: &[Token<'_>]) -> bool {
    let colon = Token::Symbol(b':');
    behind.first() == Some(&colon) && behind.get(1) != Some(&colon)
}

fn ends_in_two_colons(before: &[Token<'_>]) -> bool {
    before.ends_with(&[Token::Symbol(b':'), Token::Symbol(b':')])
}

/// Whether a name has a number in it that differs in each copy.
fn is_unique(word: &[u8]) -> bool {
    word.windows(UNIQUE.len()).skip(1).any(|window| window == UNIQUE.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(facts: &AssemblyFacts) -> Vec<&str> {
        facts.words.iter().map(String::as_str).collect()
    }

    #[test]
    fn ordinary_instructions_name_registers_at_most() {
        for template in [
            "add.u32 $0, $1, $2;",
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0,$1,$2,$3}, {$4,$5}, {$6}, {$7};",
            "mov.u32 $0, ${1:x}; // counter: .reg\n\t/* label: */",
            "bar.sync 0, $0; .pragma \"nounroll\";",
            "setp.ne.b32 %p1, $1, 0;\n\t@%p1 ld.global.L1::no_allocate.v2.u32 {$0, $1}, [$2+16];",
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2;",
            "cp.async.wait_group $0;\nmma.m${0:c}n8k4.f32 $1;",
            "{\n.reg .pred P1;\nWAIT:\nmbarrier.try_wait.shared::cta.b64 P1, [$0];\n@P1 bra DONE;\n\
             bra WAIT;\nDONE:\n}",
            "bra l${:uid}; l${:uid}: ret;",
        ] {
            let facts = inline_assembly(template);
            assert!(!facts.must_be_unique && !facts.calls, "{template}: {facts:?}");
            assert!(
                !facts.has_unknown_names && facts.externals.is_empty(),
                "{template}: {facts:?}"
            );
            assert!(facts.words.is_disjoint(&["counter".to_owned(), "bytes".into()].into()));
        }
    }

    #[test]
    fn names_are_found_wherever_they_are() {
        let facts =
            inline_assembly("ld.global.u32 $0, [counter+4];mov.u64 %rd, _ZL3own;@!p bra $$L;");
        assert_eq!(words(&facts), ["$L", "%rd", "_ZL3own", "bra", "counter", "p"]);
        let facts = inline_assembly("{.param .b32 r; call.uni (r), _Z6helperi, ($1); }");
        assert!(facts.calls && !facts.must_be_unique);
        assert!(facts.words.contains("_Z6helperi"));
        assert!(inline_assembly("call helper;").calls);
        assert!(inline_assembly("st.u32 [part_$0], 1;").has_unknown_names);
        assert!(inline_assembly("st.u32 [$0$1], 1;").has_unknown_names);
        assert!(inline_assembly("st.u32 [${0}_x], 1;").has_unknown_names);
    }

    #[test]
    fn what_is_made_outside_braces_is_there_once() {
        for template in [
            "LOOP: bra LOOP;",
            "LOOP :\n bra LOOP;",
            ".reg .pred p; setp.eq.u32 p, $0, 0;",
            ".param .b32 p;",
            "{ .reg .b32 t; } after: ret;",
            "{ .reg .b32 t;",
            "mov.u32 $0, t; }",
            "p: .callprototype (.param .b32 _) _ ();",
            "add.u32 $0, 1, 2; /* no end",
            "add.u32 $0, \u{e9};",
        ] {
            assert!(inline_assembly(template).must_be_unique, "{template}");
        }
    }

    #[test]
    fn declarations_of_what_others_define() {
        let facts = module_assembly(
            ".extern .global .align 4 .b8 table[16], more;\n.extern .func (.param .b32 r) f \
             (.param .b32 a);\
             .extern .const .u32 c;.extern .shared .b8 s[]; .visible .global .u32 own;",
        );
        let known: Vec<_> = facts
            .externals
            .iter()
            .map(|symbol| (symbol.name.as_str(), symbol.address_space))
            .collect();
        let expected =
            [("table", Some(1)), ("more", Some(1)), ("f", None), ("c", Some(4)), ("s", Some(3))];
        assert_eq!(known, expected);
        assert!(facts.words.contains("own"));
        assert!(module_assembly(".extern .tex .u64 t; .extern f;").externals.is_empty());
    }

    #[test]
    fn a_dollar_sign_is_part_of_names_in_module_assembly() {
        let facts = module_assembly("mov.u32 a$1, $b;");
        assert_eq!(words(&facts), ["$b", "a$1"]);
    }

    #[test]
    fn escapes_stand_for_operands_signs_and_alternatives() {
        let facts = inline_assembly("add $(a$|b$), $x, c$$d, $12, ${3:y}; e");
        assert_eq!(words(&facts), ["$x", "a", "add", "b", "c$d", "e"]);
        assert!(!facts.has_unknown_names);
        assert_eq!(words(&inline_assembly("trap; $")), ["$", "trap"]);
    }

    #[test]
    fn all_words_of_text_that_cannot_be_read_are_names() {
        let facts = module_assembly("mov.u32 a_1$%, [b+2]; \u{e9}c");
        assert_eq!(words(&facts), ["", "2", "a_1$%", "b", "c", "mov", "u32"]);
        assert!(facts.has_unknown_names && facts.must_be_unique && !facts.calls);
    }

    #[test]
    fn no_text_panics() {
        let text =
            "{ .extern .func f; call.uni (r), ${1:x}_a${:uid}, $$b; } l: // \u{e9}\n\"s\" /* */";
        for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
            let _ = (inline_assembly(&text[..end]), module_assembly(&text[..end]));
            let _ = (inline_assembly(&text[end..]), module_assembly(&text[end..]));
        }
    }
}
