//! Symbols of one name that do not agree.
//!
//! What a name is (a function or a variable) and the address space of a variable are part
//! of every reference to it, so modules that differ in that cannot be linked. Copies of one definition
//! that differ in what a compiler derives from the source alone break C++'s one definition rule: the
//! program is kept as it is, with a warning. `weak` definitions may differ: the index picks one of them.
//!
//! Of several clashes, the one whose files come first in link order is reported.
//!
//! Cost: each symbol of a name once.

use std::fmt;

use weft_artifact::Declaration;

use super::table::{Index, Node};
use crate::model::error::LinkError;
use crate::model::program::Body;

/// Two symbols that cannot be linked.
pub(crate) struct Clash {
    /// Both, in link order.
    pub(crate) nodes: (Node, Node),
    /// What to tell the user.
    pub(crate) error: Box<LinkError>,
}

impl Clash {
    /// The one that link order meets first.
    pub(crate) fn first(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        one.into_iter().chain(other).min_by_key(|clash| clash.nodes)
    }
}

/// Checks all symbols of one name against the first definition, or the first one. Returns warnings.
pub(crate) fn check(
    index: &Index<'_>,
    nodes: impl Iterator<Item = Node> + Clone,
) -> Result<Vec<String>, Clash> {
    let definition = nodes.clone().find(|&node| index.is_definition(node));
    let Some(first) = definition.or_else(|| nodes.clone().next()) else {
        return Ok(Vec::new());
    };
    let path = |node: Node| &index.unit(index.module(node)).path;
    let one = What::of(index, first);
    let mut warnings = Vec::new();
    for second in nodes.filter(|&node| node != first) {
        // An alias may stand for either.
        if let (Some(one), Some(other)) = (one, What::of(index, second))
            && one != other
        {
            return Err(Clash {
                nodes: (first.min(second), first.max(second)),
                error: Box::new(LinkError::SymbolClash {
                    symbol: index.name(first).to_owned(),
                    first: path(first).clone(),
                    first_value: one.to_string(),
                    second: path(second).clone(),
                    second_value: other.to_string(),
                }),
            });
        }
        if let Some(difference) = difference(index, first, second) {
            let (name, one) = (index.name(first), path(first).display());
            let other = path(second).display();
            warnings.push(format!(
                "the definitions of '{name}' in {one} and {other} differ in {difference}: \
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
    fn of(index: &Index<'_>, node: Node) -> Option<Self> {
        match index.body(node) {
            Body::Alias(_) => None,
            // A kernel may be declared as a function: clang marks definitions only.
            Body::Function(_) | Body::Declaration(Declaration::Function | Declaration::Kernel) => {
                Some(Self::Function)
            }
            Body::Variable(_)
            | Body::Declaration(Declaration::Variable | Declaration::DynamicShared(_)) => {
                Some(Self::Variable(index.address_space(node)))
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
fn difference(index: &Index<'_>, first: Node, second: Node) -> Option<String> {
    let must_be_equal = |node: Node| {
        let linkage = index.linkage(node);
        linkage.is_merged() && !linkage.is_interposable()
    };
    if !must_be_equal(first) || !must_be_equal(second) {
        return None;
    }
    match (index.body(first), index.body(second)) {
        (Body::Variable(one), Body::Variable(other)) if one.size() != other.size() => {
            Some(format!("size, {} and {} bytes", one.size(), other.size()))
        }
        (Body::Variable(one), Body::Variable(other)) if one.constant() != other.constant() => {
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
