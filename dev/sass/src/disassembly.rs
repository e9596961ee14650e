//! Reads the output of `nvdisasm -c -hex` about an image's code, line by line.
//!
//! Each kernel has a section `.text.NAME`, and so does each separate function. Functions may also
//! follow a kernel in its section. A function starts at a label that a `.type` line has declared as
//! one; kernels have a `.other` line with `STO_CUDA_ENTRY`. An instruction takes two lines: its
//! text with the low half of its 128 bits behind it, then the high half alone.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::{Body, Flow};

/// Functions of an image by their symbols, with the kernels.
pub(super) type Functions = BTreeMap<String, Function>;

/// The code of one function.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) is_kernel: bool,
    /// Function that the section is named after: this one, or the kernel that it lies behind.
    pub(super) section: String,
    pub(super) calls: Vec<Call>,
    /// Number of instructions that load from or store to local memory.
    pub(super) local_accesses: u64,
    /// Number of instructions without padding.
    pub(super) instructions: u64,
    /// Sum of the stall counts of its instructions, weighted by loops.
    pub(super) cycles: u64,
}

/// A CALL instruction.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) callee: Callee,
    /// Weight of the call by the loops around it.
    pub(super) weight: u64,
}

/// Target of a CALL instruction.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Callee {
    /// The function of this name.
    Named(String),
    /// The address in a register, relative to the section.
    InSection,
    /// The address in a register.
    Anywhere,
}

/// Lowest bit of the stall count in the high half of an instruction: it is bits 105 to 108 of 128.
const STALL_SHIFT: u32 = 105 - 64;

/// Returns whether a line holds an instruction that does something: linkers and assemblers pad with
/// `NOP`.
pub(super) fn is_instruction(line: &str) -> bool {
    let instruction = instruction(line.trim()).1;
    !instruction.is_empty() && operation(instruction).0 != "NOP"
}

/// A reader that takes lines in their order and returns the functions at the end.
#[derive(Default)]
pub(super) struct Reader {
    functions: Functions,
    declared: BTreeSet<String>,
    kernels: BTreeSet<String>,
    section: String,
    /// Function that lines belong to, and its body so far.
    current: Option<(String, Function, Body)>,
}

impl Reader {
    /// Takes the next line.
    pub(super) fn line(&mut self, line: &str) {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix(".section") {
            self.finish();
            let name = rest.trim_start().split(',').next().unwrap_or_default();
            name.strip_prefix(".text.").unwrap_or_default().clone_into(&mut self.section);
        } else if let Some(rest) = line.strip_prefix(".type") {
            let name = rest.trim_start().strip_suffix(",@function");
            self.declared.extend(name.map(str::to_owned));
        } else if let Some(rest) = line.strip_prefix(".other") {
            let (name, flags) = rest.trim_start().split_once(',').unwrap_or_default();
            self.kernels.extend(flags.contains("STO_CUDA_ENTRY").then(|| name.to_owned()));
        } else if let Some(label) = line.strip_suffix(':') {
            if self.declared.contains(label) {
                self.finish();
                let (section, is_kernel) = (self.section.clone(), self.kernels.contains(label));
                let function = Function { is_kernel, section, ..Function::default() };
                self.current = Some((label.to_owned(), function, Body::default()));
            } else if let Some((_, _, body)) = &mut self.current {
                body.label(label);
            }
        } else if let Some((_, function, body)) = &mut self.current {
            if let Some(high) = encoding(line) {
                body.stall((high >> STALL_SHIFT) & 0xf);
            } else {
                add_instruction(function, body, line);
            }
        }
    }

    /// Returns all functions of the lines that were taken.
    pub(super) fn functions(mut self) -> Functions {
        self.finish();
        self.functions
    }

    fn finish(&mut self) {
        let Some((name, mut function, body)) = self.current.take() else { return };
        let weights = body.weights();
        function.cycles = body.cycles(&weights);
        for (call, at) in function.calls.iter_mut().zip(body.calls()) {
            call.weight = weights[at];
        }
        self.functions.insert(name, function);
    }
}

/// Reads the number in a line that holds the high half of an instruction alone, `/*
/// 0x000fe20000000f00 */`.
fn encoding(line: &str) -> Option<u64> {
    let digits = line.strip_prefix("/* 0x")?.strip_suffix("*/")?;
    u64::from_str_radix(digits.trim_end(), 16).ok()
}

/// Returns the guard of the instruction in a line like `/*0430*/  @P0 CALL.REL.NOINC R8 ...`, and
/// the instruction without its encoding; both are empty if there is no instruction.
fn instruction(line: &str) -> (&str, &str) {
    let Some((_, text)) = line.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) else {
        return ("", "");
    };
    let text = text.split("/*").next().unwrap_or_default().trim();
    match text.strip_prefix('@') {
        Some(guarded) => {
            guarded.split_once(' ').map_or(("", ""), |(guard, rest)| (guard, rest.trim_start()))
        }
        None => ("", text),
    }
}

/// Returns the name of an instruction's operation without modifiers, and the operands.
fn operation(instruction: &str) -> (&str, &str) {
    let (operation, operands) = instruction.split_once(' ').unwrap_or((instruction, ""));
    (operation.split(['.', ';']).next().unwrap_or_default(), operands)
}

/// Counts the instruction of a line.
fn add_instruction(function: &mut Function, body: &mut Body, line: &str) {
    let (guard, instruction) = instruction(line);
    if instruction.is_empty() {
        return;
    }
    let (operation, operands) = operation(instruction);
    let operands = operands.trim();
    function.instructions += u64::from(operation != "NOP");
    let flow = match operation {
        "CALL" => {
            function.calls.push(Call { callee: callee(operands), weight: 1 });
            Flow::Call
        }
        // A branch may have a condition among its operands, before the label.
        "BRA" => Flow::Branch {
            to: named(operands).map(str::to_owned).into_iter().collect(),
            is_always: guard.is_empty() && operands.starts_with('`'),
        },
        "BRX" => Flow::Branch { to: table(operands), is_always: guard.is_empty() },
        "EXIT" | "RET" | "KILL" | "JMX" | "JMP" if guard.is_empty() => Flow::End,
        _ => Flow::Next,
    };
    function.local_accesses += u64::from(matches!(operation, "LDL" | "STL"));
    body.instruction(flow);
}

/// Returns the first name in operands that a backtick and parentheses surround.
fn named(operands: &str) -> Option<&str> {
    operands.split_once("`(").and_then(|(_, rest)| rest.split(')').next())
}

/// Returns the labels in operands like `R6 -0x1f0 (*"BRANCH_TARGETS .L_x_32,.L_x_33"*)`.
fn table(operands: &str) -> Vec<String> {
    let labels =
        operands.split_once("BRANCH_TARGETS ").and_then(|(_, rest)| rest.split('"').next());
    labels.into_iter().flat_map(|list| list.split(',')).map(str::to_owned).collect()
}

fn callee(operands: &str) -> Callee {
    match named(operands) {
        Some(name) if operands.starts_with('`') => Callee::Named(name.to_owned()),
        Some(_) => Callee::InSection,
        None => Callee::Anywhere,
    }
}

/// Reads all functions in a text.
#[cfg(test)]
pub(super) fn functions(disassembly: &str) -> Functions {
    let mut reader = Reader::default();
    disassembly.lines().for_each(|line| reader.line(line));
    reader.functions()
}

#[cfg(test)]
mod tests {
    use super::super::samples::{NESTED_LOOPS, SAMPLE};
    use super::*;

    #[test]
    fn instructions_are_counted_without_what_fills_up() {
        assert_eq!(SAMPLE.lines().filter(|line| is_instruction(line)).count(), 12);
        for line in ["        /*0010*/  NOP;", "/*0b60*/ NOP; /* 0x0000000000007918 */", ".L_x_0:"]
        {
            assert!(!is_instruction(line), "{line}");
        }
    }

    #[test]
    fn functions_calls_and_local_accesses_are_found() {
        let functions = functions(SAMPLE);
        let named = |name: &str| Callee::Named(name.to_owned());
        let function =
            |section: &str, callees: Vec<Callee>, local_accesses, instructions| Function {
                section: section.to_owned(),
                calls: callees.into_iter().map(|callee| Call { callee, weight: 1 }).collect(),
                local_accesses,
                instructions,
                ..Function::default()
            };
        let calls = vec![named("$kernel$inner"), Callee::InSection, named("alone")];
        let kernel = Function { is_kernel: true, ..function("kernel", calls, 1, 6) };
        let expected = [
            ("$kernel$inner", function("kernel", vec![], 2, 3)),
            ("$kernel$taken", function("kernel", vec![], 0, 1)),
            ("alone", function("alone", vec![Callee::Anywhere], 0, 1)),
            ("kernel", kernel),
            ("taken", function("taken", vec![], 1, 1)),
        ];
        assert_eq!(functions, expected.map(|(name, f)| (name.to_owned(), f)).into());
    }

    #[test]
    fn stalls_are_read_from_the_encoding() {
        // The lines are those of `LDC`, `FADD` and `BRA` in the sample.
        for (line, stall) in [
            ("/* 0x000e300000000800 */", 8),
            ("/* 0x004fd60000000000 */", 11),
            ("/* 0x000fea000383ffff */", 5),
        ] {
            assert_eq!(encoding(line).map(|high| (high >> STALL_SHIFT) & 0xf), Some(stall));
        }
        for line in ["/*0010*/ NOP; /* 0x0000000000007918 */", "/* text */", ""] {
            assert_eq!(encoding(line), None);
        }
    }

    #[test]
    fn branches_say_where_they_go() {
        let flow = |line: &str| {
            let mut body = Body::default();
            add_instruction(&mut Function::default(), &mut body, line);
            body.last().map(|flow| format!("{flow:?}")).unwrap_or_default()
        };
        let branch = |to: &[&str], is_always| {
            let to = to.iter().map(|label| (*label).to_owned()).collect();
            format!("{:?}", Flow::Branch { to, is_always })
        };
        let table = r#"/*01e0*/ BRX R6 -0x1f0 (*"BRANCH_TARGETS .L_x_32,.L_x_33"*);"#;
        for (line, expected) in [
            ("/*0400*/ @P1 BRA `(.L_x_9) ; /* 0xfffffffc00681947 */", branch(&[".L_x_9"], false)),
            ("/*0810*/ BRA `(.L_x_4) ; /* 0x0000000000b87947 */", branch(&[".L_x_4"], true)),
            ("/*0810*/ BRA.DIV UR4, `(.L_x_4) ;", branch(&[".L_x_4"], false)),
            (table, branch(&[".L_x_32", ".L_x_33"], true)),
            ("/*0b40*/ EXIT ; /* 0x000000000000794d */", format!("{:?}", Flow::End)),
            ("/*0b40*/ @P0 EXIT ; /* 0x000000000000794d */", format!("{:?}", Flow::Next)),
        ] {
            assert_eq!(flow(line), expected, "{line}");
        }
    }

    #[test]
    fn a_real_kernel_counts_its_loops() {
        let functions = functions(NESTED_LOOPS);
        let kernel = &functions["_Z4nestPfPKfii"];
        assert!(kernel.is_kernel);
        // The stall counts of 74 instructions are 261 in sum; 9 are in a loop alone, and 16 in a
        // loop inside of a loop of 25.
        assert_eq!((kernel.instructions, kernel.cycles), (74, 6379));
        let callee = Callee::Named("__cuda_sm20_sqrt_rn_f32_slowpath".to_owned());
        assert_eq!(kernel.calls, [Call { callee, weight: 64 }]);
        assert_eq!(functions["__cuda_sm20_sqrt_rn_f32_slowpath"].instructions, 24);
    }
}
