//! Tells whether the kernels of a PTX module need no code, shared memory or constant variable of other
//! modules.
//!
//! ptxas can compile such a module as an extensible whole program: each kernel gets the functions that it
//! calls into its own section of code, and ptxas counts registers for the kernel as a whole. What the mode
//! assumes decides the rules:
//!
//! - Functions exist only as parts of kernels. So no other module may call one, and none may have its
//!   address taken: an address from one kernel means nothing in another one.
//! - Offsets of constant variables and of shared memory become numbers in the code. The linker moves
//!   constant variables, and shared memory that several modules use, so the module must not declare any.
//!   Dynamic shared memory begins where the kernel's own ends, and stays there.
//! - Addresses of global variables remain relocations, so global variables do not matter.

use std::collections::BTreeSet;

use super::statements::{self, LINKAGES, VARIABLES, is_function};
use super::token::{Token, Tokens};
use super::{PtxError, function_name, unsized_array};

/// Functions of the CUDA driver, which may be called from anywhere.
const DRIVER_FUNCTIONS: [&[u8]; 4] = [b"vprintf", b"malloc", b"free", b"__assertfail"];

/// Whether the PTX `text` has kernels, and all that they need except global variables is in it.
pub fn is_self_contained(text: &[u8]) -> Result<bool, PtxError> {
    let mut declarations = Declarations { is_closed: true, ..Declarations::default() };
    statements::each(text, |statement, has_body| declarations.take(statement, has_body))?;
    Ok(declarations.has_kernels
        && declarations.is_closed
        && calls_are_direct(text, &declarations.functions)?)
}

/// Facts of the statements outside braces.
#[derive(Default)]
struct Declarations<'text> {
    has_kernels: bool,
    /// Whether no declaration gives other modules anything but kernels and global variables, or takes
    /// anything else from them.
    is_closed: bool,
    /// Names of the functions that are no kernels.
    functions: BTreeSet<&'text [u8]>,
}

impl<'text> Declarations<'text> {
    fn take(&mut self, statement: &[&'text [u8]], has_body: bool) {
        let (linkage, rest) = match statement {
            [first, rest @ ..] if LINKAGES.contains(first) => (Some(*first), rest),
            _ => (None, statement),
        };
        let Some((directive, rest)) = rest.split_first() else { return };
        let name = if is_function(directive) { function_name(rest) } else { None };
        match (*directive, name) {
            (b".entry", _) => self.has_kernels |= has_body,
            (b".func", Some(name)) => {
                self.functions.insert(name);
                // Prototypes without a linkage announce local functions.
                self.is_closed &= linkage.is_none() || DRIVER_FUNCTIONS.contains(&name);
            }
            (b".func", None) | (b".const" | b".alias", _) => self.is_closed = false,
            (b".shared", _) => {
                self.is_closed &= match linkage {
                    None => true,
                    Some(b".extern") => unsized_array(rest).is_some(),
                    Some(_) => false,
                };
            }
            // ptxas wants to know sizes in this mode.
            (b".global", _) if linkage == Some(b".extern") => {
                self.is_closed &= unsized_array(rest).is_none();
            }
            _ => {}
        }
        // Textures and their like are places in tables that the linker numbers, and unified functions
        // and variables are found through tables of the whole program.
        let special: [&[u8]; 4] = [b".texref", b".samplerref", b".surfref", b".unified"];
        self.is_closed &= !statement.iter().any(|word| special.contains(word));
        // A variable without braces around its value may hold an address.
        if VARIABLES.contains(directive) {
            self.is_closed &= !rest.iter().any(|word| self.functions.contains(word));
        }
    }
}

/// Whether all calls inside braces name their function, which is one of `functions`, and nothing but
/// calls names one.
fn calls_are_direct(text: &[u8], functions: &BTreeSet<&[u8]>) -> Result<bool, PtxError> {
    let mut instruction = Instruction::default();
    let mut braces = 0_usize;
    for token in Tokens::new(text) {
        match token? {
            Token::Symbol(symbol @ (b'{' | b'}' | b';' | b':')) => {
                if !instruction.is_direct(functions) {
                    return Ok(false);
                }
                instruction = Instruction::default();
                match symbol {
                    b'{' => braces += 1,
                    b'}' => braces -= usize::from(braces > 0),
                    _ => {}
                }
            }
            _ if braces == 0 => {}
            Token::Symbol(b'@') => instruction.predicate_follows = true,
            Token::Symbol(b'(') => instruction.parentheses += 1,
            Token::Symbol(b')') => {
                instruction.parentheses = instruction.parentheses.saturating_sub(1);
            }
            Token::Symbol(_) => {}
            Token::Word(word) => instruction.take(word),
        }
    }
    Ok(true)
}

/// The words of one instruction, or of the value of a variable.
#[derive(Default)]
struct Instruction<'text> {
    /// Whether the next word is the predicate in front of the instruction.
    predicate_follows: bool,
    parentheses: usize,
    operation: Option<&'text [u8]>,
    /// The first operand that is in no parentheses: a call's function.
    callee: Option<&'text [u8]>,
    others: Vec<&'text [u8]>,
}

impl<'text> Instruction<'text> {
    fn take(&mut self, word: &'text [u8]) {
        if std::mem::take(&mut self.predicate_follows) {
            return;
        }
        if self.operation.is_none() {
            self.operation = Some(word);
            self.others.push(word);
        } else if self.is_call() && self.parentheses == 0 && self.callee.is_none() {
            self.callee = Some(word);
        } else {
            self.others.push(word);
        }
    }

    fn is_call(&self) -> bool {
        self.operation.is_some_and(|it| it == b"call" || it.starts_with(b"call."))
    }

    fn is_direct(&self, functions: &BTreeSet<&[u8]>) -> bool {
        let is_known = |word: &&[u8]| functions.contains(word);
        let calls_known = !self.is_call() || self.callee.as_ref().is_some_and(is_known);
        calls_known && !self.others.iter().any(is_known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a module with a kernel is self-contained that also has `declarations`, and has
    /// `instructions` in its kernel.
    fn verdict(declarations: &str, instructions: &str) -> bool {
        let local = ".func (.param .b32 r) local(.param .b32 a);";
        let text = format!(
            ".version 8.8\n.target sm_90\n.address_size 64\n{local}\n{declarations}\n\
             .visible .entry k(.param .u64 p)\n.maxntid 128\n{{\n.reg .b32 %r<4>;\n\
             {instructions}\nret;\n}}\n\
             .func (.param .b32 r) local(.param .b32 a)\n{{\nret;\n}}\n"
        );
        is_self_contained(text.as_bytes()).unwrap()
    }

    #[test]
    fn local_functions_own_memory_and_global_variables_are_no_obstacle() {
        for declarations in [
            "",
            ".global .align 4 .b8 own[16];",
            ".visible .global .align 4 .u32 seen = 7;",
            ".extern .global .align 4 .u32 elsewhere;",
            ".extern .global .align 4 .b8 elsewhere[16];",
            ".shared .align 4 .b8 s[16];",
            ".extern .shared .align 16 .b8 dynamic[];",
            ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);",
        ] {
            assert!(verdict(declarations, ""), "{declarations}");
        }
        for call in [
            "call.uni (r), local, (a);",
            "{ .param .b32 r; @!%p1 call (r), local, (a); }",
            "L: @%p1 bra L;",
        ] {
            assert!(verdict("", call), "{call}");
        }
    }

    #[test]
    fn whatever_other_modules_or_the_linker_have_a_part_in_is_an_obstacle() {
        for declarations in [
            ".const .align 4 .b8 c[16];",
            ".extern .const .align 4 .b8 c[16];",
            ".visible .const .align 4 .u32 c = 1;",
            ".visible .shared .align 4 .b8 s[16];",
            ".weak .shared .align 4 .b8 s[16];",
            ".extern .shared .align 4 .b8 s[16];",
            ".visible .func f() { ret; }",
            ".weak .func f() { ret; }",
            ".extern .func f();",
            ".extern .global .align 4 .b8 elsewhere[];",
            ".global .texref t;",
            ".global .align 8 .u64 table[2] = {0, local};",
            ".global .align 8 .u64 table[1] = {generic(local)};",
            ".global .align 8 .u64 pointer = local;",
            ".visible .func f();\n.alias f, local;",
            ".attribute(.unified(1, 2)) .global .u32 u;",
        ] {
            assert!(!verdict(declarations, ""), "{declarations}");
        }
        for instruction in [
            "mov.u64 %rd1, local;",
            "call (r), %rd1, (a), prototype;",
            "@%p1 call %rd1, prototype;",
            "call (r), local, (a); mov.u64 %rd1, local;",
        ] {
            assert!(!verdict("", instruction), "{instruction}");
        }
    }

    #[test]
    fn modules_without_kernels_are_not_compiled_as_a_whole() {
        let text = b".version 8.8\n.target sm_90\n.func f() { ret; }\n.extern .entry k();";
        assert_eq!(is_self_contained(text), Ok(false));
        assert!(is_self_contained(b".version 8.8\n.visible .entry k() {").is_err());
    }
}
