//! Checks that bytes that claim to be a result can be one.
//!
//! A digest proves that bytes are unchanged, but not that they are PTX or a cubin. A dishonest
//! server or a broken worker could otherwise put a file into every later build. So a result that
//! was not made here is checked by its kind before it is used or kept, and one that cannot be read
//! is rejected.

/// The claimed result of an action.
#[derive(Clone, Debug)]
pub struct Claim<'result> {
    /// The action's arguments.
    pub arguments: Vec<&'result str>,
    /// Each output by its name in the action's folder.
    pub outputs: Vec<(&'result str, &'result [u8])>,
}

/// Checks a result. The error describes the fault, in words that follow the name of the result's
/// source. A check needs the fields of the action alone.
pub type Check = fn(&Claim<'_>) -> Result<(), String>;

impl Claim<'_> {
    /// Returns the argument that follows `option`.
    pub fn value_of(&self, option: &str) -> Option<&str> {
        let mut arguments = self.arguments.iter();
        arguments.find(|argument| **argument == option)?;
        arguments.next().copied()
    }

    /// Runs `check` on every output, and returns the first fault, with the name of the output.
    pub fn check_each(
        &self,
        check: impl Fn(&str, &[u8]) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut outputs = self.outputs.iter();
        outputs.try_for_each(|(name, content)| {
            check(name, content).map_err(|reason| format!("{name}: {reason}"))
        })
    }
}

/// Checks `outputs`, which have the names `names`, as the result of an action with `arguments`.
pub(crate) fn check_outputs<'result>(
    check: Check,
    arguments: Vec<&'result str>,
    names: impl Iterator<Item = &'result str>,
    outputs: &'result [Vec<u8>],
) -> Result<(), String> {
    let names: Vec<&str> = names.collect();
    if names.len() != outputs.len() {
        return Err(format!("it has {} outputs instead of {}", outputs.len(), names.len()));
    }
    let outputs = names.into_iter().zip(outputs.iter().map(Vec::as_slice)).collect();
    check(&Claim { arguments, outputs })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_followed_by_its_value() {
        let claim = Claim { arguments: vec!["-v", "--gpu-name", "sm_90"], outputs: vec![] };
        assert_eq!(claim.value_of("--gpu-name"), Some("sm_90"));
        assert_eq!(claim.value_of("sm_90"), None);
        assert_eq!(claim.value_of("--none"), None);
    }

    #[test]
    fn the_first_output_with_a_fault_is_named() {
        let outputs: Vec<(&str, &[u8])> = vec![("a", b"1"), ("b", b"2"), ("c", b"2")];
        let claim = Claim { arguments: vec![], outputs };
        let is = |expected: &'static [u8]| {
            move |_: &str, content: &[u8]| {
                if content == expected { Ok(()) } else { Err("wrong".to_owned()) }
            }
        };
        assert_eq!(claim.check_each(is(b"1")), Err("b: wrong".to_owned()));
        assert_eq!(claim.check_each(|_, _| Ok(())), Ok(()));
    }
}
