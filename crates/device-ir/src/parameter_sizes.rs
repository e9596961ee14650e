//! Sizes of types in `.param` space.
//!
//! The rule is NVIDIA's inliner's: a scalar takes its bits in whole bytes, an array or vector its
//! element's bits times the count, a structure its layout. The rule is about types, not values, so
//! an aggregate passed by value counts whole, and one passed `byval` counts as what it points to.

use weft_artifact::ParameterCost;

use crate::handles::{Call, Function, Global, Layout, Type, TypeKind};

/// Depth to which structures inside structures are followed; deeper parts count nothing.
const LARGEST_DEPTH: u32 = 20;

/// Cost of one call of `callee` by `call`.
pub(crate) fn of_call(call: Call<'_>, callee: Global<'_>) -> ParameterCost {
    let layout = callee.layout();
    let sizes =
        |types: &[Type<'_>]| types.iter().map(|&parameter| bytes(layout, parameter, 0)).collect();
    let arguments: Vec<u64> = sizes(&call.argument_types());
    // The parameters of an alias are not known.
    let parameters = Function::of(callee).map(|function| sizes(&function.parameter_types()));
    let parameters = parameters.unwrap_or_else(|| arguments.clone());
    let pairs = arguments.len().max(parameters.len());
    let differ = (0..pairs).filter(|&at| arguments.get(at) != parameters.get(at)).count();
    ParameterCost {
        argument_bytes: total(&arguments),
        parameter_bytes: total(&parameters),
        return_bytes: u32::try_from(bytes(layout, call.result_type(), 0)).unwrap_or(u32::MAX),
        coerced_arguments: u32::try_from(differ).unwrap_or(u32::MAX),
    }
}

/// Number of fields that one call of `callee` by `call` copies one by one: those of the arguments
/// whose size is not that of their parameter.
pub(crate) fn coerced_fields(call: Call<'_>, callee: Function<'_>) -> u32 {
    let layout = callee.layout();
    let parameters = callee.parameter_types();
    let size = |of: Type<'_>| bytes(layout, of, 0);
    let arguments = call.argument_types().into_iter().enumerate();
    let coerced = arguments.filter(|&(at, argument)| {
        Some(size(argument)) != parameters.get(at).map(|&parameter| size(parameter))
    });
    coerced.map(|(_, argument)| fields(argument, 0)).fold(0, u32::saturating_add)
}

/// Bytes of a type by the rule above.
fn bytes(layout: Layout<'_>, of: Type<'_>, depth: u32) -> u64 {
    if depth > LARGEST_DEPTH {
        return 0;
    }
    match of.kind() {
        TypeKind::Array(element, count) => bytes(layout, element, depth + 1).saturating_mul(count),
        TypeKind::Vector(element, count) => (u64::from(count) * bits(layout, element)).div_ceil(8),
        TypeKind::Struct(elements) => {
            let counted =
                elements.into_iter().map(|element| bytes(layout, element, depth + 1)).sum::<u64>();
            // The layout counts, unless all parts are too deep to be counted.
            if counted == 0 { 0 } else { layout.sizes(of).allocated }
        }
        TypeKind::Pointer(_) | TypeKind::Number(_) | TypeKind::Half | TypeKind::Other => {
            bits(layout, of).div_ceil(8)
        }
    }
}

/// Bits of a scalar.
fn bits(layout: Layout<'_>, of: Type<'_>) -> u64 {
    match of.kind() {
        TypeKind::Pointer(space) => 8 * u64::from(layout.pointer_bytes(space)),
        TypeKind::Number(bits) => bits.into(),
        TypeKind::Half => 16,
        TypeKind::Array(..) | TypeKind::Vector(..) | TypeKind::Struct(_) | TypeKind::Other => 0,
    }
}

/// Number of scalars and vectors in a type, of structures and arrays down to the depth that is
/// followed.
fn fields(of: Type<'_>, depth: u32) -> u32 {
    if depth > LARGEST_DEPTH {
        return 0;
    }
    match of.kind() {
        TypeKind::Array(element, count) => {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            fields(element, depth + 1).saturating_mul(count)
        }
        TypeKind::Struct(elements) => elements
            .into_iter()
            .map(|element| fields(element, depth + 1))
            .fold(0, u32::saturating_add),
        TypeKind::Vector(..)
        | TypeKind::Pointer(_)
        | TypeKind::Number(_)
        | TypeKind::Half
        | TypeKind::Other => 1,
    }
}

fn total(sizes: &[u64]) -> u32 {
    let sum = sizes.iter().fold(0_u64, |sum, &size| sum.saturating_add(size));
    u32::try_from(sum).unwrap_or(u32::MAX)
}
