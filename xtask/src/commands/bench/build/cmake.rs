//! CMake with Ninja: the time of a build that has nothing to do, and of one after an edit of a body
//! that nobody imports, against the same edit in the same program without link-time optimisation.

use std::path::Path;

use super::{LARGE, Setup};
use crate::commands::bench::{median, print_metric};
use crate::error::{Error, Result};
use crate::process::Process;
use crate::program::{Edit, Program, Tools};
use crate::stopwatch::Stopwatch;

/// How often each build is timed; the median counts.
const RUNS: usize = 5;

/// How the device code is linked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    Weft,
    /// As CMake does with nvcc and separable compilation: calls between units stay calls.
    Rdc,
}

/// Seconds of two builds.
struct Seconds {
    noop: f64,
    rebuild: f64,
}

pub(super) fn measure(setup: &Setup) -> Result<()> {
    let weft = time(setup, Link::Weft)?;
    let rdc = time(setup, Link::Rdc)?;
    print_metric("build.noop_seconds_ninja", weft.noop);
    print_metric("build.noop_seconds_ninja_rdc", rdc.noop);
    print_metric("build.rebuild_seconds", weft.rebuild);
    print_metric("build.rebuild_seconds_rdc", rdc.rebuild);
    print_metric("build.rebuild_vs_rdc", weft.rebuild / rdc.rebuild);
    Ok(())
}

fn time(setup: &Setup, link: Link) -> Result<Seconds> {
    let name = if link == Link::Weft { "cmake-weft" } else { "cmake-rdc" };
    let folder = setup.program(name, LARGE)?;
    let build_folder = folder.join("build");
    configure(setup, link, &folder, &build_folder)?;
    let stopwatch = Stopwatch::start();
    build(setup, &build_folder)?;
    println!("{name}: {LARGE} units built in {stopwatch}");

    let timed = |work: &dyn Fn() -> Result<()>| -> Result<f64> {
        let stopwatch = Stopwatch::start();
        work()?;
        Ok(stopwatch.seconds())
    };
    let mut noop = Vec::new();
    for _ in 0..RUNS {
        noop.push(timed(&|| {
            let said = build(setup, &build_folder)?;
            let did_nothing = said.contains("no work to do");
            did_nothing.then_some(()).ok_or_else(|| Error::new(format!("{name}: it did {said}")))
        })?);
    }
    let tools =
        Tools { toolchain: setup.toolchain.clone(), executables: setup.executables.clone() };
    let edit = Edit::find(&Program::open(&folder, &tools)?, "private-edit")?;
    let mut rebuild = Vec::new();
    for _ in 0..RUNS {
        for change in [Edit::apply, Edit::undo] {
            change(&edit)?;
            rebuild.push(timed(&|| build(setup, &build_folder).map(drop))?);
        }
    }
    Ok(Seconds { noop: median(noop), rebuild: median(rebuild) })
}

fn configure(setup: &Setup, link: Link, folder: &Path, build_folder: &Path) -> Result<()> {
    let cuda = setup.toolchain.cuda_root.display();
    let llvm = setup.toolchain.llvm_prefix.display();
    let package = setup.root.join("cmake");
    let specific = match link {
        Link::Weft => vec![
            format!("-DCMAKE_CUDA_COMPILER={llvm}/bin/clang++"),
            format!(
                "-DCMAKE_CUDA_FLAGS=--cuda-path={cuda} --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version"
            ),
            format!("-DWeft_DIR={}", package.display()),
            format!("-DWeft_EXECUTABLES_DIR={}", setup.executables.display()),
        ],
        Link::Rdc => {
            vec![format!("-DCMAKE_CUDA_COMPILER={cuda}/bin/nvcc"), "-DWITH_WEFT=OFF".to_owned()]
        }
    };
    Process::new("cmake")
        .arg("-S")
        .arg(folder)
        .arg("-B")
        .arg(build_folder)
        .args(["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CUDA_ARCHITECTURES=90-real"])
        .arg(format!("-DCUDAToolkit_ROOT={cuda}"))
        .args(specific)
        .quietly()
        .capture()
        .map(drop)
}

/// Builds and returns what Ninja said.
fn build(setup: &Setup, build_folder: &Path) -> Result<String> {
    Process::new(&setup.toolchain.ninja).arg("-C").arg(build_folder).quietly().capture()
}
