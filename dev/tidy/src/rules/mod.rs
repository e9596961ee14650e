//! Every rule, in a file of its own.

mod code;
mod doc_comments;
mod figures;
pub(crate) mod imports;
mod labels;
mod languages;
mod layouts;
mod length;
mod links;
mod manifests;
mod starlark;
mod text;
mod width;

use crate::checkout::Checkout;
use crate::report::Report;
use crate::violation::Violation;

/// Applies every rule and sorts the findings.
pub(crate) fn apply(checkout: &Checkout) -> Report {
    let Checkout { paths, files } = checkout;
    let imports = imports::findings(files);
    let lines = figures::Lines::of(files);
    let metrics = vec![
        ("house.upward_imports", imports.upward.len()),
        ("house.file_cycles", imports.cycles.len()),
        ("house.unsafe_blocks", figures::unsafe_blocks(files)),
        ("house.xtask_lines", figures::xtask_lines(files)),
        ("house.product_lines", lines.product),
        ("house.dev_lines", lines.development),
        ("house.test_lines", lines.tests),
        ("house.test_binaries", figures::test_binaries(files)),
        ("house.largest_file", length::largest(files)),
    ];
    let mut errors: Vec<Violation> = [
        files.iter().flat_map(text::violations).collect(),
        files.iter().flat_map(code::violations).collect(),
        files.iter().filter_map(languages::violations).collect(),
        files.iter().flat_map(|file| links::violations(file, paths)).collect(),
        manifests::violations(files),
        imports.cycles,
        imports.upward,
        imports.orders,
        files.iter().flat_map(starlark::violations).collect(),
        files.iter().flat_map(width::violations).collect(),
        files.iter().filter_map(length::violations).collect(),
        files.iter().flat_map(doc_comments::violations).collect(),
        figures::violations(files),
        labels::violations(files),
        layouts::violations(files),
    ]
    .concat();
    errors.sort();
    Report { files: files.len(), errors, metrics }
}
