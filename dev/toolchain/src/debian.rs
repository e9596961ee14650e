//! Installs Debian packages, if the system is a Debian and the user may.

use std::path::Path;

use crate::presence::Missing;
use crate::state::State;
use dev_process::{Error, Process, Result, Stopwatch, environment};

/// Installs the packages with the missing things.
pub(crate) fn install(root: &Path, missing: &[Missing]) -> Result<()> {
    let mut packages: Vec<&str> = missing.iter().map(|part| part.part.as_str()).collect();
    packages.dedup();
    let apt_get = AptGet::find()?;
    let _state = State::lock(root)?;
    let stopwatch = Stopwatch::start();
    println!("installing Debian packages: {}", packages.join(" "));
    apt_get.process(&["update", "-q"]).run()?;
    let install = ["install", "-q", "-y", "--no-install-recommends"];
    apt_get.process(&install).args(packages.iter().copied()).run()?;
    println!("installed Debian packages ({stopwatch})");
    Ok(())
}

/// Way of running `apt-get`.
enum AptGet {
    AsRoot,
    WithSudo,
}

impl AptGet {
    fn find() -> Result<Self> {
        if environment::find_program("apt-get").is_none() {
            return Err(Error::new("cannot install: this system has no apt-get"));
        }
        if environment::is_root() {
            return Ok(Self::AsRoot);
        }
        let sudo = environment::find_program("sudo");
        let sudo_works = |sudo| {
            let outcome = Process::new(sudo).args(["-n", "true"]).quietly().outcome();
            outcome.is_ok_and(|outcome| outcome.success)
        };
        if sudo.is_some_and(sudo_works) {
            return Ok(Self::WithSudo);
        }
        Err(Error::new("cannot install: not root, and sudo is not to be had without a password"))
    }

    fn process(&self, arguments: &[&str]) -> Process {
        let variable = "DEBIAN_FRONTEND=noninteractive";
        let process = match self {
            Self::AsRoot => Process::new("env"),
            // sudo drops variables, so they are set behind it.
            Self::WithSudo => Process::new("sudo").args(["-n", "env"]),
        };
        // A machine that has just started may be upgrading itself, so apt-get waits for that, in
        // seconds.
        let patience = ["-o", "DPkg::Lock::Timeout=120"];
        process.args([variable, "apt-get"]).args(patience).args(arguments.iter().copied())
    }
}
