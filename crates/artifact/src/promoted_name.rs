//! The global name of a promoted local.
//!
//! LLVM appends `.llvm.<hash of the module>`. That does not work here for two reasons: PTX
//! identifiers have no dots, and a hash of the content would change the assembler's input of every
//! importer whenever the exporting module changes. So the suffix comes from the module *id*, and
//! every character that PTX does not allow is written as `$` and two hexadecimal digits per byte,
//! which keeps different names different.

use std::fmt::Write as _;

use crate::ModuleId;

/// Text between a name and the hash of a module.
const SEPARATOR: &str = "_weft_";

/// Returns the name of the promoted local `name` of module `module_id`: a legal PTX identifier,
/// which is the same in every build and for every content of the module.
pub fn promoted_name(module_id: &ModuleId, name: &str) -> String {
    let mut promoted = legal_name(name);
    let hash = crate::digest(module_id.as_str().as_bytes()).to_hex();
    promoted.push_str(SEPARATOR);
    promoted.push_str(&hash.as_str()[..16]);
    promoted
}

/// Returns the legal form of the name that [`promoted_name`] made `promoted` of.
pub fn name_of_program(promoted: &str) -> Option<&str> {
    promoted.rsplit_once(SEPARATOR).map(|(name, _)| name)
}

/// Returns `name` as a legal PTX identifier.
pub fn legal_name(name: &str) -> String {
    let mut promoted = String::with_capacity(name.len() + 24);
    for (position, byte) in name.bytes().enumerate() {
        let legal =
            byte == b'_' || byte.is_ascii_alphabetic() || (position > 0 && byte.is_ascii_digit());
        if legal {
            promoted.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(promoted, "${byte:02x}");
        }
    }
    promoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_in_ptx_and_stay_different() -> Result<(), crate::ModuleIdError> {
        let module_id = ModuleId::new("src/a.cu")?;
        let names: Vec<_> = [".str", "_str", "$2estr", ".str.1", "1a", "é", "_ZL7counter"]
            .iter()
            .map(|name| promoted_name(&module_id, name))
            .collect();
        for name in &names {
            assert!(
                name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
                    && !name.starts_with(|c: char| c.is_ascii_digit()),
                "{name}"
            );
        }
        let different: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(different.len(), names.len());
        assert_ne!(names[0], promoted_name(&ModuleId::new("src/b.cu")?, ".str"));
        Ok(())
    }
}
