//! Bazel's protocol for credential helpers: JSON on the program's standard input and output.

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::credentials::moment;

#[derive(Serialize)]
struct Request<'text> {
    uri: &'text str,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    headers: BTreeMap<String, Vec<String>>,
    expires: Option<String>,
}

/// The headers that a helper gave.
pub(crate) struct Given {
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) expires: Option<SystemTime>,
}

/// Returns the question for the headers of the server at `uri`.
pub(crate) fn request(uri: &str) -> String {
    // A text in a structure always has a form in JSON.
    serde_json::to_string(&Request { uri }).unwrap_or_default()
}

/// Reads a helper's answer. The error does not show it, as it may hold secrets.
pub(crate) fn read(answer: &[u8]) -> Result<Given, String> {
    let answer: Answer = serde_json::from_slice(answer)
        .map_err(|error| format!("its answer is not of the protocol, in line {}", error.line()))?;
    let expires = answer.expires.as_deref().map(moment::parse);
    let expires = expires.map(|time| time.ok_or("`expires` is no time of RFC 3339")).transpose()?;
    let of_name = |(name, values): (String, Vec<String>)| {
        values.into_iter().map(move |value| (name.clone(), value))
    };
    Ok(Given { headers: answer.headers.into_iter().flat_map(of_name).collect(), expires })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_and_wrong_ones_are_not_shown() {
        let text = br#"{"headers":{"a":["1","2"],"b":["3"]},"expires":"2001-01-01T00:00:00Z"}"#;
        let given = read(text).unwrap();
        let pairs = [("a", "1"), ("a", "2"), ("b", "3")];
        assert_eq!(given.headers, pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert!(given.expires.is_some());
        assert!(read(b"{}").unwrap().headers.is_empty());
        for wrong in ["secret", r#"{"headers":{"a":"secret"}}"#, r#"{"expires":"secret"}"#] {
            assert!(read(wrong.as_bytes()).is_err_and(|text| !text.contains("secret")), "{wrong}");
        }
        assert_eq!(request("https://host"), r#"{"uri":"https://host"}"#);
    }
}
