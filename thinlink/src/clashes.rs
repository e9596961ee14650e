//! Symbols of one name that do not agree.
//!
//! What a name is (a function or a variable) and the address space of a variable are part
//! of every reference to it, so modules that differ in that cannot be linked. Copies of one definition
//! that differ in what a compiler derives from the source alone break C++'s one definition rule: the
//! program is kept as it is, with a warning.
//!
//! Of several clashes, the one whose files come first in link order is reported.
//!
//! Cost: each symbol of a name once.

use std::fmt;

use weft_artifact::Declaration;

use crate::LinkError;
use crate::index::Node;
use crate::program::{Body, Symbol, Unit};

/// A symbol with its unit.
pub(crate) type Seen<'units> = (Node, &'units Unit, Symbol<'units>);

/// Two symbols that cannot be linked.
pub(crate) struct Clash {
    /// Both, in link order.
    pub(crate) nodes: (Node, Node),
    /// What to tell the user.
    pub(crate) error: LinkError,
}

impl Clash {
    /// The one that link order meets first.
    pub(crate) fn first(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        one.into_iter().chain(other).min_by_key(|clash| clash.nodes)
    }
}

/// Checks all symbols of one name against the first definition, or the first one. Returns warnings.
pub(crate) fn check<'units>(
    symbols: impl Iterator<Item = Seen<'units>> + Clone,
) -> Result<Vec<String>, Clash> {
    let definition = symbols.clone().find(|(_, _, symbol)| symbol.is_definition());
    let Some((node, unit, first)) = definition.or_else(|| symbols.clone().next()) else {
        return Ok(Vec::new());
    };
    let mut warnings = Vec::new();
    for (second_node, second_unit, second) in symbols.filter(|(other, _, _)| *other != node) {
        // An alias may stand for either.
        if let (Some(one), Some(other)) = (What::of(&first), What::of(&second))
            && one != other
        {
            return Err(Clash {
                nodes: (node.min(second_node), node.max(second_node)),
                error: LinkError::SymbolClash {
                    symbol: first.name.to_owned(),
                    first: unit.path.clone(),
                    first_value: one.to_string(),
                    second: second_unit.path.clone(),
                    second_value: other.to_string(),
                },
            });
        }
        if let Some(difference) = difference(&first, &second) {
            let (name, first, second) =
                (first.name, unit.path.display(), second_unit.path.display());
            warnings.push(format!(
                "the definitions of '{name}' in {first} and {second} differ in {difference}: \
                 the program breaks the one definition rule"
            ));
        }
    }
    Ok(warnings)
}

/// What references to a symbol rely on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Function,
    /// With its address space.
    Variable(u32),
}

impl What {
    fn of(symbol: &Symbol<'_>) -> Option<Self> {
        match &symbol.body {
            Body::Alias(_) => None,
            // A kernel may be declared as a function: clang marks definitions only.
            Body::Function(_) | Body::Declaration(Declaration::Function | Declaration::Kernel) => {
                Some(Self::Function)
            }
            Body::Variable(_) | Body::Declaration(Declaration::Variable) => {
                Some(Self::Variable(symbol.address_space))
            }
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function => formatter.write_str("a function"),
            Self::Variable(0) => formatter.write_str("a variable in generic memory"),
            Self::Variable(1) => formatter.write_str("a variable in global memory"),
            Self::Variable(3) => formatter.write_str("a variable in shared memory"),
            Self::Variable(4) => formatter.write_str("a variable in constant memory"),
            Self::Variable(other) => write!(formatter, "a variable in address space {other}"),
        }
    }
}

/// What two definitions of one name differ in though they come from one source.
fn difference(first: &Symbol<'_>, second: &Symbol<'_>) -> Option<String> {
    if !first.linkage.is_merged() || !second.linkage.is_merged() {
        return None;
    }
    match (&first.body, &second.body) {
        (Body::Variable(one), Body::Variable(other)) if one.size != other.size => {
            Some(format!("size, {} and {} bytes", one.size, other.size))
        }
        (Body::Variable(one), Body::Variable(other)) if one.constant != other.constant => {
            Some("whether they are constant".to_owned())
        }
        (Body::Function(one), Body::Function(other))
            if one.launch_bounds() != other.launch_bounds() =>
        {
            Some("launch bounds".to_owned())
        }
        (Body::Function(one), Body::Function(other))
            if one.constant_result().is_some()
                && other.constant_result().is_some()
                && one.constant_result() != other.constant_result() =>
        {
            Some("the value that they return".to_owned())
        }
        _ => None,
    }
}
