//! Every rule, in a file of its own.

mod code;
mod links;
mod manifests;
mod text;

use crate::checkout::{Checkout, File};
use crate::report::Report;
use crate::violation::Violation;

/// Applies every rule and sorts the findings.
pub(crate) fn apply(checkout: &Checkout) -> Report {
    let Checkout { paths, files } = checkout;
    let of_file = |file: &File| -> Vec<Violation> {
        let found =
            [text::violations(file), code::violations(file), links::violations(file, paths)];
        found.concat()
    };
    let mut errors: Vec<Violation> =
        files.iter().flat_map(of_file).chain(manifests::violations(files)).collect();
    errors.sort();
    Report { files: files.len(), errors, ..Report::default() }
}
