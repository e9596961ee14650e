//! Heads of definitions: the text before a function's body, and before a variable's value.

use weft_artifact::{Handle, LaunchBounds};
use weft_container::PtxToken;

use super::statements::{is_name, operands};

/// The head of a function or kernel.
#[derive(Debug, Default)]
pub(super) struct FunctionHead<'text> {
    pub(super) parameters: Vec<&'text str>,
    pub(super) results: Vec<&'text str>,
    pub(super) bounds: LaunchBounds,
    pub(super) never_returns: bool,
    pub(super) is_not_inlined: bool,
}

impl<'text> FunctionHead<'text> {
    /// Reads the head of the function `name`.
    pub(super) fn read(tokens: &[PtxToken<'text>], name: &str) -> Self {
        let mut head = Self::default();
        let place = tokens.iter().position(|token| *token == PtxToken::Word(name));
        let (before, behind) = tokens.split_at(place.unwrap_or_default());
        head.results = list(before);
        let behind = behind.get(1..).unwrap_or_default();
        head.parameters = list(behind);
        let mut rest = behind;
        while let [first, others @ ..] = rest {
            rest = others;
            let PtxToken::Word(directive) = *first else { continue };
            let bounds = &mut head.bounds;
            match directive {
                ".maxntid" => bounds.max_threads = product(others),
                ".reqntid" => bounds.required_threads = product(others),
                ".minnctapersm" => bounds.min_blocks = product(others),
                ".maxnreg" => bounds.max_registers = product(others),
                ".reqnctapercluster" => bounds.cluster_blocks = product(others),
                ".maxclusterrank" => bounds.max_cluster_blocks = product(others),
                ".noreturn" => head.never_returns = true,
                ".noinline" => head.is_not_inlined = true,
                _ => {}
            }
        }
        head
    }
}

/// Returns the names in the first list in parentheses that holds parameters.
fn list<'text>(tokens: &[PtxToken<'text>]) -> Vec<&'text str> {
    let start = tokens
        .array_windows()
        .position(|pair| *pair == [PtxToken::Symbol('('), PtxToken::Word(".param")]);
    let Some(start) = start else { return Vec::new() };
    let inside = tokens.get(start + 1..).unwrap_or_default();
    let inside = inside.split(|token| *token == PtxToken::Symbol(')')).next().unwrap_or_default();
    operands(inside).filter_map(name).collect()
}

/// Returns the name that a declaration without attributes gives.
pub(super) fn name<'text>(tokens: &[PtxToken<'text>]) -> Option<&'text str> {
    tokens.iter().find_map(|token| match *token {
        PtxToken::Word(word) if is_name(word) => Some(word),
        _ => None,
    })
}

/// Returns the product of the numbers at the start of `tokens`, which commas separate.
fn product(tokens: &[PtxToken<'_>]) -> u32 {
    let mut product = 1_u32;
    let mut rest = tokens;
    while let [PtxToken::Word(word), others @ ..] = rest
        && let Ok(number) = word.parse::<u32>()
    {
        product = product.saturating_mul(number);
        rest = match others {
            [PtxToken::Symbol(','), rest @ ..] => rest,
            _ => &[],
        };
    }
    product
}

/// The head of a variable.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct VariableHead {
    /// Size in bytes; `None` for an array without a size.
    pub(super) size: Option<u64>,
    /// Alignment in bytes; 0 means the type's alignment.
    pub(super) alignment: u32,
    pub(super) handle: Option<Handle>,
    pub(super) is_managed: bool,
}

impl VariableHead {
    /// Reads the head of the variable `name`.
    pub(super) fn read(tokens: &[PtxToken<'_>], name: &str) -> Self {
        let mut head = Self::default();
        let (mut element, mut vector) = (0, 1);
        let mut tokens = tokens.iter();
        while let Some(token) = tokens.next() {
            let PtxToken::Word(word) = *token else { continue };
            match word {
                _ if word == name => break,
                ".align" => {
                    let number = tokens.next().and_then(number);
                    head.alignment = number.and_then(|bytes| bytes.try_into().ok()).unwrap_or(0);
                }
                ".managed" => head.is_managed = true,
                ".texref" => head.handle = Some(Handle::Texture),
                ".surfref" => head.handle = Some(Handle::Surface),
                ".samplerref" => head.handle = Some(Handle::Sampler),
                ".v2" => vector = 2,
                ".v4" => vector = 4,
                _ => element = size_of_type(word).unwrap_or(element),
            }
        }
        if head.handle.is_some() {
            element = 8;
        }
        let mut size = Some(u64::saturating_mul(element, vector));
        // Each dimension is a number in brackets, and the first may be missing.
        let dimensions: Vec<_> = tokens.collect();
        for place in 0..dimensions.len() {
            if *dimensions[place] == PtxToken::Symbol('[') {
                let count = dimensions.get(place + 1).copied().and_then(number);
                size = size.zip(count).map(|(size, count)| size.saturating_mul(count));
            }
        }
        head.size = size;
        head
    }
}

fn number(token: &PtxToken<'_>) -> Option<u64> {
    match token {
        PtxToken::Word(word) => word.parse().ok(),
        _ => None,
    }
}

/// Returns the size of a value of a type such as `.b8`, in bytes.
fn size_of_type(word: &str) -> Option<u64> {
    let bits = match word {
        ".f16x2" | ".bf16x2" => 32,
        ".pred" => 8,
        _ => {
            let name = word.strip_prefix('.')?;
            let bits = name.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
            let kind = &name[..name.len() - bits.len()];
            if !["b", "u", "s", "f", "bf"].contains(&kind) {
                return None;
            }
            bits.parse::<u64>().ok()?
        }
    };
    Some(bits / 8)
}

#[cfg(test)]
mod tests {
    use weft_container::ptx_tokens;

    use super::*;

    fn tokens(text: &str) -> Vec<PtxToken<'_>> {
        ptx_tokens(text, 0..text.len()).map(|(token, _)| token).collect()
    }

    #[test]
    fn a_variable_states_size_alignment_and_kind() {
        let of = |text: &str| {
            let VariableHead { size, alignment, handle, is_managed } =
                VariableHead::read(&tokens(text), "v");
            (size, alignment, handle, is_managed)
        };
        assert_eq!(of(".visible .global .align 4 .u32 v"), (Some(4), 4, None, false));
        assert_eq!(of(".global .align 1 .b8 v[54]"), (Some(54), 1, None, false));
        assert_eq!(of(".const .align 16 .v4 .f32 v[2][3]"), (Some(96), 16, None, false));
        assert_eq!(of(".extern .shared .align 8 .b8 v[]"), (None, 8, None, false));
        let managed = ".visible .global .attribute(.managed) .align 8 .f64 v";
        assert_eq!(of(managed), (Some(8), 8, None, true));
        assert_eq!(of(".global .texref v"), (Some(8), 0, Some(Handle::Texture), false));
        assert_eq!(of(".shared .bf16 v"), (Some(2), 0, None, false));
        let huge = ".global .b8 v[18446744073709551615][9]";
        assert_eq!(of(huge), (Some(u64::MAX), 0, None, false));
    }

    #[test]
    fn a_function_states_parameters_results_and_bounds() {
        let text = ".visible .func (.param .b32 r) f ( .param .b64 f_param_0, .param .align 4 .b8 \
                    f_param_1[12] ) .noreturn";
        let head = tokens(text);
        let head = FunctionHead::read(&head, "f");
        assert_eq!((head.parameters, head.results), (vec!["f_param_0", "f_param_1"], vec!["r"]));
        assert!(head.never_returns && !head.is_not_inlined);
        let text = ".entry k() .maxntid 128, 2, 1 .minnctapersm 3 .maxnreg 40 .explicitcluster \
                    .reqnctapercluster 2, 2, 1 .maxclusterrank 8";
        let head = tokens(text);
        let head = FunctionHead::read(&head, "k");
        assert!(head.parameters.is_empty() && head.results.is_empty());
        let expected = LaunchBounds {
            max_threads: 256,
            required_threads: 0,
            min_blocks: 3,
            cluster_blocks: 4,
            max_cluster_blocks: 8,
            max_registers: 40,
        };
        assert_eq!(head.bounds, expected);
    }
}
