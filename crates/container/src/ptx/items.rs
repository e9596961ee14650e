//! The items of PTX: all declarations outside braces, with the byte range of each part.
//!
//! Callers that rewrite PTX by items cut and join these bytes, and find names inside them as words.
//! nvlink and LLVM declare one variable per statement, so a list of variables is an error.

use std::ops::Range;

use super::declarations::{function_name, variable_names};
use super::error::PtxError;
use super::facts::is_ptx;
use super::statements::{self, Statement, VARIABLES, is_function};

/// Kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PtxItemKind {
    /// The directive `.version`.
    Version,
    /// The directive `.target`.
    Target,
    /// The directive `.address_size`.
    AddressSize,
    /// A function, defined or declared.
    Function,
    /// A kernel, defined or declared.
    Kernel,
    /// A variable, defined or declared.
    Variable(PtxSpace),
    /// A second name of a function.
    Alias,
    /// A file that line information names.
    File,
    /// A section of debug information.
    Section,
    /// Something else.
    Other,
}

/// State space of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PtxSpace {
    /// Global memory.
    Global,
    /// Constant memory.
    Const,
    /// Shared memory.
    Shared,
}

/// Linkage of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PtxLinkage {
    /// The symbol is local.
    None,
    /// Another module defines the symbol.
    Extern,
    /// Other modules see the symbol.
    Visible,
    /// One of several equal definitions.
    Weak,
    /// One of several definitions without a value.
    Common,
}

/// An item of PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PtxItem {
    /// Kind.
    pub kind: PtxItemKind,
    /// Linkage.
    pub linkage: PtxLinkage,
    /// Name of the symbol. The first operand of another directive, such as `sm_90` of `.target`;
    /// empty if there is none.
    pub name: String,
    /// Bytes of the whole item, with the semicolon.
    pub range: Range<usize>,
    /// Bytes of all that is before a function's body, a variable's `=`, or the semicolon.
    pub head: Range<usize>,
    /// Bytes of a function's body, with its braces.
    pub body: Option<Range<usize>>,
    /// Bytes of a variable's value, without the semicolon.
    pub initializer: Option<Range<usize>>,
}

impl PtxItem {
    /// Whether this is a function or kernel with a body, or a variable that is not `.extern`.
    pub fn is_definition(&self) -> bool {
        match self.kind {
            PtxItemKind::Function | PtxItemKind::Kernel => self.body.is_some(),
            PtxItemKind::Variable(_) => self.linkage != PtxLinkage::Extern,
            _ => false,
        }
    }
}

/// Whether PTX has no code and no variables and thus adds nothing to a program. Debug information
/// alone says nothing. Text that cannot be read is not empty.
pub fn is_empty_ptx(ptx: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(ptx) else { return false };
    let Ok(items) = ptx_items(text) else { return false };
    let is_blank = |range: Range<usize>| {
        let lines = text.get(range).unwrap_or_default().lines();
        lines.map(str::trim).all(|line| line.is_empty() || line.starts_with("//"))
    };
    // A header directive has no terminator, so the text after it would become part of it.
    let is_whole = |item: &PtxItem| match item.kind {
        PtxItemKind::Version | PtxItemKind::Target | PtxItemKind::AddressSize => {
            !text.get(item.range.clone()).unwrap_or_default().trim().contains('\n')
        }
        kind => kind != PtxItemKind::Other && !item.is_definition(),
    };
    let mut end = 0;
    items.iter().all(|item| {
        let gap = end..item.range.start;
        end = item.range.end;
        is_blank(gap) && is_whole(item)
    }) && is_blank(end..text.len())
}

/// Returns the items of the PTX `text`, in order.
pub fn ptx_items(text: &str) -> Result<Vec<PtxItem>, PtxError> {
    if !is_ptx(text.as_bytes()) {
        return Err(PtxError::new(0, "it does not start with .version"));
    }
    let mut items = Vec::new();
    let mut fault = None;
    statements::each(text.as_bytes(), |statement| match item(text, statement) {
        Ok(item) => items.push(item),
        Err(error) => fault = fault.or(Some(error)),
    })?;
    fault.map_or(Ok(items), Err)
}

fn item(text: &str, statement: &Statement<'_>) -> Result<PtxItem, PtxError> {
    let Statement { words, range, body, value } = statement;
    let (linkage, words) = match words.as_slice() {
        [b".extern", rest @ ..] => (PtxLinkage::Extern, rest),
        [b".visible", rest @ ..] => (PtxLinkage::Visible, rest),
        [b".weak", rest @ ..] => (PtxLinkage::Weak, rest),
        [b".common", rest @ ..] => (PtxLinkage::Common, rest),
        words => (PtxLinkage::None, words),
    };
    let kind = kind(words.first().copied().unwrap_or_default());
    let rest = words.get(1..).unwrap_or_default();
    let symbol = match kind {
        PtxItemKind::Function | PtxItemKind::Kernel => Some(function_name(rest)),
        PtxItemKind::Variable(_) => match *variable_names(rest) {
            [] => Some(None),
            [name] => Some(Some(name)),
            _ => return Err(PtxError::new(range.start, "several variables in one statement")),
        },
        _ => None,
    };
    let name = match symbol {
        Some(Some(name)) => name,
        Some(None) => return Err(PtxError::new(range.start, "a declaration without a name")),
        None => rest.first().copied().unwrap_or_default(),
    };
    let bytes = text.as_bytes();
    let end = range.end - usize::from(bytes.get(range.end - 1) == Some(&b';'));
    let value = value.filter(|_| matches!(kind, PtxItemKind::Variable(_)));
    let head_end = body.as_ref().map_or(value.map_or(end, |value| value - 1), |body| body.start);
    Ok(PtxItem {
        kind,
        linkage,
        name: String::from_utf8_lossy(name).into_owned(),
        range: range.clone(),
        head: trimmed(bytes, range.start..head_end),
        body: body.clone(),
        initializer: value.map(|value| trimmed(bytes, value..end)),
    })
}

fn kind(directive: &[u8]) -> PtxItemKind {
    match directive {
        b".version" => PtxItemKind::Version,
        b".target" => PtxItemKind::Target,
        b".address_size" => PtxItemKind::AddressSize,
        b".func" => PtxItemKind::Function,
        b".entry" => PtxItemKind::Kernel,
        b".global" => PtxItemKind::Variable(PtxSpace::Global),
        b".const" => PtxItemKind::Variable(PtxSpace::Const),
        b".shared" => PtxItemKind::Variable(PtxSpace::Shared),
        b".alias" => PtxItemKind::Alias,
        b".file" => PtxItemKind::File,
        b".section" => PtxItemKind::Section,
        directive => {
            debug_assert!(!is_function(directive) && !VARIABLES.contains(&directive));
            PtxItemKind::Other
        }
    }
}

/// Returns a range without the blanks at its ends.
fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let bytes = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (bytes.len() - bytes.trim_ascii_start().len());
    start..start + bytes.trim_ascii().len()
}

#[cfg(test)]
#[path = "items_tests.rs"]
mod tests;
