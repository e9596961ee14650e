//! Every rule, in a file of its own.

mod code;
mod doc_comments;
mod figures;
pub(crate) mod imports;
mod layouts;
mod length;
mod links;
mod manifests;
mod spelling;
mod text;
mod width;

use crate::checkout::Checkout;
use crate::report::Report;
use crate::violation::Violation;

/// Rules that only warn below these folders, as the files there do not follow them yet.
const WARNINGS: &[(&str, &[&str])] = &[
    ("doc comments", &["backend-job/", "crates/device-ir/", "thinlink/"]),
    ("spelling", &["backend-job/", "crates/", "thinlink/"]),
    ("width", &["backend-job/", "crates/", "dev/programs/", "tests/", "thinlink/"]),
];

/// Applies every rule and sorts the findings.
pub(crate) fn apply(checkout: &Checkout) -> Report {
    let Checkout { paths, files } = checkout;
    let imports = imports::findings(files);
    let metrics = vec![
        ("house.upward_imports", imports.upward.len()),
        ("house.file_cycles", imports.cycles.len()),
        ("house.unsafe_blocks", figures::unsafe_blocks(files)),
        ("house.xtask_lines", figures::xtask_lines(files)),
        ("house.largest_file", length::largest(files)),
    ];
    let findings: [(&'static str, Vec<Violation>); 13] = [
        ("text", files.iter().flat_map(text::violations).collect()),
        ("code", files.iter().flat_map(code::violations).collect()),
        ("links", files.iter().flat_map(|file| links::violations(file, paths)).collect()),
        ("manifests", manifests::violations(files)),
        ("cycles", imports.cycles),
        ("upward imports", imports.upward),
        ("rooms", imports.orders),
        ("spelling", files.iter().flat_map(spelling::violations).collect()),
        ("width", files.iter().flat_map(width::violations).collect()),
        ("length", files.iter().filter_map(length::violations).collect()),
        ("doc comments", files.iter().flat_map(doc_comments::violations).collect()),
        ("figures", figures::violations(files)),
        ("layouts", layouts::violations(files)),
    ];
    let mut report = Report { files: files.len(), metrics, ..Report::default() };
    for (rule, violations) in findings {
        let places = WARNINGS.iter().find(|(warning, _)| *warning == rule);
        let places = places.map_or(&[][..], |(_, places)| places);
        for violation in violations {
            if places.iter().any(|place| violation.path.starts_with(place)) {
                report.warnings.push((rule, violation));
            } else {
                report.errors.push(violation);
            }
        }
    }
    report.warnings.sort();
    report.errors.sort();
    report
}
