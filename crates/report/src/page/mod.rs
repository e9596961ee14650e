//! The page of a report: one file of HTML that holds its style, its scripts and the report.
//!
//! The page makes no requests, so it opens from a file, from the archive of a build server or as an
//! attachment, without a network. Its content policy forbids requests and allows the one script by
//! its digest, so a symbol name that looks like markup would not run even if it reached the page
//! unescaped. It cannot: the report is packed, and the scripts insert all names as text.
//!
//! The report is JSON, packed with zlib, which every browser unpacks, and written in base64: for
//! 3,000 kernels that is a tenth of the JSON.

use std::io::{self, Write as _};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use sha2::{Digest as _, Sha256};

use crate::data::BuildReport;

/// The frame of the page, with places for what follows.
const SHELL: &str = include_str!("shell.html");
/// Style sheets.
const STYLES: [&str; 3] =
    [include_str!("page.css"), include_str!("parts.css"), include_str!("media.css")];
/// Scripts, in one scope. A file may use what the files before it define, and within functions what
/// any file defines.
const SCRIPTS: [&str; 22] = [
    include_str!("js/elements.js"),
    include_str!("js/texts.js"),
    include_str!("js/model.js"),
    include_str!("js/address.js"),
    include_str!("js/theme.js"),
    include_str!("js/table.js"),
    include_str!("js/filter.js"),
    include_str!("js/answers.js"),
    include_str!("js/inlining.js"),
    include_str!("js/kernel.js"),
    include_str!("js/kernels.js"),
    include_str!("js/layout.js"),
    include_str!("js/zoom.js"),
    include_str!("js/graph.js"),
    include_str!("js/unit.js"),
    include_str!("js/program.js"),
    include_str!("js/timeline.js"),
    include_str!("js/trace.js"),
    include_str!("js/build.js"),
    include_str!("js/questions.js"),
    include_str!("js/change.js"),
    include_str!("js/start.js"),
];

/// Returns the page of a report as HTML. The same report gives the same page.
///
/// An error says that the report cannot be written as JSON, which no report from a build causes.
pub fn page(report: &BuildReport) -> io::Result<String> {
    let style = STYLES.concat();
    let script = format!("(() => {{\n\"use strict\";\n{}}})();\n", SCRIPTS.concat());
    let policy = format!(
        "default-src 'none'; img-src data:; style-src {}; script-src {}; base-uri 'none'; \
         form-action 'none'",
        digest(&style),
        digest(&script)
    );
    let mut page = String::new();
    let mut rest = SHELL;
    let parts = [
        ("@policy@", policy),
        ("@style@", style),
        ("@data@", packed(report)?),
        ("@script@", script),
    ];
    for (place, text) in parts {
        // A place that the shell lacks would show in every test of the page.
        let (before, after) = rest.split_once(place).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(&text);
        rest = after;
    }
    page.push_str(rest);
    Ok(page)
}

/// Returns the report as the page holds it: JSON, zlib, base64.
fn packed(report: &BuildReport) -> io::Result<String> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&serde_json::to_vec(report)?)?;
    Ok(BASE64_STANDARD.encode(encoder.finish()?))
}

/// Returns the digest of a script or a style sheet as a policy names it.
fn digest(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::NameTable;

    fn report(names: &[&str]) -> BuildReport {
        let mut table = NameTable::default();
        for name in names {
            table.number(name);
        }
        BuildReport { names: table.into_names(), ..BuildReport::default() }
    }

    #[test]
    fn the_page_is_whole_and_the_same_each_time() {
        let made = page(&report(&["kernel"])).unwrap();
        assert_eq!(made, page(&report(&["kernel"])).unwrap());
        assert!(
            !made.contains("@data@") && !made.contains("@script@") && !made.contains("@style@")
        );
        assert!(made.starts_with("<!doctype html>") && made.ends_with("</html>\n"));
        // A file of the folder that is not in the list would be missed in a browser only.
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/js");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), SCRIPTS.len());
    }

    #[test]
    fn the_frame_names_no_other_place() {
        let made = page(&report(&[])).unwrap();
        for word in ["http:", "https:", "src=", "@import", "url(", "innerHTML", "eval("] {
            assert!(!made.contains(word), "{word}");
        }
        assert_eq!(made.matches("</script>").count(), 2);
        assert_eq!(made.matches("</style>").count(), 1);
    }

    #[test]
    fn names_do_not_get_into_the_markup() {
        let names = ["</script><b>", "\"'><i onload=x>", "<!--", "@script@", &"y".repeat(60_000)];
        let made = page(&report(&names)).unwrap();
        let shell = page(&report(&[])).unwrap();
        for mark in ["<b>", "<i ", "<!--", "@script@"] {
            assert!(!made.contains(mark), "{mark}");
        }
        assert_eq!(made.matches('<').count(), shell.matches('<').count());
        assert!(made.len() < shell.len() + 1000, "60,000 equal letters are packed");
    }
}
