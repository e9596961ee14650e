//! nvlink as a declared action.
//!
//! nvlink reads LTO IR with libnvvm, which it loads from the folder that `-nvvmpath` names. The
//! action has both and libdevice at fixed places, so results do not depend on where CUDA is.
//! libdevice is bitcode that no process executes or loads, so it is an ordinary input. nvlink exits
//! with 0 after some errors and leaves a file without code, so its messages are read, too.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;
use weft_action::{Action, ActionError, Claim, Input, Outcome, Phase, Session, Tool, find_program};
use weft_cli::{DOCTOR_HINT, Fault, failure, files};
use weft_container::ptx_facts;

/// Folder with libnvvm and libdevice among the files of an action.
const NVVM: &str = "nvvm";
/// Places of libnvvm below its folder or beside it. nvlink looks at the first; NVIDIA's packages
/// for Python lack it and have the last.
const LIBRARIES: [&str; 5] = [
    "lib64/libnvvm.so",
    "lib64/libnvvm.so.4",
    "lib/libnvvm.so",
    "lib/libnvvm.so.4",
    "../lib/libnvvm.so.4",
];
const LIBDEVICE: &str = "libdevice/libdevice.10.bc";
/// Words of nvlink about a failure, after which it may exit with 0.
const FAILURES: [&str; 4] = ["nvlink error", "nvlink fatal", "no LTO objects found", "SM Arch ('"];
/// Words of nvlink about LTO IR of a later CUDA.
const TOO_NEW: &str = "newer than toolkit";

/// Options that name NVIDIA's linker.
#[derive(Args, Clone, Debug, Default)]
pub struct NvlinkArguments {
    /// NVIDIA's linker, which reads the LTO IR in units of nvcc
    ///
    /// It has to be of the CUDA release that compiled the units, or of a later one.
    #[arg(long, value_name = "FILE", default_value = "nvlink")]
    nvlink: PathBuf,
    /// The folder `nvvm` of CUDA, with libnvvm and libdevice [default: `../nvvm` beside nvlink]
    #[arg(long, value_name = "DIR")]
    nvvm: Option<PathBuf>,
}

impl NvlinkArguments {
    /// Names this nvlink, with the libraries beside it.
    #[must_use]
    pub fn of(nvlink: &Path) -> Self {
        Self { nvlink: nvlink.to_owned(), nvvm: None }
    }

    /// Returns libnvvm and libdevice, if they are there.
    #[must_use]
    pub fn libraries(&self) -> Option<(PathBuf, PathBuf)> {
        let folders = self.folders(&self.nvlink);
        folders.iter().find_map(|folder| libraries_in(folder))
    }

    /// Returns the folders in which the libraries of `nvlink` may be.
    fn folders(&self, nvlink: &Path) -> Vec<PathBuf> {
        self.nvvm.clone().map_or_else(|| beside(nvlink), |folder| vec![folder])
    }

    /// Finds nvlink and its libraries.
    #[expect(
        clippy::disallowed_methods,
        reason = "a bare program name is looked up as a shell would"
    )]
    pub fn find(&self) -> anyhow::Result<Nvlink> {
        self.find_in(std::env::var_os("PATH").as_deref())
    }

    fn find_in(&self, search_path: Option<&OsStr>) -> anyhow::Result<Nvlink> {
        let name = self.nvlink.display();
        let nvlink = find_program(&self.nvlink, search_path).ok_or_else(|| {
            failure(
                Fault::Environment,
                format!(
                    "there is no {name}, which reads the LTO IR of nvcc: --nvlink names NVIDIA's \
                     linker, of CUDA 13; {DOCTOR_HINT}"
                ),
            )
        })?;
        let folders = self.folders(&nvlink);
        let found = folders.iter().find_map(|folder| libraries_in(folder));
        let (libnvvm, libdevice) = found.ok_or_else(|| {
            let folder = folders.first().map(|folder| folder.display().to_string());
            failure(
                Fault::Environment,
                format!(
                    "{} has no {} and {LIBDEVICE}, with which {name} reads the LTO IR of nvcc: \
                     --nvvm names the folder nvvm of CUDA; {DOCTOR_HINT}",
                    folder.unwrap_or_default(),
                    LIBRARIES[0]
                ),
            )
        })?;
        Ok(Nvlink { program: nvlink, libnvvm, libdevice: files::read(&libdevice)? })
    }
}

/// Returns libnvvm and libdevice in the folder `nvvm`.
fn libraries_in(nvvm: &Path) -> Option<(PathBuf, PathBuf)> {
    let is_file = |path: &PathBuf| path.is_file();
    let library = LIBRARIES.iter().map(|place| nvvm.join(place)).find(is_file)?;
    let libdevice = Some(nvvm.join(LIBDEVICE)).filter(is_file)?;
    Some((library, libdevice))
}

/// Returns the folders in which libnvvm may be: beside the folder of `nvlink`, or of the file that
/// it is a link to.
fn beside(nvlink: &Path) -> Vec<PathBuf> {
    let real = std::fs::canonicalize(nvlink).ok();
    let programs = [Some(nvlink), real.as_deref()].into_iter().flatten();
    programs.filter_map(Path::parent).map(|folder| folder.join("../nvvm")).collect()
}

/// nvlink and the files with which it reads LTO IR.
#[derive(Clone, Debug)]
pub struct Nvlink {
    program: PathBuf,
    libnvvm: PathBuf,
    /// Content of libdevice.
    libdevice: Vec<u8>,
}

/// One run of nvlink, from LTO IR to PTX.
#[derive(Clone, Debug)]
pub struct Run<'data> {
    /// Phase that runs it.
    pub phase: Phase,
    /// Name of the object of the work, for messages and misses of the cache.
    pub subject: String,
    /// Architecture to make PTX for.
    pub architecture: &'data str,
    /// Arguments besides those that every run needs.
    pub arguments: Vec<String>,
    /// Fat binaries of LTO IR, and files that arguments name.
    pub inputs: Vec<Input<'data>>,
}

/// Name of the file that a run writes.
const OUTPUT: &str = "module.ptx";

impl Nvlink {
    /// Returns the PTX of a run, from the cache where that has it. The inputs whose names end in
    /// `.fatbin` are linked, in their order.
    pub fn ptx(&self, session: &Session, run: Run<'_>) -> anyhow::Result<Vec<u8>> {
        let action = self.action(run);
        let outcome = session
            .get(&action, || -> anyhow::Result<Outcome> {
                let outcome = action.run_here()?;
                refuse_failure(&outcome)?;
                Ok(outcome)
            })
            .map_err(|error| match error.downcast::<ActionError>() {
                Ok(error) => failed(&error),
                Err(error) => error,
            })?;
        // A result from elsewhere was not looked at above.
        refuse_failure(&outcome)?;
        Ok(outcome.into_output())
    }

    /// Returns the declared action of a run.
    fn action<'data>(&'data self, run: Run<'data>) -> Action<'data> {
        let Run { phase, subject, architecture, arguments, mut inputs } = run;
        let mut line = vec![format!("-nvvmpath={NVVM}")];
        line.extend(["-arch", architecture, "-dlto", "-emit-ptx"].map(str::to_owned));
        line.extend(arguments);
        let linked = inputs.iter().map(|input| &input.name);
        line.extend(linked.filter(|name| name.ends_with(".fatbin")).cloned());
        line.extend(["-o", OUTPUT].map(str::to_owned));
        inputs.push(Input::new(format!("{NVVM}/{LIBDEVICE}"), &self.libdevice));
        let library = format!("{NVVM}/{}", LIBRARIES[0]);
        Action {
            phase,
            subject,
            program: Tool { name: "nvlink".to_owned(), path: self.program.clone() },
            arguments: line,
            tools: vec![Tool { name: library, path: self.libnvvm.clone() }],
            inputs,
            outputs: vec![OUTPUT.to_owned()],
            time_limit: None,
            check,
        }
    }
}

/// Checks that a result is PTX for the architecture that was wanted.
fn check(claim: &Claim<'_>) -> Result<(), String> {
    let wanted = claim.value_of("-arch");
    claim.check_each(|_, content| {
        let found = ptx_facts(content).map_err(|error| error.to_string())?.architecture;
        match wanted {
            Some(wanted) if wanted != found => {
                Err(format!("it is PTX for '{found}', not for {wanted}"))
            }
            _ => Ok(()),
        }
    })
}

/// Refuses an outcome in which nvlink speaks of a failure.
fn refuse_failure(outcome: &Outcome) -> anyhow::Result<()> {
    let messages = outcome.messages();
    if FAILURES.iter().any(|words| messages.contains(words)) {
        return Err(failure(Fault::Tool, explained(&format!("nvlink failed:\n{messages}"))));
    }
    Ok(())
}

fn failed(error: &ActionError) -> anyhow::Error {
    let fault = match error {
        ActionError::Start { .. } | ActionError::Folder { .. } | ActionError::Remote { .. } => {
            Fault::Environment
        }
        ActionError::Failed { .. }
        | ActionError::OutOfTime { .. }
        | ActionError::NoOutput { .. }
        | ActionError::Refused { .. } => Fault::Tool,
    };
    failure(fault, explained(&error.to_string()))
}

/// Returns nvlink's words with what to do about them, where that is known.
fn explained(words: &str) -> String {
    if words.contains(TOO_NEW) {
        let remedy = "the unit is of a later CUDA: give --nvlink of the release that compiled it";
        return format!("{words}\n{remedy}");
    }
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(nvlink: &str, nvvm: Option<&Path>) -> NvlinkArguments {
        NvlinkArguments { nvlink: nvlink.into(), nvvm: nvvm.map(Path::to_owned) }
    }

    #[test]
    fn nvlink_is_found_with_what_it_needs_beside_it_or_where_its_link_leads() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let place = |name: &str| {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            path
        };
        let nvlink = place("cuda/bin/nvlink");
        std::fs::write(&nvlink, "").unwrap();
        let search_path = nvlink.parent().unwrap().as_os_str();
        let found = |given: &NvlinkArguments| given.find_in(Some(search_path));
        let open = arguments("nvlink", None);
        let lacking = found(&open).unwrap_err();
        assert!(lacking.to_string().contains("cuda/bin/../nvvm has no lib64/libnvvm.so"));
        assert_eq!(weft_cli::exit_code(&lacking), 4);
        std::fs::write(place("cuda/nvvm/libdevice/libdevice.10.bc"), "bitcode").unwrap();
        std::fs::write(place("cuda/lib/libnvvm.so.4"), "").unwrap();
        let beside = found(&open).unwrap();
        assert!(beside.libnvvm.ends_with("nvvm/../lib/libnvvm.so.4"));
        assert_eq!(beside.libdevice, b"bitcode");
        std::os::unix::fs::symlink(&nvlink, place("usr/nvlink")).unwrap();
        let linked = root.join("usr/nvlink");
        assert!(found(&arguments(linked.to_str().unwrap(), None)).is_ok());
        assert!(found(&arguments("nvlink", Some(&root.join("usr")))).is_err());
        let missing = found(&arguments("nvlink-13", None)).unwrap_err();
        assert!(missing.to_string().starts_with("there is no nvlink-13"), "{missing}");
    }

    #[test]
    fn a_failure_after_which_nvlink_exits_with_0_is_one() {
        let said = |words: &str| {
            let stderr = words.as_bytes().to_vec();
            refuse_failure(&Outcome { stderr, ..Outcome::default() })
        };
        for words in [
            "nvlink error   : Uncompress failed",
            "nvlink warning : SM Arch ('sm_80') not found in 'unit.fatbin'",
            "nvlink warning : Ignoring -dlto option because no LTO objects found",
        ] {
            let error = said(words).unwrap_err();
            assert!(error.to_string().starts_with("nvlink failed:"), "{error}");
            assert!(error.to_string().contains(words));
            assert_eq!(weft_cli::exit_code(&error), 5);
        }
        let newer = said("nvlink fatal   : Input file 'unit' newer than toolkit (140 vs 135)");
        assert!(newer.unwrap_err().to_string().ends_with("the release that compiled it"));
        assert!(said("nvlink warning : Stack size is unknown").is_ok());
    }

    #[test]
    fn a_result_is_ptx_for_the_architecture() {
        let check = |content: &[u8]| {
            check(&Claim { arguments: vec!["-arch", "sm_90"], outputs: vec![(OUTPUT, content)] })
        };
        assert_eq!(check(b".version 9.5\n.target sm_90\n"), Ok(()));
        let other = check(b".version 9.5\n.target sm_80\n").unwrap_err();
        assert!(other.contains("for 'sm_80', not for sm_90"), "{other}");
        assert!(check(b"garbage").is_err());
    }
}
