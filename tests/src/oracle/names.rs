//! Names of locals before compilers and Weft change them.

/// Text that Weft puts between a local's name and the module's hash when it promotes the local.
const PROMOTED: &str = "_weft_";
/// Number of hexadecimal digits of the hash.
const HASH: usize = 16;
/// Text that LLVM writes in PTX instead of a dot, which PTX's names may not hold.
const LLVM_DOT: &str = "_$_";
/// Start of the names of nvcc's literals.
const LITERAL_OF_NVCC: &str = "$str";

/// Returns the name of the target of a pointer. The literals of nvcc have numbers, which differ
/// from link to link, and so have one name.
pub(super) fn of_target(symbol: &str) -> String {
    if symbol.starts_with(LITERAL_OF_NVCC) { LITERAL_OF_NVCC.to_owned() } else { original(symbol) }
}

/// Returns the name that a symbol had in its unit, including the dots that PTX does not allow. It
/// may have been promoted twice: for importers, and for the partitions of its module.
pub(super) fn original(symbol: &str) -> String {
    let Some(mut name) = unpromoted(symbol) else { return symbol.replace(LLVM_DOT, ".") };
    while let Some(earlier) = unpromoted(name) {
        name = earlier;
    }
    unescaped(name)
}

/// Returns the original name of a promoted symbol, or `None` for other symbols.
fn unpromoted(symbol: &str) -> Option<&str> {
    let (name, hash) = symbol.rsplit_once(PROMOTED)?;
    let is_hash = hash.len() == HASH && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then_some(name)
}

/// Returns whether a compiler gives this name to constants without identity, which may have any
/// number of copies.
pub(super) fn is_literal(name: &str) -> bool {
    if name.starts_with(LITERAL_OF_NVCC) {
        return true;
    }
    let name = name.trim_start_matches('.');
    name.starts_with("str") && name[3..].bytes().all(|byte| byte == b'.' || byte.is_ascii_digit())
        || name.starts_with("__const.")
        || name.starts_with("switch.table.")
}

/// Decodes a promoted name, in which `$` and two hexadecimal digits encode a character that PTX
/// does not allow, such as `$2e` for a dot.
fn unescaped(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('$') {
        bytes.extend(before.bytes());
        let code = after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = if let Some(byte) = code {
            bytes.push(byte);
            &after[2..]
        } else {
            bytes.push(b'$');
            after
        };
    }
    bytes.extend(rest.bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_has_its_own_name_again() {
        for (symbol, name) in [
            ("_ZL7counter", "_ZL7counter"),
            ("_ZL7counter_weft_0123456789abcdef", "_ZL7counter"),
            ("$2estr$2e4_weft_0123456789abcdef", ".str.4"),
            ("_$_str_$_4", ".str.4"),
            ("$2estr_weft_0123456789abcdef_weft_fedcba9876543210", ".str"),
            ("left_weft_right", "left_weft_right"),
        ] {
            assert_eq!(original(symbol), name, "{symbol}");
        }
    }

    #[test]
    fn constants_without_identity_are_known_by_name() {
        for name in [".str", ".str.12", "$str$3", "__const._Z1fv.table", "switch.table._Z1fv"] {
            assert!(is_literal(name), "{name}");
        }
        for name in ["str_of_mine", "state", "_ZL4str1"] {
            assert!(!is_literal(name), "{name}");
        }
    }
}
