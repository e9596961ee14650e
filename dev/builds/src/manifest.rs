//! Reads the names of removed kernels from the thin link's `manifest.json`.
//!
//! The file is searched, as a parser would be a dependency: the list holds symbols, and symbols
//! hold neither quotes nor brackets.

use std::fs;
use std::path::Path;

use dev_process::{Error, Result, while_trying};

/// Reads the symbols of the removed kernels.
pub(super) fn removed_kernels(path: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(path).map_err(while_trying("read", path))?;
    list(&text, "removed_kernels")
        .ok_or_else(|| Error::new(format!("{}: it has no removed_kernels", path.display())))
}

fn list(json: &str, key: &str) -> Option<Vec<String>> {
    let (_, rest) = json.split_once(&format!("\"{key}\""))?;
    let list = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('[')?;
    let (list, _) = list.split_once(']')?;
    Some(list.split('"').skip(1).step_by(2).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_symbols_is_read() {
        let json = "{\"a\": [\"x\"],\n \"removed_kernels\": [\n  \"_Z1av\",\n  \"_Z1bv\"\n ]}";
        let expected = ["_Z1av", "_Z1bv"].map(str::to_owned);
        assert_eq!(list(json, "removed_kernels").as_deref(), Some(expected.as_slice()));
        assert_eq!(list("{\"removed_kernels\": []}", "removed_kernels"), Some(Vec::new()));
        assert_eq!(list("{}", "removed_kernels"), None);
    }
}
