//! Moves the constant variables of a module apart for ptxas.
//!
//! In an extensible whole program ptxas writes the offsets of constant variables into the code as
//! numbers. [`constants_apart`] returns the same module twice, with all constants at different
//! offsets, and with a unique distance for each variable of another module. So any difference in
//! the code of both is an offset, and the size of the difference tells the variable. The second
//! text lacks the kernels that name no constant, because ptxas need not run again for them.

use std::collections::BTreeSet;

use super::declarations::{alignment, function_name, number, variable_names};
use super::error::PtxError;
use super::reach::kernels_that_reach;
use super::statements::{self, Statement};
use super::token::{Token, Tokens};

/// Bytes of constant memory of an image.
const ROOM: u64 = 1 << 16;
/// Bytes before all constants, in both layouts. No offset that code may use lies below 32,768:
/// there ptxas adds smaller ones to an index within one load, which takes them for signed numbers,
/// and so fails at larger offsets. The lower bits of both are complements down to the alignment of
/// any load, so code that depends on one bit of an offset differs.
const FRONT: [u64; 2] = [0x8000 + 0xAA0, 0x8000 + 0x1550];
/// Bytes that the place of a variable of another module grows by in the second layout.
const GROWTH: u64 = 0x1B0;
/// Alignment of the front, which ptxas thus places first, and of places for variables of other
/// modules.
const ALIGNMENTS: [u64; 2] = [512, 256];
/// Alignment that loads of several values at once need, in bytes.
pub(super) const LEAST_ALIGNMENT: u64 = 16;
/// Largest alignment of own variables.
const MOST_ALIGNMENT: u64 = 128;
/// Name of the variable before all constants.
const FRONT_NAME: &str = "weft_front_of_constants";

/// A module whose constants are placed apart, in two layouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantsApart {
    /// PTX of both layouts, the second one without kernels that name no constant.
    pub texts: [Vec<u8>; 2],
    /// Name of the variable before all constants.
    pub front: &'static str,
    /// Names and sizes of the variables that another module defines, in bytes.
    pub externals: Vec<(String, u64)>,
    /// Alignment of all own variables together, in bytes.
    pub alignment: u64,
}

/// A declaration of constant variables.
pub(super) struct Constants<'text> {
    names: Vec<&'text [u8]>,
    is_external: bool,
    alignment: Option<u64>,
    /// Size of all variables together, if the declaration says it.
    size: Option<u64>,
}

impl<'text> Constants<'text> {
    /// Reads the declaration in the words of a statement.
    pub(super) fn read(words: &[&'text [u8]]) -> Option<Self> {
        let (linkage, rest) = match words {
            [linkage @ (b".extern" | b".visible"), rest @ ..] => (Some(*linkage), rest),
            _ => (None, words),
        };
        let rest = rest.strip_prefix(&[&b".const"[..]])?;
        let names = variable_names(rest);
        Some(Self {
            is_external: linkage == Some(b".extern"),
            alignment: alignment(rest).map(u64::from),
            size: size(rest).filter(|_| names.len() == 1),
            names,
        })
    }

    /// Whether ptxas may have the variables in a place that Weft chooses. A variable of another
    /// module must have the alignment that loads of several values need: in a module as a whole,
    /// ptxas goes by offsets, and not by what is declared.
    pub(super) fn can_be_placed(&self) -> bool {
        let alignment = self.alignment.unwrap_or(1);
        let suits = if self.is_external {
            (LEAST_ALIGNMENT..=ALIGNMENTS[1]).contains(&alignment)
        } else {
            alignment <= MOST_ALIGNMENT
        };
        self.size.is_some() && suits
    }
}

/// Returns the PTX `text` in two layouts, or `None` where there are no constants, or some cannot be
/// placed apart.
pub fn constants_apart(text: &[u8]) -> Result<Option<ConstantsApart>, PtxError> {
    let mut start = None;
    let (mut own, mut alignment, mut can_be_placed) = (0_u64, LEAST_ALIGNMENT, true);
    let (mut externals, mut variables) = (Vec::new(), BTreeSet::new());
    let (mut kernels, mut values, mut has_sections) = (Vec::new(), Vec::new(), false);
    statements::each(text, |Statement { words, range, body, value }| {
        has_sections |= words.first() == Some(&&b".section"[..]);
        values.extend(value.map(|value| value..range.end));
        if let Some(at) = words.iter().position(|word| *word == b".entry")
            && let Some(name) = function_name(&words[at + 1..]).filter(|_| body.is_some())
        {
            kernels.push((name, range.clone()));
        }
        if words.first() == Some(&&b".address_size"[..]) {
            start = Some(range.end);
        }
        let Some(constants) = Constants::read(words) else { return };
        can_be_placed &= constants.can_be_placed();
        variables.extend(constants.names.iter().copied());
        let size = constants.size.unwrap_or(0);
        if constants.is_external {
            let name = constants.names.first().copied().unwrap_or_default();
            externals.push((String::from_utf8_lossy(name).into_owned(), size, range.clone()));
        } else {
            alignment = alignment.max(constants.alignment.unwrap_or(1));
            own = own.saturating_add(size).saturating_add(LEAST_ALIGNMENT);
        }
    })?;
    if variables.is_empty() {
        return Ok(None);
    }
    let place = |size: u64, layout: u64| size.saturating_add(layout * GROWTH);
    let aligned = |size: u64| size.saturating_add(ALIGNMENTS[1]);
    let all = externals.iter().map(|(_, size, _)| aligned(place(*size, 1)));
    let all = all.chain([aligned(FRONT[1]), own, alignment]).fold(0_u64, u64::saturating_add);
    let Some(start) = start.filter(|_| can_be_placed && all <= ROOM) else { return Ok(None) };
    if text.windows(FRONT_NAME.len()).any(|part| part == FRONT_NAME.as_bytes()) {
        return Ok(None);
    }

    // Sections of debug information name all kernels, and a value may lead to a constant.
    let mut words = values.into_iter().flat_map(|value| Tokens::new(&text[value]));
    let keeps_all = has_sections
        || words.any(|word| matches!(word, Ok(Token::Word(word)) if variables.contains(word)));
    let reaching = kernels_that_reach(text, &variables)?;
    kernels.retain(|(name, _)| !keeps_all && !reaching.contains(name));
    let layout = |number: u64, front: u64| {
        let [first, second] = ALIGNMENTS;
        let mut layout = text[..start].to_vec();
        // On the line of the directive, so that ptxas names the lines of the text.
        let front = front & !(alignment - 1);
        let front = format!(" .visible .const .align {first} .b8 {FRONT_NAME}[{front}];");
        layout.extend_from_slice(front.as_bytes());
        let places = externals.iter().map(|(name, size, range)| {
            let size = place(size.next_multiple_of(LEAST_ALIGNMENT), number);
            (range, format!(".visible .const .align {second} .b8 {name}[{size}];"))
        });
        let without = kernels.iter().filter(|_| number > 0);
        let mut changes: Vec<_> =
            places.chain(without.map(|(_, range)| (range, String::new()))).collect();
        changes.sort_by_key(|(range, _)| range.start);
        let mut done = start;
        for (range, change) in changes {
            layout.extend_from_slice(&text[done..range.start]);
            layout.extend_from_slice(change.as_bytes());
            done = range.end;
        }
        layout.extend_from_slice(&text[done..]);
        layout
    };
    let texts = [layout(0, FRONT[0]), layout(1, FRONT[1])];
    let externals = externals.into_iter().map(|(name, size, _)| (name, size)).collect();
    Ok(Some(ConstantsApart { texts, front: FRONT_NAME, externals, alignment }))
}

/// Returns the size of a variable in bytes: that of its type, times its dimensions.
fn size(words: &[&[u8]]) -> Option<u64> {
    let width = |word: &&&[u8]| -> Option<u64> {
        let [b'.', b'b' | b'u' | b's' | b'f', digits @ ..] = **word else { return None };
        number::<u64>(digits).filter(|bits| bits % 8 == 0).map(|bits| bits / 8)
    };
    let elements = words.iter().find_map(|word| match *word {
        b".v2" => Some(2),
        b".v4" => Some(4),
        _ => None,
    });
    let width = words.iter().find_map(|word| width(&word))?;
    let dimensions = words.iter().enumerate().filter(|(_, word)| **word == b"[");
    let mut size: u64 = width.checked_mul(elements.unwrap_or(1))?;
    for (at, _) in dimensions {
        size = size.checked_mul(number(words.get(at + 1)?)?)?;
    }
    Some(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = ".version 8.8\n.target sm_90\n.address_size 64\n";

    fn apart(declarations: &str) -> Option<ConstantsApart> {
        let text = format!(
            "{HEADER}{declarations}\n.visible .entry k() {{ ret; }}\n.entry own_k() {{ own; }}\n"
        );
        constants_apart(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_front_comes_first_and_variables_of_others_get_places() {
        let declarations = ".const .align 4 .b8 own[20] = {1, 2};\n\
                            .extern .const .align 16 .b8 other[24];\n.visible .const .u32 x = 7;";
        let apart = apart(declarations).unwrap();
        let texts = apart.texts.map(|text| String::from_utf8(text).unwrap());
        let expected = |front: u64, other: u64, kernel: &str| {
            format!(
                ".version 8.8\n.target sm_90\n.address_size 64 .visible .const .align 512 .b8 \
                 weft_front_of_constants[{front}];\n.const .align 4 .b8 own[20] = {{1, 2}};\n\
                 .visible .const .align 256 .b8 other[{other}];\n.visible .const .u32 x = 7;\n\
                 {kernel}\n.entry own_k() {{ own; }}\n"
            )
        };
        let kernel = ".visible .entry k() { ret; }";
        assert_eq!(texts, [expected(0x8AA0, 32, kernel), expected(0x9550, 32 + 0x1B0, "")]);
        assert_eq!(apart.externals, [("other".to_owned(), 24)]);
        assert_eq!(apart.alignment, 16);
    }

    #[test]
    fn all_kernels_stay_where_more_than_code_may_name_them_or_a_constant() {
        for more in ["", ".global .u64 p = own;", ".section .debug_info { .b8 0 }"] {
            let apart = apart(&format!(".const .align 4 .b8 own[4];\n{more}")).unwrap();
            let text = String::from_utf8(apart.texts[1].clone()).unwrap();
            assert_eq!(text.contains("entry k()"), !more.is_empty(), "{text}");
        }
    }

    #[test]
    fn the_front_keeps_the_alignment_of_own_variables() {
        let apart = apart(".const .align 64 .b8 own[64];").unwrap();
        let text = String::from_utf8(apart.texts[0].clone()).unwrap();
        assert!(text.contains(&format!("[{}]", 0x8A80)), "{text}");
        assert_eq!(apart.alignment, 64);
    }

    #[test]
    fn constants_that_cannot_be_placed_are_left() {
        let declarations = [
            // The code may be right for one alignment, and the definition have another.
            ".extern .const .align 4 .b8 other[16];",
            ".extern .const .align 16 .b8 other[];",
            ".extern .const .align 512 .b8 other[16];",
            ".const .align 256 .b8 own[16];",
            ".const .align 4 .b8 own[] = {1, 2};",
            ".const .align 4 .b8 one[4], two[4];",
            ".const .align 16 .b8 own[27100];",
            ".const .align 4 .b8 weft_front_of_constants[4];",
        ];
        for declaration in declarations {
            assert_eq!(apart(declaration), None, "{declaration}");
        }
        let text = b".version 8.8\n.target sm_90\n.const .u32 x;";
        assert_eq!(constants_apart(text).unwrap(), None, "it does not say the size of addresses");
    }

    #[test]
    fn sizes_are_of_types_and_dimensions() {
        let sizes = [
            (".const .align 4 .b8 x [ 3", Some(3)),
            (".const .align 4 .u32 x", Some(4)),
            (".const .f64 x [ 2 [ 3", Some(48)),
            (".const .v4 .f32 x [ 2", Some(32)),
            (".const .align 4 .b8 x [", None),
            (".const .texref x", None),
            (".const .u64 x [ 4611686018427387904", None),
        ];
        for (words, expected) in sizes {
            let words: Vec<&[u8]> = words.split(' ').map(str::as_bytes).collect();
            assert_eq!(size(&words), expected, "{words:?}");
        }
    }
}
