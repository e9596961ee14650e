//! Explains why the cache has no result for an action.

use crate::key::{Difference, FieldKind};
use crate::stats::Miss;

/// Returns the reason of a miss, from the differences to the nearest earlier run. Of several
/// differences a new tool explains more than an option, and an option more than an input.
pub(crate) fn reason(nearest: Option<&[Difference]>) -> Miss {
    let Some(differences) = nearest else { return Miss::New };
    let has = |kind| differences.iter().any(|difference| difference.kind == kind);
    if differences.is_empty() {
        Miss::Dropped
    } else if has(FieldKind::Program) {
        Miss::Program
    } else if has(FieldKind::Argument) || has(FieldKind::Output) {
        Miss::Options
    } else {
        Miss::Inputs
    }
}

/// Says why the cache has no result for the action `name`.
pub(crate) fn explanation(name: &str, miss: Miss, nearest: Option<&[Difference]>) -> String {
    let why = match (miss, nearest) {
        (Miss::Damaged, _) => "its result in the cache was damaged or cannot be read".to_owned(),
        (_, None) => "no earlier run of it is known".to_owned(),
        (_, Some([])) => "its result had to make room for others".to_owned(),
        (_, Some(differences)) => {
            let differences: Vec<_> = differences.iter().map(ToString::to_string).collect();
            format!("against the nearest earlier run, {}", differences.join(", "))
        }
    };
    format!("miss: {name}: {why}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_tool_explains_more_than_an_option_and_an_option_more_than_an_input() {
        use FieldKind::{Argument, Input, Output, Program};
        let of = |kinds: &[FieldKind]| {
            let difference = |kind: &FieldKind| Difference {
                kind: *kind,
                name: "name".to_owned(),
                before: None,
                now: None,
            };
            reason(Some(&kinds.iter().map(difference).collect::<Vec<_>>()))
        };
        assert_eq!(reason(None), Miss::New);
        assert_eq!(of(&[]), Miss::Dropped);
        assert_eq!(of(&[Input]), Miss::Inputs);
        for kinds in [&[Input, Argument][..], &[Output], &[Argument]] {
            assert_eq!(of(kinds), Miss::Options, "{kinds:?}");
        }
        assert_eq!(of(&[Input, Argument, Program]), Miss::Program);
    }
}
