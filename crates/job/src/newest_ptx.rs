//! The newest version of PTX that a ptxas takes.
//!
//! clang chooses a version by the CUDA whose headers it found, and LLVM writes PTX of that version.
//! A ptxas of an earlier CUDA refuses it. No option of ptxas prints its newest version, but its
//! message about a version that will never exist does: `Unsupported .version 99.9; current version
//! is '8.5'`.

use std::path::Path;
use std::time::Duration;

use weft_action::{Action, Input, Phase, Session, TimeLimit, Tool};

use crate::results::check_claim;

/// PTX of a version that no ptxas takes.
const PROBE: &[u8] = b".version 99.9\n.target sm_90\n.address_size 64\n";
/// Words of ptxas before the version.
const BEFORE: &str = "current version is '";
/// Time after which a ptxas is taken to have no answer. It answers in milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// Returns what [`newest_ptx`] does, if the cache does not know the answer already.
#[must_use]
pub fn known_newest_ptx(
    session: &Session,
    ptxas: &Path,
    limit: Option<&TimeLimit>,
) -> Option<String> {
    let tool = Tool { name: "ptxas".to_owned(), path: ptxas.to_owned() };
    session.answer(&tool, "newest PTX", || newest_ptx(ptxas, limit))
}

/// Asks `ptxas` for the newest version that it takes, such as `9.0`, within `limit`. `None` if it
/// does not say: the assembly then shows whether something is wrong with it.
#[must_use]
pub fn newest_ptx(ptxas: &Path, limit: Option<&TimeLimit>) -> Option<String> {
    let patience = limit.map_or_else(|| TimeLimit::new(PATIENCE), |limit| limit.at_most(PATIENCE));
    let action = Action {
        phase: Phase::Assemble,
        subject: "a question".to_owned(),
        program: Tool { name: "ptxas".to_owned(), path: ptxas.to_owned() },
        arguments: vec!["module.ptx".to_owned()],
        tools: Vec::new(),
        inputs: vec![Input::new("module.ptx", PROBE)],
        outputs: Vec::new(),
        time_limit: Some(patience),
        check: check_claim,
    };
    action.run_here().err().and_then(|error| said(&error.to_string()))
}

/// Reads the version in a message of ptxas.
fn said(message: &str) -> Option<String> {
    let version = message.split_once(BEFORE)?.1.split_once('\'')?.0;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (major, minor) = version.split_once('.')?;
    (is_number(major) && is_number(minor)).then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_found_in_the_message() {
        let message = "ptxas module.ptx, line 1; fatal   : Unsupported .version 99.9; current \
                       version is '8.5'\nptxas fatal   : Ptx assembly aborted due to errors";
        assert_eq!(said(message).as_deref(), Some("8.5"));
        assert_eq!(said("ptxas fatal   : Ptx assembly aborted due to errors"), None);
        assert_eq!(said("current version is 'new'"), None);
    }
}
