//! Name of a module's source file, for metadata.
//!
//! LLVM has the name as the compiler was given it, which is an absolute path in many builds and
//! depends on the build's folder in others. No artifact may depend on either.

use weft_artifact::ModuleId;

/// Returns the `source_name` of a module as a path below the workspace, or only its last part where
/// nothing tells which folders of it are the workspace's. `None` if the compiler gave no name.
pub(crate) fn below_workspace(source_name: &str, module_id: &ModuleId) -> Option<String> {
    let name = source_name.replace('\\', "/");
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    let mut parts: Vec<&str> = Vec::new();
    let mut leaves_folder = name.starts_with('/') || has_drive;
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => leaves_folder |= parts.pop().is_none(),
            part => parts.push(part),
        }
    }
    if !leaves_folder {
        return (!parts.is_empty()).then(|| parts.join("/"));
    }
    let of_id: Vec<&str> = module_id.as_str().split('/').collect();
    if parts.ends_with(&of_id) {
        return Some(module_id.as_str().to_owned());
    }
    parts.last().map(|part| (*part).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_folder_outside_of_the_workspace_is_named() -> Result<(), Box<dyn std::error::Error>> {
        let id = ModuleId::new("src/b.cu")?;
        for (name, expected) in [
            ("src/b.cu", Some("src/b.cu")),
            ("./src/../lib/b.cu", Some("lib/b.cu")),
            ("/elsewhere/checkout/src/b.cu", Some("src/b.cu")),
            ("../../src/b.cu", Some("src/b.cu")),
            ("/tmp/generated/b.cu", Some("b.cu")),
            ("../generated/c.cu", Some("c.cu")),
            ("C:\\checkout\\src\\b.cu", Some("src/b.cu")),
            ("/tmp/othersrc/b.cu", Some("b.cu")),
            ("", None),
            ("/", None),
        ] {
            assert_eq!(below_workspace(name, &id).as_deref(), expected, "{name}");
        }
        Ok(())
    }
}
