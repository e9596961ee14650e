//! Finds the dependences of a PTX module's kernels on anything outside the module.
//!
//! ptxas can compile a module that depends on nothing as an extensible whole program: each kernel
//! gets the functions that it calls into its own section of code, and ptxas counts registers for
//! the kernel as a whole. The assumptions of this mode determine the rules:
//!
//! - Functions exist only as parts of kernels. So no other module may call one, and none may have
//!   its address taken: an address from one kernel means nothing in another one.
//! - Offsets of constant variables and of shared memory become numbers in the code. The linker
//!   moves constant variables, so the numbers must be found again, which takes a second run of
//!   ptxas. It also moves shared memory that several modules use, so the module must not declare
//!   any. Dynamic shared memory begins at the end of the kernel's own, and stays there.
//! - Addresses of global variables remain relocations, so global variables do not matter.

use std::collections::BTreeSet;

use super::constants::Constants;
use super::declarations::{function_name, unsized_array};
use super::error::PtxError;
use super::statements::{self, LINKAGES, VARIABLES, is_function};
use super::token::{Token, Tokens};

/// Functions of the CUDA driver, which may be called from anywhere.
const DRIVER_FUNCTIONS: [&[u8]; 4] = [b"vprintf", b"malloc", b"free", b"__assertfail"];

/// The strongest dependence of a module's kernels on other modules, global variables aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// The kernels depend on nothing outside of the module.
    Nothing,
    /// They depend on places of constant variables that
    /// [`constants_apart`](super::constants_apart) can show in the code.
    Constants,
    /// They depend on places in memory that the linker chooses: of constant variables, shared
    /// memory, textures.
    Memory,
    /// They depend on functions of other modules, or the module has functions that others may call,
    /// by name or by address. A module without kernels counts here.
    Functions,
}

/// Finds the dependence of the kernels in the PTX `text`.
pub fn dependence(text: &[u8]) -> Result<Dependence, PtxError> {
    let mut declarations = Declarations::default();
    statements::each(text, |statement| {
        declarations.take(&statement.words, statement.body.is_some());
    })?;
    let Declarations { has_kernels, shares_functions, shares_memory, has_constants, functions } =
        declarations;
    if !has_kernels || shares_functions || !calls_are_direct(text, &functions)? {
        return Ok(Dependence::Functions);
    }
    Ok(match (shares_memory, has_constants) {
        (true, _) => Dependence::Memory,
        (false, true) => Dependence::Constants,
        (false, false) => Dependence::Nothing,
    })
}

/// Facts of the statements outside braces.
#[derive(Default)]
struct Declarations<'text> {
    has_kernels: bool,
    /// Whether there are functions of other modules, or functions that these can name.
    shares_functions: bool,
    /// Whether there are variables whose place the linker chooses as a number.
    shares_memory: bool,
    /// Whether there are constant variables that can be placed apart.
    has_constants: bool,
    /// Names of the functions that are not kernels.
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
                self.shares_functions |= linkage.is_some() && !DRIVER_FUNCTIONS.contains(&name);
            }
            (b".func", None) | (b".alias", _) => self.shares_functions = true,
            (b".const", _) => {
                let can_be_placed =
                    Constants::read(statement).is_some_and(|read| read.can_be_placed());
                self.has_constants |= can_be_placed;
                self.shares_memory |= !can_be_placed;
            }
            (b".shared", _) => {
                self.shares_memory |= match linkage {
                    None => false,
                    Some(b".extern") => unsized_array(rest).is_none(),
                    Some(_) => true,
                };
            }
            // ptxas wants to know sizes in this mode.
            (b".global", _) if linkage == Some(b".extern") => {
                self.shares_memory |= unsized_array(rest).is_some();
            }
            _ => {}
        }
        // Textures and their like are places in tables that the linker numbers.
        let special: [&[u8]; 3] = [b".texref", b".samplerref", b".surfref"];
        self.shares_memory |= statement.iter().any(|word| special.contains(word));
        // Unified functions and variables are found through tables of the whole program.
        self.shares_functions |= statement.contains(&b".unified".as_slice());
        // A variable without braces around its value may hold an address.
        if VARIABLES.contains(directive) {
            self.shares_functions |= rest.iter().any(|word| self.functions.contains(word));
        }
    }
}

/// Whether all calls inside braces name their function, which is one of `functions`, and nothing
/// but calls names one.
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
            Token::Symbol(_) | Token::String(_) => {}
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
        self.operation.is_some_and(|word| word == b"call" || word.starts_with(b"call."))
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

    /// Finds the dependence of a module that has the `declarations` and a kernel with the
    /// `instructions`.
    fn verdict(declarations: &str, instructions: &str) -> Dependence {
        let local = ".func (.param .b32 r) local(.param .b32 a);";
        let text = format!(
            ".version 8.8\n.target sm_90\n.address_size 64\n{local}\n{declarations}\n\
             .visible .entry k(.param .u64 p)\n.maxntid 128\n{{\n.reg .b32 %r<4>;\n\
             {instructions}\nret;\n}}\n\
             .func (.param .b32 r) local(.param .b32 a)\n{{\nret;\n}}\n"
        );
        dependence(text.as_bytes()).unwrap()
    }

    /// Checks that each of the `declarations`, and each of the `instructions`, alone gives a module
    /// the `expected` dependence.
    fn each_is(expected: Dependence, declarations: &[&str], instructions: &[&str]) {
        for declaration in declarations {
            assert_eq!(verdict(declaration, ""), expected, "{declaration}");
        }
        for instruction in instructions {
            assert_eq!(verdict("", instruction), expected, "{instruction}");
        }
    }

    #[test]
    fn local_functions_own_memory_and_global_variables_are_no_obstacle() {
        let declarations = [
            "",
            ".global .align 4 .b8 own[16];",
            ".visible .global .align 4 .u32 seen = 7;",
            ".visible .global .align 4 .b8 counted[] = {1, 2};",
            ".extern .global .align 4 .u32 elsewhere;",
            ".extern .global .align 4 .b8 elsewhere[16];",
            ".shared .align 4 .b8 s[16];",
            ".extern .shared .align 16 .b8 dynamic[];",
            ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);",
        ];
        let instructions = [
            "call.uni (r), local, (a);",
            "{ .param .b32 r; @!%p1 call (r), local, (a); }",
            "L: @%p1 bra L;",
        ];
        each_is(Dependence::Nothing, &declarations, &instructions);
    }

    #[test]
    fn places_that_the_linker_chooses_are_a_dependence() {
        let declarations = [
            ".weak .const .align 4 .b8 c[16];",
            ".extern .const .align 4 .b8 c[16];",
            ".visible .const .align 4 .b8 c[] = {1};",
            ".const .align 4 .b8 c[16];\n.visible .shared .align 4 .b8 s[16];",
            ".visible .shared .align 4 .b8 s[16];",
            ".weak .shared .align 4 .b8 s[16];",
            ".extern .shared .align 4 .b8 s[16];",
            ".extern .global .align 4 .b8 elsewhere[];",
            ".global .texref t;",
        ];
        each_is(Dependence::Memory, &declarations, &[]);
    }

    #[test]
    fn constants_that_can_be_placed_apart_are_a_dependence_of_their_own() {
        let declarations = [
            ".const .align 4 .b8 c[16];",
            ".extern .const .align 16 .b8 c[16];",
            ".visible .const .align 4 .u32 c = 1;",
        ];
        each_is(Dependence::Constants, &declarations, &[]);
    }

    #[test]
    fn functions_of_others_and_for_others_are_a_dependence() {
        let declarations = [
            ".visible .func f() { ret; }",
            ".weak .func f() { ret; }",
            ".extern .func f();",
            ".const .align 4 .b8 c[16];\n.extern .func f();",
            ".global .align 8 .u64 table[2] = {0, local};",
            ".global .align 8 .u64 table[1] = {generic(local)};",
            ".global .align 8 .u64 pointer = local;",
            ".visible .func f();\n.alias f, local;",
            ".func f();\n.alias f, local;",
            ".func (.param .b32 r) ;",
            ".attribute(.unified(1, 2)) .global .u32 u;",
        ];
        let instructions = [
            "mov.u64 %rd1, local;",
            "call (r), %rd1, (a), prototype;",
            "@%p1 call %rd1, prototype;",
            "call (r), local, (a); mov.u64 %rd1, local;",
        ];
        each_is(Dependence::Functions, &declarations, &instructions);
    }

    #[test]
    fn a_brace_too_many_is_no_instruction() {
        let functions = BTreeSet::from([&b"local"[..]]);
        assert_eq!(calls_are_direct(b"} { mov.u64 %rd1, local; }", &functions), Ok(false));
        assert_eq!(calls_are_direct(b"} mov.u64 %rd1, local;", &functions), Ok(true));
    }

    #[test]
    fn functions_without_kernels_are_for_others() {
        let text = b".version 8.8\n.target sm_90\n.func f() { ret; }\n.extern .entry k();";
        assert_eq!(dependence(text), Ok(Dependence::Functions));
        assert!(dependence(b".version 8.8\n.visible .entry k() {").is_err());
    }
}
