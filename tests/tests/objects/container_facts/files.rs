//! The cubins that the tests read, which are made once.

use std::sync::LazyLock;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use weft_tests::{Run, Workbench, tools};

/// The cubins, and what ptxas said about them.
pub(crate) struct Built {
    pub(crate) bench: Workbench,
    /// Names and the statistics that ptxas printed, for cubins of `kernels.cu`.
    pub(crate) kernels: Vec<(&'static str, String)>,
}

/// Cubins of all architectures and modes.
pub(crate) const CUBINS: [&str; 6] =
    ["sm_90.cubin", "sm_80.cubin", "whole.cubin", "linked.cubin", "images.cubin", "old.cubin"];

/// Returns the folder with the cubins.
pub(crate) fn built() -> &'static Built {
    static BUILT: LazyLock<Built> = LazyLock::new(build);
    &BUILT
}

fn build() -> Built {
    let bench = Workbench::new();
    bench.write("kernels.cu", include_str!("kernels.cu"));
    bench.write("other.ptx", include_str!("other.ptx"));
    bench.write("images.ptx", include_str!("images.ptx"));
    let nvcc = ["-arch=compute_80", "-rdc=true", "-ptx", "kernels.cu", "-o", "kernels.ptx"];
    cuda(&bench, "nvcc", &nvcc);
    // A whole program wants to know sizes.
    let text = String::from_utf8(bench.read("kernels.ptx")).unwrap();
    bench.write("sized.ptx", text.replace("unsized[]", "unsized[32]"));
    let kernels = [
        ("sm_90.cubin", ["-arch=sm_90", "-c", "kernels.ptx"]),
        ("sm_80.cubin", ["-arch=sm_80", "-c", "kernels.ptx"]),
        ("whole.cubin", ["-arch=sm_90", "-ewp", "sized.ptx"]),
    ];
    let kernels = kernels.map(|(name, mode)| {
        let files = ["-v", "-maxrregcount=32", "-o", name];
        (name, cuda(&bench, "ptxas", &[&mode[..], &files].concat()))
    });
    cuda(&bench, "ptxas", &["-arch=sm_90", "-c", "other.ptx", "-o", "other.cubin"]);
    cuda(&bench, "ptxas", &["-arch=sm_90", "-c", "images.ptx", "-o", "images.cubin"]);
    let old = Run::new(tools().cuda_12().join("bin/ptxas"), bench.path());
    old.args(["-arch=sm_90", "-c", "images.ptx", "-o", "old.cubin"]).succeed();
    let linked = ["-arch=sm_90", "sm_90.cubin", "other.cubin", "-o", "linked.cubin"];
    cuda(&bench, "nvlink", &linked);
    Built { bench, kernels: kernels.into() }
}

/// Runs one of CUDA's programs, and returns what it printed.
pub(crate) fn cuda(bench: &Workbench, program: &str, arguments: &[&str]) -> String {
    let run = Run::new(tools().cuda(program), bench.path()).args(arguments.iter().copied());
    let outcome = run.succeed();
    outcome.stdout + &outcome.stderr
}

/// Returns the place in a file of the field at `offset` in the symbol `name`.
pub(crate) fn symbol_field(file: &[u8], name: &str, offset: u64) -> usize {
    let elf = object::read::elf::ElfFile64::<object::Endianness>::parse(file).unwrap();
    let (table, _) = elf.section_by_name(".symtab").unwrap().file_range().unwrap();
    let symbol = elf.symbols().find(|symbol| symbol.name() == Ok(name)).unwrap();
    usize::try_from(table + symbol.index().0 as u64 * 24 + offset).unwrap()
}

/// Returns the place in a file of the header of a section. Numbers of eight bytes in it are the
/// section's offset, from the byte 24 on, and its size.
pub(crate) fn section_header(file: &[u8], name: &str) -> usize {
    let elf = object::read::elf::ElfFile64::<object::Endianness>::parse(file).unwrap();
    let headers = u64::from_le_bytes(file[40..48].try_into().unwrap());
    let number = elf.section_by_name(name).unwrap().index().0;
    usize::try_from(headers).unwrap() + number * 64
}

/// Returns the range of a section in a file.
pub(crate) fn section(file: &[u8], name: &str) -> std::ops::Range<usize> {
    let elf = object::read::elf::ElfFile64::<object::Endianness>::parse(file).unwrap();
    let (start, size) = elf.section_by_name(name).unwrap().file_range().unwrap();
    usize::try_from(start).unwrap()..usize::try_from(start + size).unwrap()
}
