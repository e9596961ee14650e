//! Costs of a kernel each time that it runs, as far as its machine code tells: cycles in which
//! instructions are issued, and accesses to local memory.
//!
//! ptxas writes into each instruction how many cycles pass before the next one is issued. Their sum
//! leaves out waits for memory and the probability of branches. Instructions in
//! [loops](crate::loop_weights) weigh more.
//!
//! Costs include those of the functions that the kernel reaches, at each call. A call of a function
//! in the caller's own section states its distance, and a relocation names the callee of another
//! one. In linked code such calls do not name their callees, so each counts as the mean of them
//! all. A call through a pointer counts as nothing but itself.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Included};

use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader as _, Rel as _, Rela as _, SectionHeader as _, Sym as _};
use object::{Endianness, SectionIndex, SymbolIndex};

use crate::bytes::read_u64;
use crate::cubin::cubin_architecture;
use crate::cubin_calls::{self, Calls};
use crate::cubin_code::{INSTRUCTION, NOP, OPERATION, own};
use crate::cubin_resources::is_kernel;
use crate::loops::{Flow, loop_weights};

const BRANCH: u64 = 0x947;
/// `CALL.ABS` of a function.
const FAR_CALL: u64 = 0x943;
/// `CALL.REL` of a function.
const NEAR_CALL: u64 = 0x944;
/// `LDL` and `STL`.
const LOCAL: [u64; 2] = [0x983, 0x387];
/// `BRX`, `JMP`, `JMX`, `EXIT`, `RET` and `KILL`, which leave the function or go where a register
/// says.
const ENDS: [u64; 6] = [0x949, 0x94A, 0x94C, 0x94D, 0x950, 0x95B];
/// Number of the predicate that is always true, in bits 12 to 14; bit 15 negates it.
const ALWAYS: u64 = 7;
/// Number of bits above the distance of a branch in the pair of words that hold it.
const ABOVE_DISTANCE: u32 = 16;

/// Part of the names of functions that ptxas adds, such as the slow path of a division.
const OF_PTXAS: &str = "__cuda_sm";

/// Costs of one run of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelCosts {
    /// Cycles in which instructions are issued, weighted by loops.
    pub cycles: u64,
    /// Accesses to local memory, weighted by loops.
    pub local: u64,
    /// Number of instructions of the kernel and of the functions that it reaches, each once.
    pub instructions: u64,
    /// Number of functions of the program that it reaches by calls, without those that ptxas adds.
    pub functions: u64,
}

/// Returns the costs of every kernel of the cubin `data`, by the kernel's name.
pub fn kernel_costs(data: &[u8]) -> object::Result<BTreeMap<String, KernelCosts>> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
    let graph = match sections.section_by_name(endian, cubin_calls::SECTION) {
        Some((_, section)) => section.data(endian, data)?,
        None => &[],
    };
    let encoding = Encoding::of(&cubin_architecture(data).unwrap_or_default());
    // Functions by section and offset: a kernel's section may also hold its private functions,
    // which the size of the kernel includes.
    let mut places: BTreeMap<(usize, u64), u32> = BTreeMap::new();
    let (mut kernels, mut added) = (BTreeMap::new(), BTreeSet::new());
    for (index, symbol) in (0_u32..).zip(symbols.iter()) {
        let section = symbols.symbol_section(endian, symbol, SymbolIndex(index as usize))?;
        let Some(section) = section.filter(|_| symbol.st_type() == elf::STT_FUNC) else { continue };
        let place = places.entry((section.0, symbol.st_value(endian))).or_insert(index);
        if is_kernel(symbol) {
            *place = index;
        }
        let name = String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?).into_owned();
        if is_kernel(symbol) {
            kernels.insert(index, name);
        } else if name.contains(OF_PTXAS) {
            added.insert(index);
        }
    }
    let named = named(&sections, endian, data)?;
    let mut image = Image { calls: Calls::read(graph), bodies: BTreeMap::new() };
    for (&(section, start), &index) in &places {
        let symbol = symbols.symbol(SymbolIndex(index as usize))?;
        let text = sections.section(SectionIndex(section))?.data(endian, data)?;
        let end = places.range((Excluded((section, start)), Included((section, u64::MAX)))).next();
        let end = end.map_or(u64::MAX, |((_, next), _)| *next);
        let length = usize::try_from(end - start).unwrap_or(usize::MAX);
        let code = own(text, symbol, endian);
        let code = code.get(..length).unwrap_or(code);
        let offset = |instruction: i64| start.checked_add_signed(instruction.checked_mul(16)?);
        let callee = |call: Call| match call {
            Call::Near(to) => places.get(&(section, offset(to)?)).copied(),
            Call::Far { at } => {
                let at = offset(at)?;
                let end = at.saturating_add(INSTRUCTION as u64);
                let symbols = named.range((section, at)..(section, end));
                symbols.map(|(_, symbol)| *symbol).next()
            }
        };
        image.bodies.insert(index, Body::read(code, encoding).counted(callee));
    }
    let mut known = BTreeMap::new();
    let costs = kernels.into_iter().map(|(index, name)| {
        let (cycles, local) = image.with_callees(index, &mut known, &mut BTreeSet::new());
        let reached = image.reached(index);
        let functions = reached.iter().filter(|&other| *other != index && !added.contains(other));
        let functions = functions.count() as u64;
        let bodies = reached.iter().filter_map(|index| image.bodies.get(index));
        let instructions = bodies.map(|body| body.instructions).sum();
        (name, KernelCosts { cycles, local, instructions, functions })
    });
    Ok(costs.collect())
}

/// Returns the symbols that relocations name, by section and offset.
fn named(
    sections: &object::read::elf::SectionTable<'_, FileHeader64<Endianness>>,
    endian: Endianness,
    data: &[u8],
) -> object::Result<BTreeMap<(usize, u64), u32>> {
    let mut named = BTreeMap::new();
    for section in sections.iter() {
        let place = section.sh_info(endian) as usize;
        if let Some((relocations, _)) = section.rela(endian, data)? {
            named.extend(relocations.iter().map(|relocation| {
                ((place, relocation.r_offset(endian)), relocation.r_sym(endian, false))
            }));
        }
        if let Some((relocations, _)) = section.rel(endian, data)? {
            named.extend(relocations.iter().map(|relocation| {
                ((place, relocation.r_offset(endian)), relocation.r_sym(endian))
            }));
        }
    }
    Ok(named)
}

/// The functions of a cubin, by their symbols.
struct Image {
    calls: Calls,
    bodies: BTreeMap<u32, Own>,
}

/// Counts over the instructions of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Own {
    cycles: u64,
    local: u64,
    instructions: u64,
    /// Callees that are known, with the weights of the calls.
    known: Vec<(u32, u64)>,
    /// Sum of the weights of the other calls.
    others: u64,
}

impl Image {
    /// Returns the callees of a function of which no call is known.
    fn other_callees(&self, index: u32) -> Vec<u32> {
        let known = self.bodies.get(&index).map_or(&[][..], |own| &own.known);
        let is_known = |callee: &u32| known.iter().any(|(known, _)| known == callee);
        self.calls.of(index).filter(|callee| !is_known(callee)).collect()
    }

    /// Returns a function and all with code that it reaches.
    fn reached(&self, index: u32) -> BTreeSet<u32> {
        let mut reached = BTreeSet::new();
        let mut open = vec![index];
        while let Some(function) = open.pop() {
            let Some(own) = self.bodies.get(&function) else { continue };
            if reached.insert(function) {
                open.extend(own.known.iter().map(|(callee, _)| *callee));
                open.extend(self.other_callees(function));
            }
        }
        reached
    }

    /// Returns the cycles and local accesses of a function with those of its callees at every call.
    /// A function that calls itself counts once.
    fn with_callees(
        &self,
        index: u32,
        known: &mut BTreeMap<u32, (u64, u64)>,
        above: &mut BTreeSet<u32>,
    ) -> (u64, u64) {
        if let Some(counts) = known.get(&index) {
            return *counts;
        }
        let Some(own) = self.bodies.get(&index) else { return (0, 0) };
        if !above.insert(index) {
            return (0, 0);
        }
        let (mut cycles, mut local) = (own.cycles, own.local);
        for (callee, weight) in &own.known {
            let counts = self.with_callees(*callee, known, above);
            cycles = cycles.saturating_add(counts.0.saturating_mul(*weight));
            local = local.saturating_add(counts.1.saturating_mul(*weight));
        }
        let callees = self.other_callees(index);
        let (mut other_cycles, mut other_local) = (0_u64, 0_u64);
        for callee in &callees {
            let counts = self.with_callees(*callee, known, above);
            other_cycles = other_cycles.saturating_add(counts.0);
            other_local = other_local.saturating_add(counts.1);
        }
        above.remove(&index);
        let mean = |sum: u64| {
            let count = (callees.len() as u128).max(1);
            u64::try_from(u128::from(sum) * u128::from(own.others) / count).unwrap_or(u64::MAX)
        };
        let counts =
            (cycles.saturating_add(mean(other_cycles)), local.saturating_add(mean(other_local)));
        known.insert(index, counts);
        counts
    }
}

/// The encoding of the distance of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    /// Bits 34 to 81 hold the distance, in units of four bytes.
    Together,
    /// The same bits hold the upper part, and bits 16 to 23 the lowest byte.
    Apart,
}

impl Encoding {
    fn of(architecture: &str) -> Self {
        let number = architecture.trim_start_matches("sm_").trim_end_matches(['a', 'f']);
        if number.parse::<u32>().is_ok_and(|number| number < 90) {
            Self::Together
        } else {
            Self::Apart
        }
    }

    /// Returns the distance of a branch's target from the instruction behind it, in instructions.
    fn distance(self, low: u64, high: u64) -> i64 {
        let bits = (low >> 34) | (high << 30);
        let upper = (bits << ABOVE_DISTANCE).cast_signed() >> ABOVE_DISTANCE;
        let words = match self {
            Self::Together => upper,
            Self::Apart => (upper << 8) | ((low >> 16) & 0xFF).cast_signed(),
        };
        words / 4
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
struct Instruction {
    stall: u64,
    is_local: bool,
    call: Option<Call>,
}

/// A call.
#[derive(Clone, Copy, Debug)]
enum Call {
    /// Call of the function that begins at this instruction, counted from the caller's first one.
    Near(i64),
    /// Call of a function in another section, by this instruction.
    Far { at: i64 },
}

/// The instructions of one function.
#[derive(Debug, Default)]
struct Body {
    instructions: Vec<Instruction>,
    flows: Vec<Flow>,
}

impl Body {
    fn read(code: &[u8], encoding: Encoding) -> Self {
        let words = code
            .chunks_exact(INSTRUCTION)
            .filter_map(|instruction| Some((read_u64(instruction, 0)?, read_u64(instruction, 8)?)));
        let words: Vec<(u64, u64)> = words.collect();
        let end = words.iter().rposition(|(low, _)| low & OPERATION != NOP);
        let words = &words[..end.map_or(0, |last| last + 1)];
        let mut body = Self::default();
        for (at, (low, high)) in (0_i64..).zip(words) {
            let operation = low & OPERATION;
            let is_always = (low >> 12) & 0xF == ALWAYS;
            let to = at + 1 + encoding.distance(*low, *high);
            body.flows.push(match operation {
                BRANCH => Flow::Branch {
                    to: usize::try_from(to)
                        .ok()
                        .filter(|to| *to < words.len())
                        .into_iter()
                        .collect(),
                    // A branch may have a second condition, among its operands.
                    is_always: is_always && (high >> 23) & 0xF == ALWAYS,
                },
                end if ENDS.contains(&end) && is_always => Flow::End,
                _ => Flow::Next,
            });
            body.instructions.push(Instruction {
                stall: (high >> 41) & 0xF,
                is_local: LOCAL.contains(&operation),
                call: match operation {
                    FAR_CALL => Some(Call::Far { at }),
                    NEAR_CALL => Some(Call::Near(to)),
                    _ => None,
                },
            });
        }
        body
    }

    /// Computes the counts. `callee` returns the function that a call reaches.
    fn counted(&self, callee: impl Fn(Call) -> Option<u32>) -> Own {
        let mut counts = Own { instructions: self.instructions.len() as u64, ..Own::default() };
        for (instruction, weight) in self.instructions.iter().zip(loop_weights(&self.flows)) {
            let cycles = instruction.stall.saturating_mul(weight);
            counts.cycles = counts.cycles.saturating_add(cycles);
            if instruction.is_local {
                counts.local = counts.local.saturating_add(weight);
            }
            let Some(call) = instruction.call else { continue };
            match (callee(call), call) {
                (Some(callee), _) => counts.known.push((callee, weight)),
                (None, Call::Far { .. }) => counts.others = counts.others.saturating_add(weight),
                (None, Call::Near(_)) => {}
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Branches of ptxas: `BRA` to itself, and four instructions back under a condition.
    #[test]
    fn branches_are_read_in_both_encodings() {
        for (encoding, low, distance) in [
            (Encoding::Together, 0xFFFF_FFF0_0000_7947, -1),
            (Encoding::Together, 0xFFFF_FFC0_0000_8947, -4),
            (Encoding::Apart, 0xFFFF_FFFC_00FC_7947, -1),
            (Encoding::Apart, 0xFFFF_FFFC_00F0_8947, -4),
        ] {
            assert_eq!(encoding.distance(low, 0x000F_EA00_0383_FFFF), distance, "{low:x}");
        }
        let forward = 0x0000_0000_0008_7947;
        assert_eq!(Encoding::Apart.distance(forward, 0x000F_EA00_0380_0000), 2);
        assert_eq!(Encoding::of("sm_80"), Encoding::Together);
        assert_eq!(Encoding::of("sm_90a"), Encoding::Apart);
        assert_eq!(Encoding::of("sm_120f"), Encoding::Apart);
    }

    #[test]
    fn flow_calls_and_accesses_are_read_from_instructions() {
        // An operation with a predicate, and a distance of a few instructions with another one.
        let code = |operation: u64, predicate: u64, distance: i64, second: u64| {
            let words = (4 * distance).cast_unsigned();
            let low = operation | predicate << 12 | (words & 0xFF) << 16 | words >> 8 << 34;
            [low, words >> 38 & 0x3_FFFF | second << 23 | 5 << 41].map(u64::to_le_bytes).concat()
        };
        let always = |operation| code(operation, ALWAYS, 0, 0);
        let text = [
            code(BRANCH, ALWAYS, 1, ALWAYS),
            code(BRANCH, 0, -2, ALWAYS),
            code(BRANCH, ALWAYS, -4, 3),
            code(BRANCH, 15, 5, 15),
            code(BRANCH, ALWAYS, 6, ALWAYS),
            always(0x94D),
            code(0x94D, 15, 0, 0),
            always(0x819),
            always(0x983),
            code(NEAR_CALL, 3, -8, 0),
            always(FAR_CALL),
            always(NOP),
        ];
        let body = Body::read(&text.concat(), Encoding::Apart);
        let branch = |to: &[usize], is_always| Flow::Branch { to: to.to_vec(), is_always };
        let mut flows = vec![
            branch(&[2], true),
            branch(&[0], false),
            branch(&[], false),
            branch(&[9], false),
            // The target is right behind the last instruction.
            branch(&[], true),
            Flow::End,
        ];
        flows.resize(11, Flow::Next);
        assert_eq!(body.flows, flows);
        let accesses: Vec<_> = body.instructions.iter().map(|one| one.is_local).collect();
        assert_eq!((accesses.iter().filter(|is_local| **is_local).count(), accesses[8]), (1, true));
        assert!(body.instructions.iter().all(|one| one.stall == 5));
        let calls: Vec<_> = body.instructions.iter().filter_map(|one| one.call).collect();
        assert!(matches!(calls[..], [Call::Near(2), Call::Far { at: 10 }]), "{calls:?}");
    }

    #[test]
    fn stalls_accesses_and_calls_are_weighted_by_loops() {
        let one = |call| Instruction { stall: 2, is_local: true, call };
        let flows =
            [Flow::Next, Flow::Branch { to: vec![0], is_always: false }, Flow::Next, Flow::End];
        let calls =
            [Some(Call::Near(9)), Some(Call::Far { at: 1 }), Some(Call::Far { at: 2 }), None];
        let body = Body { instructions: calls.map(one).into(), flows: flows.into() };
        let counts = body.counted(|call| match call {
            Call::Near(to) => u32::try_from(to).ok(),
            Call::Far { at } => (at == 2).then_some(7),
        });
        let known = vec![(9, 8), (7, 1)];
        assert_eq!(counts, Own { cycles: 36, local: 18, instructions: 4, known, others: 8 });
    }

    #[test]
    fn callees_count_at_each_call() {
        let own = |cycles, others, known: &[(u32, u64)]| Own {
            cycles,
            local: cycles,
            instructions: 1,
            known: known.to_vec(),
            others,
        };
        let pairs = [[1_u32, 2], [1, 3], [1, 4], [3, 1]];
        let graph: Vec<u8> = pairs.iter().flatten().flat_map(|index| index.to_le_bytes()).collect();
        let bodies = [
            (1, own(100, 4, &[(4, 8), (4, 1)])),
            (2, own(10, 0, &[])),
            (3, own(30, 0, &[])),
            (4, own(7, 0, &[])),
        ];
        let image = Image { calls: Calls::read(&graph), bodies: bodies.into() };
        let counts = image.with_callees(1, &mut BTreeMap::new(), &mut BTreeSet::new());
        assert_eq!(counts, (100 + 9 * 7 + 4 * 20, 100 + 9 * 7 + 4 * 20));
        assert_eq!(image.reached(1), BTreeSet::from([1, 2, 3, 4]));
        assert_eq!(image.reached(2), BTreeSet::from([2]));
    }
}
