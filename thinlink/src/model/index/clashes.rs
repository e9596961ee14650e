//! Symbols of one name that do not agree.
//!
//! Every reference to a symbol depends on its kind, function or variable, on the address space of a
//! variable and on the prototype of a function, so modules that differ in one of these cannot be
//! linked. A declaration may be in global memory and the definition in constant memory, or the
//! other way around: the import phase declares the variable as it is defined. nvlink refuses the
//! same prototype mismatches, but it does not see imported functions. Copies of one definition that
//! differ in a fact that a compiler derives from the source alone break C++'s one definition rule:
//! the program is kept as it is, with a warning. `weak` definitions may differ: the index picks one
//! of them.
//!
//! Of several clashes, the one whose files come first in link order is reported.
//!
//! Cost: each symbol of a name once.

use std::fmt;

use super::table::Index;
use crate::model::error::LinkError;
use crate::model::ids::NodeId;
use crate::model::program::Kind;

/// Global memory among NVPTX's address spaces.
const GLOBAL: u32 = 1;
/// Constant memory among NVPTX's address spaces.
const CONSTANT: u32 = 4;

/// Two symbols that cannot be linked.
pub(crate) struct Clash {
    /// Both, in link order.
    pub(crate) nodes: (NodeId, NodeId),
    /// Message for the user.
    pub(crate) error: Box<LinkError>,
}

impl Clash {
    /// Returns the clash that comes first in link order.
    pub(crate) fn first(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        one.into_iter().chain(other).min_by_key(|clash| clash.nodes)
    }
}

/// Checks all symbols of one name against the first definition, or the first one. Returns warnings.
pub(crate) fn check(
    index: &Index<'_>,
    nodes: impl Iterator<Item = NodeId> + Clone,
) -> Result<Vec<String>, Clash> {
    let definition = nodes.clone().find(|&node| index.is_definition(node));
    let Some(first) = definition.or_else(|| nodes.clone().next()) else {
        return Ok(Vec::new());
    };
    let path = |node: NodeId| &index.unit(index.member(node)).path;
    let one = SymbolClass::of(index, first);
    let mut warnings = Vec::new();
    // The first definition has no prototype if it is an alias.
    let prototype =
        index.prototype(first).or_else(|| nodes.clone().find_map(|node| index.prototype(node)));
    for second in nodes.filter(|&node| node != first) {
        // An alias may refer to either.
        if let (Some(one), Some(other)) = (one, SymbolClass::of(index, second))
            && one != other
            && !(definition == Some(first) && !index.is_definition(second) && one.may_be(other))
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
        if let (Some(one), Some(other)) = (prototype, index.prototype(second))
            && one != other
        {
            return Err(Clash {
                nodes: (first.min(second), first.max(second)),
                error: Box::new(LinkError::Prototype {
                    symbol: index.name(first).to_owned(),
                    first: path(first.min(second)).clone(),
                    second: path(first.max(second)).clone(),
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

/// Property of a symbol that references to it rely on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SymbolClass {
    Function,
    /// A variable, with its address space.
    Variable(u32),
}

impl SymbolClass {
    /// Whether a declaration as `other` can become one of this definition: clang puts a constant
    /// with a known content into constant memory, and declares it in global memory elsewhere.
    fn may_be(self, other: Self) -> bool {
        let is_movable = |class| matches!(class, Self::Variable(GLOBAL | CONSTANT));
        is_movable(self) && is_movable(other)
    }

    fn of(index: &Index<'_>, node: NodeId) -> Option<Self> {
        match index.kind(node) {
            Kind::Alias => None,
            // A kernel may be declared as a function: clang marks definitions only.
            Kind::Function | Kind::DeclaredFunction | Kind::DeclaredKernel => Some(Self::Function),
            Kind::Variable | Kind::CopyableVariable | Kind::DeclaredVariable => {
                Some(Self::Variable(index.address_space(node)))
            }
        }
    }
}

impl fmt::Display for SymbolClass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function => formatter.write_str("a function"),
            Self::Variable(0) => formatter.write_str("a variable in generic memory"),
            Self::Variable(GLOBAL) => formatter.write_str("a variable in global memory"),
            Self::Variable(3) => formatter.write_str("a variable in shared memory"),
            Self::Variable(CONSTANT) => formatter.write_str("a variable in constant memory"),
            Self::Variable(other) => write!(formatter, "a variable in address space {other}"),
        }
    }
}

/// Finds the property in which two definitions of one name differ though they come from one source.
fn difference(index: &Index<'_>, first: NodeId, second: NodeId) -> Option<String> {
    let must_be_equal = |node: NodeId| {
        let linkage = index.linkage(node);
        linkage.is_merged() && !linkage.is_interposable()
    };
    if !must_be_equal(first) || !must_be_equal(second) {
        return None;
    }
    if let (Some(one), Some(other)) = (index.variable(first), index.variable(second)) {
        let difference = if one.size() == other.size() {
            let differ = one.is_constant() != other.is_constant();
            differ.then(|| "whether they are constant".to_owned())
        } else {
            Some(format!("size, {} and {} bytes", one.size(), other.size()))
        };
        return difference;
    }
    let (one, other) = (index.function(first)?, index.function(second)?);
    if one.launch_bounds() != other.launch_bounds() {
        return Some("launch bounds".to_owned());
    }
    let (one, other) = (one.constant_result()?, other.constant_result()?);
    (one != other).then(|| "the value that they return".to_owned())
}
