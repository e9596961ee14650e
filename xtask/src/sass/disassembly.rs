//! Reads what `nvdisasm -c` prints of an image's code.
//!
//! Each kernel has a section `.text.NAME`, and so has each function that stands alone. Functions may
//! also lie behind a kernel in its section. A function starts at a label that a `.type` line has
//! declared as one; kernels have a `.other` line that says `STO_CUDA_ENTRY`.

use std::collections::{BTreeMap, BTreeSet};

/// Functions of an image by their symbols, kernels among them.
pub(super) type Functions = BTreeMap<String, Function>;

/// The code of one function.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) is_kernel: bool,
    /// What its section is named after: itself, or the kernel that it lies behind.
    pub(super) section: String,
    pub(super) calls: Vec<Callee>,
    /// Instructions that load from or store to local memory.
    pub(super) local_accesses: u64,
}

/// Whether a line holds an instruction that does something: linkers and assemblers fill up with `NOP`.
pub(super) fn is_instruction(line: &str) -> bool {
    let instruction = instruction(line.trim());
    !instruction.is_empty() && operation(instruction).0 != "NOP"
}

/// What a CALL instruction calls.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Callee {
    /// The function of this name.
    Named(String),
    /// What a register says, relative to the section.
    InSection,
    /// What a register says.
    Anywhere,
}

/// All functions in the text.
pub(super) fn functions(disassembly: &str) -> Functions {
    let mut functions = Functions::new();
    let mut declared = BTreeSet::new();
    let mut kernels = BTreeSet::new();
    let mut section = "";
    let mut current: Option<&str> = None;
    for line in disassembly.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix(".section") {
            let name = rest.trim_start().split(',').next().unwrap_or_default();
            section = name.strip_prefix(".text.").unwrap_or_default();
            current = None;
        } else if let Some(rest) = line.strip_prefix(".type") {
            declared.extend(rest.trim_start().strip_suffix(",@function"));
        } else if let Some(rest) = line.strip_prefix(".other") {
            let (name, flags) = rest.trim_start().split_once(',').unwrap_or_default();
            kernels.extend(flags.contains("STO_CUDA_ENTRY").then_some(name));
        } else if let Some(label) = line.strip_suffix(':') {
            if declared.contains(label) {
                current = Some(label);
                let (section, is_kernel) = (section.to_owned(), kernels.contains(label));
                let function = Function { is_kernel, section, ..Function::default() };
                functions.insert(label.to_owned(), function);
            }
        } else if let Some(function) = current.and_then(|name| functions.get_mut(name)) {
            add_instruction(function, line);
        }
    }
    functions
}

/// The instruction in a line like `/*0430*/  @P0 CALL.REL.NOINC R8 ...`, without what guards it; empty if
/// there is none.
fn instruction(line: &str) -> &str {
    let Some((_, text)) = line.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) else {
        return "";
    };
    let text = text.trim_start();
    match text.strip_prefix('@') {
        Some(guarded) => guarded.split_once(' ').map_or("", |(_, rest)| rest.trim_start()),
        None => text,
    }
}

/// The name of an instruction's operation without what modifies it, and the operands.
fn operation(instruction: &str) -> (&str, &str) {
    let (operation, operands) = instruction.split_once(' ').unwrap_or((instruction, ""));
    (operation.split(['.', ';']).next().unwrap_or_default(), operands)
}

/// Notes what counts of a line.
fn add_instruction(function: &mut Function, line: &str) {
    match operation(instruction(line)) {
        ("CALL", operands) => function.calls.push(callee(operands.trim())),
        ("LDL" | "STL", _) => function.local_accesses += 1,
        _ => {}
    }
}

fn callee(operands: &str) -> Callee {
    let name = operands.split_once("`(").and_then(|(_, rest)| rest.split(')').next());
    match name {
        Some(name) if operands.starts_with('`') => Callee::Named(name.to_owned()),
        Some(_) => Callee::InSection,
        None => Callee::Anywhere,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A kernel with a function behind it, and a function alone.
    pub(in crate::sass) const SAMPLE: &str = "
\t.target\tsm_90
//--------------------- .text.kernel --------------------------
\t.section\t.text.kernel,\"ax\",@progbits
\t.align\t128
        .global         kernel
        .type           kernel,@function
        .size           kernel,(.L_x_2 - kernel)
        .other          kernel,@\"STO_CUDA_ENTRY STV_DEFAULT\"
kernel:
.text.kernel:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/              @!P0 STL.64 [R1], R4 ;
        /*0020*/                   CALL.REL.NOINC `($kernel$inner) ;
        /*0030*/                   CALL.REL.NOINC R8 `(kernel) ;
.L_x_0:
        /*0040*/               @P0 CALL.ABS.NOINC `(alone) ;
        /*0050*/                   EXIT ;
        .type           $kernel$inner,@function
        .size           $kernel$inner,(.L_x_2 - $kernel$inner)
$kernel$inner:
        /*0060*/                   LDL R4, [R1+0x8] ;
        /*0070*/                   LDL.LU R4, [R1] ;
        /*0080*/                   RET.REL.NODEC R4 `(kernel) ;
        .type           $kernel$taken,@function
$kernel$taken:
        /*0090*/                   RET.REL.NODEC R4 `(kernel) ;
\t.section\t.text.alone,\"ax\",@progbits
        .type           alone,@function
        .other          alone,@\"STO_CUDA_OBSCURE STV_DEFAULT\"
alone:
.text.alone:
        /*0000*/                   CALL.ABS.NOINC R18 ;
\t.section\t.text.taken,\"ax\",@progbits
        .weak           taken
        .type           taken,@function
taken:
        /*0000*/                   STL [R1], R0 ;
";

    #[test]
    fn instructions_are_counted_without_what_fills_up() {
        assert_eq!(SAMPLE.lines().filter(|line| is_instruction(line)).count(), 12);
        for line in
            ["        /*0010*/                   NOP;", "        /*0010*/  NOP ;", ".L_x_0:"]
        {
            assert!(!is_instruction(line), "{line}");
        }
    }

    #[test]
    fn functions_calls_and_local_accesses_are_found() {
        let functions = functions(SAMPLE);
        let named = |name: &str| Callee::Named(name.to_owned());
        let function = |section: &str, calls, local_accesses| Function {
            is_kernel: false,
            section: section.to_owned(),
            calls,
            local_accesses,
        };
        let calls = vec![named("$kernel$inner"), Callee::InSection, named("alone")];
        let kernel = Function { is_kernel: true, ..function("kernel", calls, 1) };
        let expected = [
            ("$kernel$inner", function("kernel", vec![], 2)),
            ("$kernel$taken", function("kernel", vec![], 0)),
            ("alone", function("alone", vec![Callee::Anywhere], 0)),
            ("kernel", kernel),
            ("taken", function("taken", vec![], 1)),
        ];
        assert_eq!(functions, expected.map(|(name, f)| (name.to_owned(), f)).into());
    }
}
