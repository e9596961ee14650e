//! clang, CUDA and their parts.

use std::path::{Path, PathBuf};

use weft_cli::{CUDA_PROGRAMS, LLVM_LINKER, Place, beside_clang, offload_packer};

use crate::doctor::finding::Finding;
use crate::doctor::programs::version;

/// Remedy for clang.
const CLANG: &str = "install clang 22, or another one from 16 on (Debian: clang-22 and \
                     clang-tools-22), or name it: --clang here, CMAKE_CUDA_COMPILER for CMake, \
                     WEFT_LLVM_PREFIX for Bazel, the search path for Make";
/// Remedy for CUDA.
const CUDA: &str = "install CUDA 13, or name its root: --cuda here, CUDAToolkit_ROOT for CMake, \
                    WEFT_CUDA_ROOT for Bazel, the search path for Make";

/// Looks at clang and at LLVM's programs beside it. Returns clang, if it can be started.
pub(crate) fn clang(place: &Place, findings: &mut Vec<Finding>) -> Option<PathBuf> {
    let Some(clang) = place.path.clone().filter(|path| path.is_file()) else {
        let looked = match &place.path {
            Some(path) => format!("there is no {}, which {} names", path.display(), place.named_by),
            None => format!("neither clang nor clang-22 to clang-16 is on {}", place.named_by),
        };
        findings.push(Finding::fails("clang", looked, CLANG));
        return None;
    };
    let version = match version(&clang, "clang version ") {
        Ok(version) => version,
        Err(reason) => {
            let reason = format!("{}: {reason}", clang.display());
            findings.push(Finding::fails("clang", reason, CLANG));
            return None;
        }
    };
    findings.push(Finding::ok("clang", format!("{version}, {}", clang.display())));
    let major = version.split('.').next().and_then(|number| number.parse().ok()).unwrap_or(22);
    for (name, remedy) in [
        (LLVM_LINKER, format!("install it if you build with Bazel (Debian: lld-{major})")),
        (
            offload_packer(major),
            format!("install it: clang {major} packs device code with it (Debian: llvm-{major})"),
        ),
    ] {
        findings.push(match beside_clang(&clang, name) {
            Some(path) => Finding::ok(name, path.display().to_string()),
            None => Finding::note(name, "not beside clang", remedy),
        });
    }
    Some(clang)
}

/// Looks at CUDA and its parts. Returns its root if it is a folder.
pub(crate) fn cuda(place: &Place, findings: &mut Vec<Finding>) -> Option<PathBuf> {
    let root = place.path.clone().unwrap_or_default();
    if !root.is_dir() {
        let named = format!("{} is no folder ({})", root.display(), place.named_by);
        findings.push(Finding::fails("CUDA", named, CUDA));
        return None;
    }
    let shown = root.display();
    findings.push(match header_version(&root) {
        Some(version) => Finding::ok("CUDA", format!("{version}, {shown}")),
        None => Finding::fails("CUDA", format!("{shown} has no include/cuda.h"), CUDA),
    });
    for name in CUDA_PROGRAMS {
        let program = root.join("bin").join(name);
        findings.push(if program.is_file() {
            match version(&program, ", release ") {
                Ok(version) => Finding::ok(name, format!("{version}, {}", program.display())),
                Err(reason) => {
                    Finding::fails(name, format!("{}: {reason}", program.display()), CUDA)
                }
            }
        } else {
            Finding::fails(name, format!("not in {shown}/bin"), CUDA)
        });
    }
    findings.extend(PARTS.iter().map(|part| part.look(&root)));
    Some(root)
}

/// A file or folder of CUDA.
struct Part {
    name: &'static str,
    /// Places below the root, of which one is enough.
    places: &'static [&'static str],
    /// The feature that needs it; empty if every build does.
    only_for: &'static str,
}

const PARTS: [Part; 4] = [
    Part { name: "libdevice", places: &["nvvm/libdevice/libdevice.10.bc"], only_for: "" },
    Part {
        name: "libcudart_static.a",
        places: &["lib64/libcudart_static.a", "lib/libcudart_static.a"],
        only_for: "",
    },
    Part { name: "libnvvm", places: &["nvvm/lib64/libnvvm.so"], only_for: "--codegen=libnvvm" },
    Part {
        name: "CCCL",
        places: &["include/cccl", "include/thrust"],
        only_for: "Thrust, CUB and libcu++",
    },
];

impl Part {
    fn look(&self, root: &Path) -> Finding {
        let mut places = self.places.iter().map(|place| root.join(place));
        if let Some(path) = places.find(|path| path.exists()) {
            return Finding::ok(self.name, path.display().to_string());
        }
        let missing = format!("{} has no {}", root.display(), self.places.join(" or "));
        if self.only_for.is_empty() {
            return Finding::fails(self.name, missing, CUDA);
        }
        let remedy = format!("install this part of CUDA if you use {}", self.only_for);
        Finding::note(self.name, missing, remedy)
    }
}

/// Returns the version that `cuda.h` states, such as 13.5.
fn header_version(root: &Path) -> Option<String> {
    let header = std::fs::read_to_string(root.join("include/cuda.h")).ok()?;
    let number = header.lines().find_map(|line| line.strip_prefix("#define CUDA_VERSION "))?;
    let number: u32 = number.trim().parse().ok()?;
    Some(format!("{}.{}", number / 1000, number % 1000 / 10))
}
