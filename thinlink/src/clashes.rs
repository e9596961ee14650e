//! Symbols of one name that do not agree.
//!
//! What a name is (a function or a variable) and the address space of a variable are part
//! of every reference to it, so modules that differ in that cannot be linked. Copies of one definition
//! that differ in what a compiler derives from the source alone break C++'s one definition rule: the
//! program is kept as it is, with a warning.
//!
//! Cost: each symbol of a name once.

use weft_artifact::Declaration;

use crate::LinkError;
use crate::program::{Body, Symbol, Unit};

/// A symbol with its unit.
pub(crate) type Seen<'units> = (&'units Unit, Symbol<'units>);

/// Checks all symbols of one name against the first definition, or the first one. Returns warnings.
pub(crate) fn check<'units>(
    symbols: impl Iterator<Item = Seen<'units>> + Clone,
) -> Result<Vec<String>, LinkError> {
    let definition = symbols.clone().enumerate().find(|(_, (_, symbol))| symbol.is_definition());
    let Some((position, first)) = definition.or_else(|| symbols.clone().enumerate().next()) else {
        return Ok(Vec::new());
    };
    let mut warnings = Vec::new();
    let others = symbols.enumerate().filter(|(other, _)| *other != position);
    for (_, second) in others {
        let (one, other) = (what(&first.1), what(&second.1));
        // An alias may stand for either.
        let is_clash = matches!((&one, &other), (Some(one), Some(other)) if one != other);
        if let (true, Some(first_value), Some(second_value)) = (is_clash, one, other) {
            return Err(LinkError::SymbolClash {
                symbol: first.1.name.to_owned(),
                first: first.0.path.clone(),
                first_value,
                second: second.0.path.clone(),
                second_value,
            });
        }
        if let Some(difference) = difference(&first.1, &second.1) {
            let (name, first, second) =
                (first.1.name, first.0.path.display(), second.0.path.display());
            warnings.push(format!(
                "the definitions of '{name}' in {first} and {second} differ in {difference}: \
                 the program breaks the one definition rule"
            ));
        }
    }
    Ok(warnings)
}

/// What references to the symbol rely on.
fn what(symbol: &Symbol<'_>) -> Option<String> {
    let kind = match &symbol.body {
        Body::Alias(_) => return None,
        // A kernel may be declared as a function: clang marks definitions only.
        Body::Function(_) | Body::Declaration(Declaration::Function | Declaration::Kernel) => {
            "a function"
        }
        Body::Variable(_) | Body::Declaration(Declaration::Variable) => "a variable",
    };
    Some(match (kind, symbol.address_space) {
        ("a variable", 0) => "a variable in generic memory".to_owned(),
        ("a variable", 1) => "a variable in global memory".to_owned(),
        ("a variable", 3) => "a variable in shared memory".to_owned(),
        ("a variable", 4) => "a variable in constant memory".to_owned(),
        ("a variable", other) => format!("a variable in address space {other}"),
        _ => kind.to_owned(),
    })
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
