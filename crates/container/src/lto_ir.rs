//! NVIDIA's LTO IR in a unit: the entries of its fat binaries that are modules, and each of them
//! alone.
//!
//! LTO IR is scrambled, and nvlink is the only program that reads it. nvlink takes fat binaries, so
//! a module leaves its unit as a fat binary with one entry. Host code and code for other
//! architectures are not in it, and so an edit of host code changes no input of nvlink.
//!
//! Beside LTO IR a container may hold cubins and PTX of the same code. nvlink prefers the LTO IR
//! when it optimizes at link time, and so does Weft. A container only for other architectures is
//! code that the link would miss.

use thiserror::Error;
use weft_artifact::{architecture_parts, best_fit};

use crate::fatbin::{self, FatbinEntry, FatbinError, FatbinKind};
use crate::opaque::is_lto_ir;

/// LTO IR of one module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LtoIr {
    /// Architecture of the image that it is for, such as `sm_90`.
    pub architecture: String,
    /// Options of the compilation as the fat binary states them, such as `-ftz=0 -prec_div=1`;
    /// empty for a file of LTO IR alone.
    pub options: String,
    /// Fat binary that holds the module alone. It is the same for an object and for what was
    /// extracted from it.
    pub fatbin: Vec<u8>,
}

/// The reason why nvcc's device code cannot be optimized. The caller adds the file's name.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum LtoIrError {
    /// The unit holds LTO IR for several architectures, and none was chosen.
    #[error("LTO IR for several architectures ({0}): choose one with --arch")]
    Ambiguous(String),
    /// The device code is of a whole program.
    #[error(
        "nvcc compiled its device code as a whole program, which no link can optimize: compile it \
         with {remedy}"
    )]
    WholeProgram {
        /// Options for nvcc.
        remedy: String,
    },
    /// The device code has no LTO IR for the chosen architecture.
    #[error("no LTO IR for the wanted architecture, only {present}: compile it with {remedy}")]
    Missing {
        /// Contents of the fat binary.
        present: String,
        /// Options for nvcc.
        remedy: String,
    },
    /// The file is LTO IR, and no architecture was chosen.
    #[error("LTO IR that does not state its architecture: name it with --arch")]
    UnknownArchitecture,
}

/// Role of LTO IR among a unit's device code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LtoIrUse {
    /// LTO IR for the wanted architecture is a module; other code of nvcc is opaque.
    #[default]
    Taken,
    /// Device code of nvcc without LTO IR for the wanted architecture is an error.
    Required,
    /// All LTO IR is opaque.
    Opaque,
}

impl LtoIrUse {
    /// Takes the LTO IR for `wanted` out of the container with these entries. Returns `None` if the
    /// whole container is opaque.
    pub(crate) fn take(
        self,
        container: &[FatbinEntry<'_>],
        wanted: Option<&str>,
        is_relocatable: bool,
    ) -> Result<Option<LtoIr>, LtoIrError> {
        if self == Self::Opaque {
            return Ok(None);
        }
        let all = container.iter().filter(|entry| entry.kind == FatbinKind::LtoIr);
        let architectures = all.clone().map(|entry| entry.architecture.as_str());
        let wanted = match (wanted, unique(architectures.clone()).as_slice()) {
            (Some(wanted), _) => wanted,
            (None, [only]) => only,
            (None, []) => "",
            (None, several) => return Err(LtoIrError::Ambiguous(several.join(", "))),
        };
        let chosen = best_fit(architectures, wanted);
        if let Some(entry) = all.clone().find(|entry| Some(&*entry.architecture) == chosen) {
            let options = String::from_utf8_lossy(entry.options).into_owned();
            let fatbin = fatbin::container_of(entry.bytes);
            return Ok(Some(LtoIr { architecture: wanted.to_owned(), options, fatbin }));
        }
        // nvlink assembles PTX for any later architecture.
        let is_usable =
            |entry: &FatbinEntry<'_>| entry.kind == FatbinKind::Ptx || entry.architecture == wanted;
        let may_be_opaque =
            self == Self::Taken && (all.count() == 0 || container.iter().any(is_usable));
        if container.is_empty() || may_be_opaque {
            return Ok(None);
        }
        if !is_relocatable {
            return Err(LtoIrError::WholeProgram { remedy: remedy(wanted) });
        }
        let present = unique(container.iter().map(described)).join(", ");
        Err(LtoIrError::Missing { present, remedy: remedy(wanted) })
    }

    /// Takes a file that is LTO IR alone. It states no architecture, so it is opaque if none is
    /// wanted.
    pub(crate) fn take_alone(
        self,
        content: &[u8],
        wanted: Option<&str>,
    ) -> Result<Option<LtoIr>, LtoIrError> {
        if self == Self::Opaque || !is_lto_ir(content) {
            return Ok(None);
        }
        let Some((wanted, (number, variant))) =
            wanted.and_then(|name| Some((name, architecture_parts(name)?)))
        else {
            return match self {
                Self::Required => Err(LtoIrError::UnknownArchitecture),
                Self::Taken | Self::Opaque => Ok(None),
            };
        };
        let fatbin = fatbin::container_of_lto_ir(content, number, variant);
        let (architecture, options) = (wanted.to_owned(), String::new());
        Ok(Some(LtoIr { architecture, options, fatbin }))
    }
}

/// Returns the architectures of the modules of LTO IR in the containers of `data`, in order.
pub(crate) fn architectures(data: &[u8]) -> Result<Vec<String>, FatbinError> {
    let entries = fatbin::fatbin_entries(data)?.into_iter();
    let modules = entries.filter(|entry| entry.kind == FatbinKind::LtoIr);
    Ok(modules.map(|entry| entry.architecture).collect())
}

/// Returns the options by which nvcc writes what is missing.
fn remedy(wanted: &str) -> String {
    let number = wanted.strip_prefix("sm_").filter(|number| !number.is_empty()).unwrap_or("NN");
    format!("-dc -gencode arch=compute_{number},code=lto_{number}")
}

/// Returns the name of an entry in NVIDIA's words, such as `lto_90`.
fn described(entry: &FatbinEntry<'_>) -> String {
    let number = entry.architecture.trim_start_matches("sm_");
    match entry.kind {
        FatbinKind::LtoIr => format!("lto_{number}"),
        FatbinKind::Ptx => format!("compute_{number}"),
        FatbinKind::Elf | FatbinKind::Other(_) => entry.architecture.clone(),
    }
}

/// Returns the texts without repetitions, in their order.
fn unique<Text: PartialEq>(texts: impl Iterator<Item = Text>) -> Vec<Text> {
    let mut list = Vec::new();
    for text in texts {
        if !list.contains(&text) {
            list.push(text);
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device_code::{DeviceCode, device_code};

    /// A container with LTO IR for each of these architectures.
    fn container(architectures: &[&str]) -> Vec<u8> {
        let entry = |architecture: &&str| {
            let (number, variant) = architecture_parts(architecture).unwrap();
            fatbin::container_of_lto_ir(b"ir", number, variant)[16..].to_vec()
        };
        fatbin::container_of(&architectures.iter().map(entry).collect::<Vec<_>>().concat())
    }

    fn taken(
        file: &[u8],
        wanted: Option<&str>,
        way: LtoIrUse,
    ) -> Result<DeviceCode<'static>, String> {
        let code = device_code(file, wanted, way).map_err(|error| error.to_string())?;
        Ok(DeviceCode { modules: Vec::new(), ..code })
    }

    #[test]
    fn each_container_gives_the_module_of_the_wanted_architecture_alone() {
        let file = [container(&["sm_80", "sm_90a"]), container(&["sm_90a"])].concat();
        let code = taken(&file, Some("sm_90a"), LtoIrUse::Taken).unwrap();
        assert!(code.opaque.is_empty());
        let [first, second] = &code.lto_ir[..] else { panic!("not two modules") };
        assert_eq!(first, second);
        assert_eq!((first.architecture.as_str(), first.options.as_str()), ("sm_90a", ""));
        assert_eq!(first.fatbin, container(&["sm_90a"]));
        let again = taken(&first.fatbin, None, LtoIrUse::Required).unwrap();
        assert_eq!(&again.lto_ir[0], first);
        let opaque = taken(&file, Some("sm_90a"), LtoIrUse::Opaque).unwrap();
        assert_eq!((opaque.lto_ir.len(), opaque.opaque.len()), (0, 3));
    }

    #[test]
    fn what_is_missing_is_named_with_the_option_to_give() {
        let file = container(&["sm_80", "sm_90a"]);
        let error = taken(&file, Some("sm_90"), LtoIrUse::Taken).unwrap_err();
        let expected = "no LTO IR for the wanted architecture, only lto_80, lto_90a: compile it \
                        with -dc -gencode arch=compute_90,code=lto_90";
        assert_eq!(error, expected);
        let error = taken(&file, None, LtoIrUse::Taken).unwrap_err();
        assert_eq!(
            error,
            "LTO IR for several architectures (sm_80, sm_90a): choose one with --arch"
        );
        let two = [container(&["sm_80"]), container(&["sm_90"])].concat();
        assert!(taken(&two, None, LtoIrUse::Taken).unwrap_err().contains("(sm_80, sm_90)"));
        // PTX can be linked as it is, unless LTO IR is required.
        let mut ptx = container(&["sm_80"]);
        ptx[16] = 1;
        assert_eq!(taken(&ptx, Some("sm_90"), LtoIrUse::Taken).unwrap().opaque.len(), 1);
        let error = taken(&ptx, Some("sm_90"), LtoIrUse::Required).unwrap_err();
        assert!(error.contains("only compute_80:"), "{error}");
        assert!(taken(&fatbin::container_of(&[]), Some("sm_90"), LtoIrUse::Required).is_ok());
    }

    #[test]
    fn lto_ir_alone_becomes_a_fat_binary_for_the_architecture() {
        let file = [0xED, 0x43, 0x4E, 0x7F, 1];
        let code = taken(&file, Some("sm_100f"), LtoIrUse::Taken).unwrap();
        let entries = fatbin::fatbin_entries(&code.lto_ir[0].fatbin).unwrap();
        assert_eq!(
            (entries[0].architecture.as_str(), entries[0].kind),
            ("sm_100f", FatbinKind::LtoIr)
        );
        assert_eq!(entries[0].content, [&file[..], &[0; 3]].concat());
        assert_eq!(taken(&file, None, LtoIrUse::Taken).unwrap().opaque.len(), 1);
        let error = taken(&file, None, LtoIrUse::Required).unwrap_err();
        assert_eq!(error, "LTO IR that does not state its architecture: name it with --arch");
        assert_eq!(taken(&file, Some("90"), LtoIrUse::Taken).unwrap().opaque.len(), 1);
    }
}
