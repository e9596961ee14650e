//! Checks that a file is the artifact that its name denotes.

use crate::{Artifact, Decisions, Manifest, Plan, SummaryFile};

/// Checks that `content` is the artifact that `name` denotes, with or without a folder. Files with
/// other names are not checked.
pub fn check(name: &str, content: &[u8]) -> Result<(), String> {
    let file = name.rsplit_once('/').map_or(name, |(_, file)| file);
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    let text = match (file, extension) {
        ("manifest.json", _) => return Manifest::read(content).map(drop),
        ("decisions.weft", _) => Decisions::decode(content).map(drop),
        (_, "summary") => SummaryFile::decode(content).map(drop),
        (_, "plan") => Plan::decode(content).map(drop),
        _ => return Ok(()),
    };
    text.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_file_is_checked_as_its_name_says() {
        for (name, fault) in [
            ("out/manifest.json", "expected ident"),
            ("decisions.weft", "record of decisions"),
            ("a.cu.summary", "summary"),
            ("out/src/a.cu.plan", "plan"),
        ] {
            let refusal = check(name, b"no artifact").err().unwrap_or_default();
            assert!(refusal.contains(fault), "{name}: {refusal}");
        }
        for name in ["plan", "out.plan/a.ptx", "other.json"] {
            assert_eq!(check(name, b"no artifact"), Ok(()), "{name}");
        }
    }
}
