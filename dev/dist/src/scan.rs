//! Looks for folders of the building machine in files for users.

use memchr::memmem;

use crate::tree::Tree;
use dev_process::{Error, Result};

/// Fails with all files that hold the path of one of the folders.
pub(crate) fn refuse_paths(tree: &Tree, folders: &[String]) -> Result<()> {
    let mut found = Vec::new();
    for (path, file) in &tree.0 {
        for folder in folders {
            if let Some(at) = memmem::find(&file.content, folder.as_bytes()) {
                let end = (at + folder.len() + 60).min(file.content.len());
                let text = String::from_utf8_lossy(&file.content[at..end]);
                let text = text.split(|c: char| c.is_control()).next().unwrap_or_default();
                found.push(format!("{path} holds a path of this machine: {text}"));
            }
        }
    }
    if found.is_empty() { Ok(()) } else { Err(Error::new(found.join("\n"))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::File;

    #[test]
    fn a_file_with_a_path_of_the_machine_is_named() {
        let mut tree = Tree::default();
        tree.add("bin/program", File::text("\0panicked at /place/of/me/src/a.rs\0"));
        tree.add("lib/text", File::text("/place/of/you"));
        assert!(refuse_paths(&tree, &["/place/of/them".to_owned()]).is_ok());
        let error = refuse_paths(&tree, &["/place/of/me".to_owned()]).unwrap_err();
        assert_eq!(
            error.message(),
            "bin/program holds a path of this machine: /place/of/me/src/a.rs"
        );
    }
}
