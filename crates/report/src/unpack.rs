//! Reads a report back: from its JSON, or out of a page that holds it.

use std::fmt;
use std::io::Read as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::read::ZlibDecoder;
use serde::Deserialize;

use crate::data::{BuildReport, VERSION};

/// Start of every page, by which a page is told from JSON.
const PAGE: &[u8] = b"<!doctype html>";
/// Start and end of the element of a page that holds the report.
const DATA: (&[u8], &[u8]) = (b"<script id=\"data\"", b"</script>");
/// Maximum number of bytes of a report. A small page can claim to hold a report of any size.
const MOST_BYTES: u64 = 2 << 30;

/// Reason why a file is no report that can be read.
#[derive(Debug, PartialEq, Eq)]
pub enum UnpackError {
    /// The page does not hold a report, or ends before it does.
    NoReport,
    /// The report in the page is damaged.
    Damaged(String),
    /// The report is larger than any that a build writes.
    TooLarge,
    /// The file is neither a page nor the JSON of a report.
    NotJson(String),
    /// The report has another version, whose fields may mean something else.
    Version(u32),
}

impl fmt::Display for UnpackError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoReport => write!(formatter, "the page holds no whole report"),
            Self::Damaged(reason) => {
                write!(formatter, "the report in the page is damaged: {reason}")
            }
            Self::TooLarge => write!(formatter, "the report is larger than {MOST_BYTES} bytes"),
            Self::NotJson(reason) => write!(formatter, "no report of a build: {reason}"),
            Self::Version(found) => write!(
                formatter,
                "the report has version {found}, and this program reads version {VERSION}"
            ),
        }
    }
}

impl std::error::Error for UnpackError {}

/// Returns the report in `content`, which is a page or JSON.
pub fn unpack(content: &[u8]) -> Result<BuildReport, UnpackError> {
    if is_page(content) { from_json(&of_page(content)?) } else { from_json(content) }
}

/// Whether `content` starts as a page or as an object of JSON does, and so may be a report.
pub fn may_be_report(content: &[u8]) -> bool {
    is_page(content) || content.trim_ascii_start().starts_with(b"{")
}

fn is_page(content: &[u8]) -> bool {
    content.get(..PAGE.len()).is_some_and(|start| start.eq_ignore_ascii_case(PAGE))
}

/// Returns the JSON that a page holds.
fn of_page(page: &[u8]) -> Result<Vec<u8>, UnpackError> {
    let damaged = |reason: &dyn fmt::Display| UnpackError::Damaged(reason.to_string());
    let packed = after(page, DATA.0).and_then(|rest| after(rest, b">"));
    let packed = packed.and_then(|rest| before(rest, DATA.1)).ok_or(UnpackError::NoReport)?;
    let packed = BASE64_STANDARD.decode(packed.trim_ascii()).map_err(|error| damaged(&error))?;
    let mut json = Vec::new();
    let mut decoder = ZlibDecoder::new(packed.as_slice()).take(MOST_BYTES + 1);
    decoder.read_to_end(&mut json).map_err(|error| damaged(&error))?;
    if json.len() as u64 > MOST_BYTES { Err(UnpackError::TooLarge) } else { Ok(json) }
}

fn from_json(json: &[u8]) -> Result<BuildReport, UnpackError> {
    // Another version may not even have the same fields, so the version is read alone first.
    #[derive(Deserialize)]
    struct Head {
        version: u32,
    }
    let wrong = |error: serde_json::Error| UnpackError::NotJson(error.to_string());
    let Head { version } = serde_json::from_slice(json).map_err(wrong)?;
    if version != VERSION {
        return Err(UnpackError::Version(version));
    }
    serde_json::from_slice(json).map_err(wrong)
}

fn position(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

fn after<'text>(text: &'text [u8], part: &[u8]) -> Option<&'text [u8]> {
    position(text, part).map(|at| &text[at + part.len()..])
}

fn before<'text>(text: &'text [u8], part: &[u8]) -> Option<&'text [u8]> {
    position(text, part).map(|at| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page;

    #[test]
    fn a_report_comes_back_from_json_and_from_its_page() {
        let report = BuildReport::new("</script>");
        let json = serde_json::to_vec(&report).unwrap();
        assert_eq!(unpack(&json).as_ref(), Ok(&report));
        assert_eq!(unpack(page(&report).unwrap().as_bytes()).as_ref(), Ok(&report));
    }

    #[test]
    fn what_is_no_report_is_refused_with_the_reason() {
        let page = page(&BuildReport::new("program")).unwrap();
        let at = page.find("<script id=\"data\"").unwrap();
        for (content, reason) in [
            ("", "no report of a build: EOF"),
            ("{}", "no report of a build: missing field `version`"),
            ("[1", "no report of a build: "),
            (r#"{"version":2,"names":7}"#, "the report has version 2, and this program reads "),
            (r#"{"version":1}"#, "no report of a build: missing field `names`"),
            ("<!DOCTYPE HTML><p>", "the page holds no whole report"),
            (&page[..at], "the page holds no whole report"),
            (&page[..at + 120], "the page holds no whole report"),
            (
                &page.replacen("octet-stream\">", "octet-stream\">QUJD", 1),
                "the report in the page ",
            ),
            (&page.replacen("octet-stream\">", "octet-stream\">?", 1), "the report in the page "),
        ] {
            let error = unpack(content.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}");
        }
    }
}
