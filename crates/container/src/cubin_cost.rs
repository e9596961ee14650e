//! The cost of running a kernel, as far as its instructions tell: the cycles that they take to
//! issue, and their accesses to local memory.
//!
//! ptxas writes into each instruction for how many cycles its warp waits before the next one: bits
//! 105 to 108 of the 128. The encoding of operations and branches was read off nvdisasm's output,
//! with which a test compares the figures.

use std::collections::{BTreeMap, BTreeSet};

use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader as _, Rel as _, Rela as _, SectionHeader as _, Sym as _};
use object::{Endianness, SectionIndex, SymbolIndex};

use crate::bytes::read_u64;
use crate::cubin_code::{INSTRUCTION, NOP, OPERATION};
use crate::cubin_resources::is_kernel;
use crate::loops::{Flow, loop_weights};

/// `LDL` and `STL`.
const LOCAL_ACCESSES: [u64; 2] = [0x983, 0x387];
const BRA: u64 = 0x947;
/// `CALL.ABS` and `CALL.REL` of a function that the instruction names.
const CALLS: [u64; 2] = [0x943, 0x944];
const CALL_RELATIVE: u64 = CALLS[1];
/// `BRX`, `JMP`, `JMX`, `EXIT`, `RET` and `KILL`, which leave the function or go where a register
/// says.
const ENDS: [u64; 6] = [0x949, 0x94A, 0x94C, 0x94D, 0x950, 0x95B];
/// Value of the four bits of a predicate that is always true.
const ALWAYS: u64 = 7;
/// Lowest bit of an instruction's guard, in its low word.
const GUARD_SHIFT: u32 = 12;
/// Lowest bit of the condition that a branch has besides, in its high word.
const CONDITION_SHIFT: u32 = 87 - 64;
/// Lowest bit of the stall count in the high word.
const STALL_SHIFT: u32 = 105 - 64;

/// Cost of the code of one kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeCost {
    /// Sum of the cycles that the instructions take to issue, weighted by
    /// [loops](crate::loop_weights), with those of a function at each call of it.
    pub cycles: u64,
    /// Number of accesses to local memory, weighted and added up in the same way.
    pub local_accesses: u64,
}

/// Returns the cost of each kernel of the cubin `data`, by the kernel's name.
///
/// Calls through pointers, and of functions that the cubin lacks, are not followed.
pub fn kernel_costs(data: &[u8]) -> object::Result<BTreeMap<String, CodeCost>> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
    // Where functions start: the index of the symbol by section and offset.
    let mut starts: BTreeMap<usize, BTreeMap<u64, usize>> = BTreeMap::new();
    for (index, symbol) in symbols.iter().enumerate() {
        if symbol.st_type() == elf::STT_FUNC
            && let Some(section) = symbols.symbol_section(endian, symbol, SymbolIndex(index))?
        {
            starts.entry(section.0).or_default().insert(symbol.st_value(endian), index);
        }
    }
    // The symbols that relocations name, by section and offset.
    let mut named: BTreeMap<(usize, u64), usize> = BTreeMap::new();
    for section in sections.iter() {
        let place = section.sh_info(endian) as usize;
        if let Some((relocations, _)) = section.rela(endian, data)? {
            named.extend(relocations.iter().map(|relocation| {
                let symbol = relocation.r_sym(endian, false) as usize;
                ((place, relocation.r_offset(endian)), symbol)
            }));
        }
        if let Some((relocations, _)) = section.rel(endian, data)? {
            named.extend(relocations.iter().map(|relocation| {
                ((place, relocation.r_offset(endian)), relocation.r_sym(endian) as usize)
            }));
        }
    }
    let mut functions = BTreeMap::new();
    for (&section, starts) in &starts {
        let text = sections.section(SectionIndex(section))?.data(endian, data)?;
        let ends = starts.keys().skip(1).copied().chain([text.len() as u64]);
        for ((&start, &index), end) in starts.iter().zip(ends) {
            let number = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
            let code = text.get(number(start)..number(end)).unwrap_or_default();
            let callee = |offset: u64, low: u64, high: u64| {
                let offset = start + offset;
                let within = offset..offset + INSTRUCTION as u64;
                let by_name = named.range((section, within.start)..(section, within.end)).next();
                match by_name {
                    Some((_, symbol)) => Some(*symbol),
                    None if low & OPERATION == CALL_RELATIVE => {
                        let at = number(offset) / INSTRUCTION;
                        let to = target(at, low, high)? * INSTRUCTION;
                        starts.get(&(to as u64)).copied()
                    }
                    None => None,
                }
            };
            functions.insert(index, Function::read(code, callee));
        }
    }
    let mut costs = Costs { functions, known: BTreeMap::new() };
    let mut kernels = BTreeMap::new();
    for (index, symbol) in symbols.iter().enumerate().filter(|(_, symbol)| is_kernel(symbol)) {
        let name = String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?).into_owned();
        kernels.insert(name, costs.of(index, &mut BTreeSet::new()));
    }
    Ok(kernels)
}

/// The code of one function.
#[derive(Debug, Default, PartialEq, Eq)]
struct Function {
    /// Cost without that of calls.
    own: CodeCost,
    /// Symbols of the functions that it calls, each with the weight of the call.
    calls: Vec<(usize, u64)>,
}

impl Function {
    /// Reads the instructions in `code`. `callee` knows the function that a call at an offset with
    /// these two words calls.
    fn read(code: &[u8], callee: impl Fn(u64, u64, u64) -> Option<usize>) -> Self {
        let instructions: Vec<(u64, u64)> = code
            .chunks_exact(INSTRUCTION)
            .filter_map(|instruction| Some((read_u64(instruction, 0)?, read_u64(instruction, 8)?)))
            .collect();
        let flows: Vec<Flow> = instructions
            .iter()
            .enumerate()
            .map(|(at, (low, high))| flow(at, *low, *high, instructions.len()))
            .collect();
        let mut function = Self::default();
        let weights = loop_weights(&flows);
        for (at, ((low, high), weight)) in instructions.iter().zip(weights).enumerate() {
            let operation = low & OPERATION;
            let is_local = LOCAL_ACCESSES.contains(&operation);
            let stall = if operation == NOP { 0 } else { (high >> STALL_SHIFT) & 0xF };
            let one = CodeCost { cycles: stall, local_accesses: u64::from(is_local) };
            function.own = function.own.plus(one, weight);
            if CALLS.contains(&operation)
                && let Some(symbol) = callee((at * INSTRUCTION) as u64, *low, *high)
            {
                function.calls.push((symbol, weight));
            }
        }
        function
    }
}

/// The costs of functions with those that they call, by symbol.
struct Costs {
    functions: BTreeMap<usize, Function>,
    known: BTreeMap<usize, CodeCost>,
}

impl Costs {
    /// Returns the cost of a function. A call of one that is `above`, which calls this one, costs
    /// nothing.
    fn of(&mut self, symbol: usize, above: &mut BTreeSet<usize>) -> CodeCost {
        if let Some(known) = self.known.get(&symbol) {
            return *known;
        }
        let Some(function) = self.functions.get(&symbol) else { return CodeCost::default() };
        if !above.insert(symbol) {
            return CodeCost::default();
        }
        let (mut cost, calls) = (function.own, function.calls.clone());
        for (callee, weight) in calls {
            cost = cost.plus(self.of(callee, above), weight);
        }
        above.remove(&symbol);
        self.known.insert(symbol, cost);
        cost
    }
}

impl CodeCost {
    /// Adds another cost so many times.
    fn plus(self, other: Self, times: u64) -> Self {
        let sum = |one: u64, other: u64| one.saturating_add(other.saturating_mul(times));
        Self {
            cycles: sum(self.cycles, other.cycles),
            local_accesses: sum(self.local_accesses, other.local_accesses),
        }
    }
}

/// Returns the control flow after the instruction with these two words, the one at the position
/// `at` of `count`.
fn flow(at: usize, low: u64, high: u64, count: usize) -> Flow {
    let is_always = (low >> GUARD_SHIFT) & 0xF == ALWAYS;
    match low & OPERATION {
        BRA => {
            let is_always = is_always && (high >> CONDITION_SHIFT) & 0xF == ALWAYS;
            let to = target(at, low, high).filter(|to| *to < count).into_iter().collect();
            Flow::Branch { to, is_always }
        }
        operation if is_always && ENDS.contains(&operation) => Flow::End,
        _ => Flow::Next,
    }
}

/// Returns the position that a branch or a call at the position `at` goes to.
///
/// The distance counts words of four bytes from the next instruction. Its lowest byte is the low
/// word's bits 16 to 23, and the other 48 bits begin at bit 34.
fn target(at: usize, low: u64, high: u64) -> Option<usize> {
    let above = (low >> 34) | (high << 30);
    let above = (above << 16).cast_signed() >> 16;
    let words = (above << 8) | ((low >> 16) & 0xFF).cast_signed();
    let distance = words.checked_mul(4)? / i64::try_from(INSTRUCTION).ok()?;
    at.checked_add(1)?.checked_add_signed(isize::try_from(distance).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes the two words of an instruction with a stall count.
    fn words(operation: u64, guard: u64, stall: u64) -> [u64; 2] {
        [operation | guard << GUARD_SHIFT, ALWAYS << CONDITION_SHIFT | stall << STALL_SHIFT]
    }

    /// Makes a branch over so many instructions, from the next one on.
    fn branch(guard: u64, over: i64) -> [u64; 2] {
        let [low, high] = words(BRA, guard, 5);
        let distance = (over * 4).cast_unsigned();
        let above = (distance >> 8) & ((1 << 48) - 1);
        [low | (distance & 0xFF) << 16 | above << 34, high | above >> 30]
    }

    /// Returns the cycles and the local accesses of a function, and the weights of its calls.
    fn cost(instructions: &[[u64; 2]]) -> (u64, u64, Vec<u64>) {
        let words = instructions.iter().flatten();
        let code: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        let Function { own, calls } = Function::read(&code, |_, _, _| Some(0));
        (own.cycles, own.local_accesses, calls.into_iter().map(|(_, weight)| weight).collect())
    }

    #[test]
    fn stall_counts_and_local_accesses_in_loops_count_eight_times() {
        let load = words(LOCAL_ACCESSES[0], ALWAYS, 2);
        let [call, exit] = [CALLS[0], 0x94D].map(|operation| words(operation, ALWAYS, 3));
        assert_eq!(cost(&[load, call, exit]), (8, 1, vec![1]));
        // A loop of three instructions, then the end.
        assert_eq!(cost(&[load, call, branch(0, -3), exit]), (8 * (2 + 3 + 5) + 3, 8, vec![8]));
        // A branch forward, and padding.
        let fill = words(NOP, ALWAYS, 9);
        assert_eq!(cost(&[branch(1, 1), load, exit, fill]), (5 + 2 + 3, 1, vec![]));
        assert_eq!(cost(&[]), (0, 0, vec![]));
    }

    #[test]
    fn a_call_costs_what_the_function_costs() {
        let function = |cycles, calls: &[(usize, u64)]| Function {
            own: CodeCost { cycles, local_accesses: 1 },
            calls: calls.to_vec(),
        };
        // The third function is recursive, and the last call is of one that is not there.
        let functions = [
            (1, function(100, &[(2, 8), (3, 1)])),
            (2, function(5, &[(3, 1)])),
            (3, function(7, &[(3, 8), (9, 1)])),
        ];
        let mut costs = Costs { functions: functions.into(), known: BTreeMap::new() };
        let cost = costs.of(1, &mut BTreeSet::new());
        assert_eq!(cost, CodeCost { cycles: 100 + 8 * (5 + 7) + 7, local_accesses: 1 + 8 * 2 + 1 });
    }

    #[test]
    fn distances_of_any_length_and_direction_are_read() {
        for over in [-1, -2, -70, -5000, 0, 1, 69, 100_000] {
            let [low, high] = branch(0, over);
            let at = 10_000;
            let to = usize::try_from(10_001 + over).ok();
            assert_eq!(target(at, low, high), to, "{over}");
        }
        assert_eq!(target(0, branch(0, -9)[0], branch(0, -9)[1]), None);
    }
}
