//! Offsets of constant variables in code: what differs between two layouts of the same constants.

use crate::bytes::{read_u32, read_u64};
use crate::cubin_code::{INSTRUCTION, OPERATION};

/// Bank of the constants that a module declares.
const BANK: u64 = 3;
/// Instructions that load a constant: into registers, with an index or without, and into uniform
/// registers without one.
const LOAD: u64 = 0xB82;
const UNIFORM_LOAD: u64 = 0xAB9;
const INDEXED_UNIFORM_LOAD: u64 = 0xABB;
/// The register of a load that has no index.
const NO_INDEX: u64 = 0xFF;
/// Largest offset that is the same as a signed number of 16 bits.
const LARGEST_SIGNED: u64 = 0x7FFF;
/// Maximum distance in bytes of an offset in code from its variable, such as that of an element
/// before the first.
const SLACK: u64 = 0x4000;

/// Relocation of a 32-bit word of data.
const WORD: u32 = 0x01;
/// Relocation of a 32-bit number at bit 32 of an instruction (`R_CUDA_ABS32_LO_32` and the like).
const IMMEDIATE: u32 = 0x3B;
/// Relocation of a constant's place in the operand of an arithmetic instruction: 14 bits that count
/// words, at bit 40.
const OPERAND: u32 = 0x40;
/// Relocation of a constant's place in a load: 16 bits that count bytes, at bit 38.
const LOADED: u32 = 0x42;

/// Constants that keep their distances: own ones side by side, or a variable of another module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// Number of the symbol that a relocation names.
    pub(crate) symbol: u32,
    /// Bytes from the symbol to the constants.
    pub(crate) addend: u64,
    /// Offset in the first layout.
    pub(crate) start: u64,
    /// Bytes by which the offset is larger in the second layout.
    pub(crate) distance: u64,
    /// Bytes.
    pub(crate) size: u64,
}

/// A place that holds an offset of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// Offset of the instruction, or of the word, in the section.
    pub(crate) place: u64,
    /// Type of the relocation.
    pub(crate) kind: u32,
    /// Number of the symbol.
    pub(crate) symbol: u32,
    /// Bytes from the symbol.
    pub(crate) addend: i64,
}

/// Finds all references in the code `first` and clears them there; `second` is the code of the
/// second layout. Returns `None` if the codes differ by anything else.
pub(crate) fn take(first: &mut [u8], second: &[u8], groups: &[Group]) -> Option<Vec<Reference>> {
    if first.len() != second.len() || !first.len().is_multiple_of(INSTRUCTION) {
        return None;
    }
    let mut references = Vec::new();
    let pairs = first.chunks_exact_mut(INSTRUCTION).zip(second.chunks_exact(INSTRUCTION));
    for (place, (one, other)) in (0_u64..).step_by(INSTRUCTION).zip(pairs) {
        if one == other {
            continue;
        }
        let (word, rest) = one.split_first_chunk_mut::<8>()?;
        let (other, other_rest) = other.split_first_chunk::<8>()?;
        let (number, other) = (u64::from_le_bytes(*word), u64::from_le_bytes(*other));
        if rest != other_rest {
            return None;
        }
        let field = Field::of(number)?;
        if field.cleared(number) != field.cleared(other) {
            return None;
        }
        *word = field.cleared(number).to_le_bytes();
        let offsets = [field.read(number), field.read(other)];
        references.push(reference(place, field.kind, offsets, groups)?);
    }
    Some(references)
}

/// Finds all references in the words `first`, a kernel's own constants, and clears them there. On
/// older architectures, they hold numbers that do not fit into an instruction.
pub(crate) fn take_words(
    first: &mut [u8],
    second: &[u8],
    groups: &[Group],
) -> Option<Vec<Reference>> {
    if first.len() != second.len() {
        return None;
    }
    let mut references = Vec::new();
    let pairs = first.chunks_mut(size_of::<u32>()).zip(second.chunks(size_of::<u32>()));
    for (place, (one, other)) in (0_u64..).step_by(size_of::<u32>()).zip(pairs) {
        if one != other {
            let offsets = [read_u32(one, 0)?, read_u32(other, 0)?].map(u64::from);
            references.push(reference(place, WORD, offsets, groups)?);
            one.fill(0);
        }
    }
    Some(references)
}

/// Returns the reference at `place`, whose offset in both layouts says of which constant it is.
fn reference(
    place: u64,
    kind: u32,
    [offset, other]: [u64; 2],
    groups: &[Group],
) -> Option<Reference> {
    let distance = other.checked_sub(offset)?;
    let group = groups.iter().find(|group| group.distance == distance)?;
    let end = group.start.saturating_add(group.size);
    let near = group.start.saturating_sub(SLACK)..=end.saturating_add(SLACK);
    let addend = (group.addend + offset).cast_signed() - group.start.cast_signed();
    near.contains(&offset).then_some(Reference { place, kind, symbol: group.symbol, addend })
}

/// Whether the code of a layout has an offset beside an index, which no second layout shows.
pub(crate) fn has_hidden(code: &[u8]) -> bool {
    code.chunks_exact(INSTRUCTION).filter_map(|instruction| read_u64(instruction, 0)).any(|word| {
        let is_indexed = match word & OPERATION {
            LOAD => register(word) != NO_INDEX,
            operation => operation == INDEXED_UNIFORM_LOAD,
        };
        is_indexed && bank(word) == BANK && LOADED_FIELD.read(word) > LARGEST_SIGNED
    })
}

fn bank(word: u64) -> u64 {
    word >> 54 & 0x1F
}

/// The register that is an index.
fn register(word: u64) -> u64 {
    word >> 24 & 0xFF
}

const LOADED_FIELD: Field = Field { kind: LOADED, first_bit: 38, bits: 16, unit: 1 };

/// The bits of an instruction's first word that hold an offset.
#[derive(Clone, Copy)]
struct Field {
    kind: u32,
    first_bit: u32,
    bits: u32,
    /// Bytes that the number counts.
    unit: u64,
}

impl Field {
    /// Returns the field of the instruction that begins with `word`, if it may hold an offset.
    fn of(word: u64) -> Option<Self> {
        let operation = word & OPERATION;
        let (bank, form) = (bank(word), operation >> 9 & 7);
        match form {
            // Beside an index the offset is a signed number. ptxas adds 65,536 to the index where
            // the offset is 32,768 or more, and nobody can see for which load.
            _ if operation == LOAD => {
                (bank == BANK && register(word) == NO_INDEX).then_some(LOADED_FIELD)
            }
            _ if operation == INDEXED_UNIFORM_LOAD => None,
            _ if operation == UNIFORM_LOAD => (bank == BANK).then_some(LOADED_FIELD),
            // A number as the second or the third operand.
            2 | 4 => Some(Self { kind: IMMEDIATE, first_bit: 32, bits: 32, unit: 1 }),
            // A constant as the second or the third operand.
            3 | 5 if bank == BANK => Some(Self { kind: OPERAND, first_bit: 40, bits: 14, unit: 4 }),
            _ => None,
        }
    }

    fn mask(self) -> u64 {
        ((1 << self.bits) - 1) << self.first_bit
    }

    fn read(self, word: u64) -> u64 {
        ((word & self.mask()) >> self.first_bit) * self.unit
    }

    fn cleared(self, word: u64) -> u64 {
        word & !self.mask()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: [Group; 2] = [
        Group { symbol: 7, addend: 0, start: 0x8B00, distance: 0xB00, size: 0x20 },
        Group { symbol: 9, addend: 32, start: 0x8C00, distance: 0xC00, size: 0x100 },
    ];
    /// `ULDC.64 UR4, c[0x3][…]`, `LDC R17, c[0x3][…]`, `LDC R2, c[0x3][R2+…]`, `MOV R4, …`,
    /// `FADD R2, R3, c[0x3][…]`.
    const UNIFORM: u64 = 0x00C0_0000_0004_7AB9;
    const WITHOUT_INDEX: u64 = 0x00C0_0000_FF11_7B82;
    const WITH_INDEX: u64 = 0x00C0_0000_0202_7B82;
    const MOVE: u64 = 0x0000_0000_0004_7882;
    const ADD: u64 = 0x00C0_0000_0302_7621;

    fn code(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| [word.to_le_bytes(), [1; 8]].concat()).collect()
    }

    /// Returns the references of an instruction with these numbers in both layouts.
    fn of(instruction: u64, bit: u32, numbers: [u64; 2]) -> Option<Vec<Reference>> {
        let [mut first, second] = numbers.map(|number| code(&[0, instruction | number << bit]));
        let references = take(&mut first, &second, &GROUPS)?;
        assert_eq!(first, code(&[0, instruction]), "the number is cleared");
        Some(references)
    }

    #[test]
    fn a_difference_says_of_which_variable_an_offset_is() {
        let expected =
            |kind, symbol, addend| Some(vec![Reference { place: 16, kind, symbol, addend }]);
        assert_eq!(of(UNIFORM, 38, [0x8B08, 0x9608]), expected(LOADED, 7, 8));
        assert_eq!(of(WITHOUT_INDEX, 38, [0x8C00, 0x9800]), expected(LOADED, 9, 32));
        assert_eq!(of(MOVE, 32, [0x8BF0, 0x97F0]), expected(IMMEDIATE, 9, 16));
        assert_eq!(of(ADD, 40, [0x8C10 / 4, 0x9810 / 4]), expected(OPERAND, 9, 48));
    }

    #[test]
    fn other_differences_are_no_references() {
        assert_eq!(of(UNIFORM, 38, [0x8B08, 0x9609]), None, "of no variable");
        assert_eq!(of(UNIFORM, 38, [0x0B08, 0x1608]), None, "far from the variable");
        assert_eq!(of(WITH_INDEX, 38, [0x8B08, 0x9608]), None, "a signed number");
        assert_eq!(of(UNIFORM | 2, 38, [0x8B08, 0x9608]), None, "a uniform load with an index");
        assert_eq!(of(UNIFORM & !(1 << 54), 38, [0x8B08, 0x9608]), None, "of another bank");
        assert_eq!(of(0x7210, 32, [0x8B08, 0x9608]), None, "an instruction with registers alone");
        let [first, second] = [[MOVE | 0x8B08 << 32, 0], [MOVE | 0x9608 << 32 | 1 << 16, 0]];
        assert_eq!(take(&mut code(&first), &code(&second), &GROUPS), None, "another register");
        assert_eq!(take(&mut code(&[0]), &code(&[0, 0]), &GROUPS), None, "more code");
        let mut other = code(&[MOVE | 0x9608 << 32]);
        other[8] = 2;
        assert_eq!(take(&mut code(&[MOVE | 0x8B08 << 32]), &other, &GROUPS), None, "the rest");
    }

    #[test]
    fn words_of_a_kernel_s_constants_are_references_too() {
        let words = |number: u32| [[3, 0, 0, 0], number.to_le_bytes()].concat();
        let mut first = words(0x8C04);
        let found = take_words(&mut first, &words(0x9804), &GROUPS);
        assert_eq!(found, Some(vec![Reference { place: 4, kind: WORD, symbol: 9, addend: 36 }]));
        assert_eq!(first, words(0));
        assert_eq!(take_words(&mut words(0x8C04), &words(0x9805), &GROUPS), None);
        assert_eq!(take_words(&mut words(1), &words(1)[..4], &GROUPS), None);
    }

    #[test]
    fn an_offset_beside_an_index_is_hidden() {
        let has = |word: u64, offset: u64| has_hidden(&code(&[MOVE, word | offset << 38]));
        assert!(has(WITH_INDEX, 0x8B08) && has(UNIFORM | 2, 0x8B08));
        // The offset of a member, beside an index that has the variable's.
        assert!(!has(WITH_INDEX, 8) && !has(UNIFORM | 2, 8));
        assert!(!has(WITHOUT_INDEX, 0x8B08) && !has(UNIFORM, 0x8B08));
        assert!(!has(WITH_INDEX & !(1 << 54), 0x8B08), "of another bank");
    }

    #[test]
    fn equal_code_has_no_references() {
        let code = code(&[UNIFORM | 0x8B08 << 38, MOVE]);
        assert_eq!(take(&mut code.clone(), &code, &GROUPS), Some(Vec::new()));
    }
}
