//! Programs that were written for the benches, in the folder `written`.

use std::path::Path;

use crate::source::{Kind, Source};
use dev_builds::{Settings, Variant};
use dev_process::Result;
use dev_toolchain::samples;

const CUB: &[(&str, &str)] = &[
    ("include/cub.cuh", include_str!("written/cub/cub.cuh.txt")),
    ("src/histogram.cu", include_str!("written/cub/histogram.cu.txt")),
    ("src/main.cpp", include_str!("written/cub/main.cpp.txt")),
    ("src/merge.cu", include_str!("written/cub/merge.cu.txt")),
    ("src/reduce.cu", include_str!("written/cub/reduce.cu.txt")),
    ("src/runs.cu", include_str!("written/cub/runs.cu.txt")),
    ("src/scan.cu", include_str!("written/cub/scan.cu.txt")),
    ("src/segments.cu", include_str!("written/cub/segments.cu.txt")),
    ("src/select.cu", include_str!("written/cub/select.cu.txt")),
    ("src/sort.cu", include_str!("written/cub/sort.cu.txt")),
];

const NVSHMEM: &[(&str, &str)] = &[
    ("src/exchange.cu", include_str!("written/nvshmem/exchange.cu.txt")),
    ("src/gather.cu", include_str!("written/nvshmem/gather.cu.txt")),
    ("src/main.cpp", include_str!("written/nvshmem/main.cpp.txt")),
    ("include/nvshmem.cuh", include_str!("written/nvshmem/nvshmem.cuh.txt")),
    ("src/reduce.cu", include_str!("written/nvshmem/reduce.cu.txt")),
    ("src/ring.cu", include_str!("written/nvshmem/ring.cu.txt")),
    ("src/scatter.cu", include_str!("written/nvshmem/scatter.cu.txt")),
    ("src/topology.cu", include_str!("written/nvshmem/topology.cu.txt")),
];

const THREE_KERNELS: &[(&str, &str)] = &[
    ("include/nvshmem.cuh", include_str!("written/three_kernels/nvshmem.cuh.txt")),
    ("src/exchange.cu", include_str!("written/three_kernels/exchange.cu.txt")),
    ("src/gather.cu", include_str!("written/three_kernels/gather.cu.txt")),
    ("src/main.cpp", include_str!("written/three_kernels/main.cpp.txt")),
    ("src/ring.cu", include_str!("written/three_kernels/ring.cu.txt")),
];

const FUNCTORS: &[(&str, &str)] = &[
    ("src/chemistry.cu", include_str!("written/functors/chemistry.cu.txt")),
    ("src/geometry.cu", include_str!("written/functors/geometry.cu.txt")),
    ("src/gravity.cu", include_str!("written/functors/gravity.cu.txt")),
    ("src/heat.cu", include_str!("written/functors/heat.cu.txt")),
    ("src/hydrodynamics.cu", include_str!("written/functors/hydrodynamics.cu.txt")),
    ("src/lattice.cu", include_str!("written/functors/lattice.cu.txt")),
    ("src/main.cpp", include_str!("written/functors/main.cpp.txt")),
    ("src/maxwell.cu", include_str!("written/functors/maxwell.cu.txt")),
    ("src/molecules.cu", include_str!("written/functors/molecules.cu.txt")),
    ("src/particles.cu", include_str!("written/functors/particles.cu.txt")),
    ("include/physics.cuh", include_str!("written/functors/physics.cuh.txt")),
    ("include/portable.cuh", include_str!("written/functors/portable.cuh.txt")),
    ("src/radiation.cu", include_str!("written/functors/radiation.cu.txt")),
    ("src/random.cu", include_str!("written/functors/random.cu.txt")),
    ("src/rates.cu", include_str!("written/functors/rates.cu.txt")),
    ("src/state.cu", include_str!("written/functors/state.cu.txt")),
];

/// Returns the program with algorithms of CUB for several types; CUB's headers are a part of CUDA.
pub(super) fn cub() -> Source {
    Source {
        name: "cub",
        what: format!("{} units with algorithms of CUB", cuda_units(CUB)),
        runs: true,
        reference: Variant::Dlto,
        kind: Kind::Written(CUB, None),
        // The warnings are about code that is not ours.
        settings: Settings { compile_options: vec!["-w".to_owned()], ..Settings::default() },
    }
}

/// Returns the program of kernels on NVSHMEM's device library, which is a module of 2,800
/// functions.
pub(super) fn nvshmem(root: &Path) -> Result<Source> {
    on_nvshmem(root, NVSHMEM, &format!("{} units", cuda_units(NVSHMEM)))
}

/// Returns the program of three kernels on the same library.
pub(super) fn three_kernels(root: &Path) -> Result<Source> {
    on_nvshmem(root, THREE_KERNELS, "three kernels")
}

fn on_nvshmem(
    root: &Path,
    files: &'static [(&'static str, &'static str)],
    kernels: &str,
) -> Result<Source> {
    let library = samples::ensure(root, samples::NVSHMEM)?.join(samples::NVSHMEM_LIBRARY);
    Ok(Source {
        name: "nvshmem",
        what: format!("{kernels} on {}", samples::NVSHMEM_LIBRARY),
        runs: false,
        reference: Variant::Whole,
        kind: Kind::Written(files, Some(library)),
        settings: Settings::default(),
    })
}

/// Returns the program with a portability layer of templates and lambdas, and physics in separate
/// units.
pub(super) fn functors() -> Source {
    Source {
        name: "functors",
        what: format!("{} units of functors and lambdas", cuda_units(FUNCTORS)),
        runs: true,
        reference: Variant::Dlto,
        kind: Kind::Written(FUNCTORS, None),
        settings: Settings {
            nvcc_options: vec!["--extended-lambda".to_owned()],
            ..Settings::default()
        },
    }
}

fn cuda_units(files: &[(&str, &str)]) -> usize {
    with_extension(files, "cu")
}

fn with_extension(files: &[(&str, &str)], extension: &str) -> usize {
    let is_so = |name: &str| Path::new(name).extension().is_some_and(|found| found == extension);
    files.iter().filter(|(name, _)| is_so(name)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_at_least_six_units_and_one_of_the_host() {
        for files in [CUB, NVSHMEM, FUNCTORS] {
            assert!(cuda_units(files) >= 6);
            assert_eq!(with_extension(files, "cpp"), 1);
        }
    }
}
