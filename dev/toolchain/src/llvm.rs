//! Finds LLVM: the one that the user names, or the one that Debian's packages install.

use std::path::{Path, PathBuf};

use dev_process::{Error, Process, Result, environment};

/// Variable that names an existing LLVM; nothing of LLVM is installed when it is set.
pub const LLVM_VARIABLE: &str = "WEFT_LLVM_PREFIX";

/// Returns the LLVM prefix, or `None` if no LLVM of this major version is installed. An LLVM that
/// the user names must exist and be of that version.
pub(crate) fn prefix(major: &str) -> Result<Option<PathBuf>> {
    if let Some(given) = environment::variable(LLVM_VARIABLE).map(PathBuf::from) {
        return given_prefix(&given, major).map(Some);
    }
    // Debian's llvm-N-dev puts this name on PATH, and the programs without a version below it.
    let Some(llvm_config) = environment::find_program(&format!("llvm-config-{major}")) else {
        return Ok(None);
    };
    let prefix = ask(&llvm_config, "--prefix")?;
    Ok(Some(PathBuf::from(prefix)))
}

/// Returns the prefix that the `llvm-config` below `given` prints. It differs from `given` if the
/// program is a link, as Debian's `/usr/bin/llvm-config-N` is.
fn given_prefix(given: &Path, major: &str) -> Result<PathBuf> {
    let names = [format!("bin/llvm-config-{major}"), "bin/llvm-config".to_owned()];
    let llvm_config = names.map(|name| given.join(name));
    let Some(llvm_config) = llvm_config.iter().find(|path| environment::is_executable(path)) else {
        let text = format!("{LLVM_VARIABLE} is {}, but it has no bin/llvm-config", given.display());
        return Err(Error::new(text));
    };
    let version = ask(llvm_config, "--version")?;
    if version.split('.').next() == Some(major) {
        return ask(llvm_config, "--prefix").map(PathBuf::from);
    }
    let given = given.display();
    Err(Error::new(format!("{LLVM_VARIABLE} is {given}: LLVM {version}, but {major} is needed")))
}

fn ask(llvm_config: &Path, question: &str) -> Result<String> {
    let answer = Process::new(llvm_config).arg(question).quietly().capture()?;
    Ok(answer.trim().to_owned())
}
