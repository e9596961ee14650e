//! Files with credentials: a list of headers, and `.netrc`.

use std::path::Path;

use crate::endpoint::basic;

/// Reads headers, one `NAME=VALUE` in a line. An error names the file and the line, and shows no
/// value.
pub(crate) fn headers(path: &Path) -> Result<Vec<(String, String)>, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read the headers in {}: {error}", path.display()))?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let pair = |(number, line): (usize, &str)| {
        let pair = line.split_once('=').filter(|(name, _)| !name.trim().is_empty());
        let (name, value) =
            pair.ok_or_else(|| format!("{}:{number}: not NAME=VALUE", path.display()))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    lines.map(pair).collect()
}

/// Returns the header `authorization` that `.netrc` gives for `host`. A file that is not there or
/// does not name the host gives none.
pub(crate) fn password(path: &Path, host: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut words = text.split_whitespace();
    let (mut is_of_host, mut user, mut password) = (false, "", None);
    while let Some(word) = words.next() {
        match word {
            "machine" | "default" | "macdef" if password.is_some() => break,
            "machine" => is_of_host = words.next() == Some(host),
            "default" => is_of_host = true,
            "login" if is_of_host => user = words.next().unwrap_or_default(),
            "password" if is_of_host => password = words.next(),
            "login" | "password" | "account" => drop(words.next()),
            _ => {}
        }
    }
    password.map(|password| basic(user.into(), password.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, text).unwrap();
        (folder, path)
    }

    #[test]
    fn netrc_gives_the_password_of_a_host() {
        let (_folder, path) = written(
            "machine other login me password wrong\nmachine host\n  login Aladdin\n  password \
             open\nmachine host login late password late\ndefault login any password one\n",
        );
        assert_eq!(password(&path, "host").as_deref(), Some("Basic QWxhZGRpbjpvcGVu"));
        assert_eq!(password(&path, "elsewhere").as_deref(), Some("Basic YW55Om9uZQ=="));
        let (_folder, path) = written("machine other login me password wrong");
        assert_eq!(password(&path, "host"), None);
        assert_eq!(password(Path::new("/nowhere"), "host"), None);
    }

    #[test]
    fn lists_of_headers_are_read_and_wrong_lines_named() {
        let (_folder, path) = written("a=1\n\n b = x=y \n");
        let pairs = [("a", "1"), ("b", "x=y")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(headers(&path), Ok(pairs.into()));
        let (_folder, path) = written("a=1\nsecret\n");
        let text = headers(&path).unwrap_err();
        assert!(text.contains("file:2: ") && !text.contains("secret"), "{text}");
    }
}
