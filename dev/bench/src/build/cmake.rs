//! CMake with Ninja: the time of a build that has nothing to do, and of a build after an edit of a
//! body that no other unit imports, beside the same edit in the same program without link-time
//! optimization.

use std::path::{Path, PathBuf};

use super::setup::{LARGE, Setup};
use crate::figures::{median, print_metric};
use dev_builds::{Edit, Program, Tools};
use dev_process::{Error, Process, Result, Stopwatch};

/// Number of builds of each kind; the median of their times counts.
const RUNS: usize = 5;

/// Ways of linking the device code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    Weft,
    /// CMake's own way with clang, which is good for configuring alone, for the reason below.
    Clang,
    /// CMake's own way with nvcc and separable compilation: calls between units stay calls. With
    /// clang, CMake's device link gives fatbinary an option that CUDA 13 no longer has.
    Rdc,
}

/// A program that was built.
struct Built {
    name: &'static str,
    build_folder: PathBuf,
    edit: Edit,
}

pub(super) fn measure(setup: &Setup) -> Result<()> {
    let weft = prepare(setup, Link::Weft)?;
    let rdc = prepare(setup, Link::Rdc)?;
    print_metric("build.noop_seconds_ninja", noop_seconds(setup, &weft)?);
    print_metric("build.noop_seconds_ninja_rdc", noop_seconds(setup, &rdc)?);
    let (mut weft_seconds, mut rdc_seconds, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    // The two builds take turns, so that other work of the machine affects both.
    for _ in 0..RUNS {
        for change in [Edit::apply, Edit::undo] {
            let weft = rebuild_seconds(setup, &weft, change)?;
            let rdc = rebuild_seconds(setup, &rdc, change)?;
            weft_seconds.push(weft);
            rdc_seconds.push(rdc);
            ratios.push(weft / rdc);
        }
    }
    print_metric("build.rebuild_seconds", median(weft_seconds));
    print_metric("build.rebuild_seconds_rdc", median(rdc_seconds));
    print_metric("build.rebuild_vs_rdc", median(ratios));
    Ok(())
}

/// Writes and builds a program.
fn prepare(setup: &Setup, link: Link) -> Result<Built> {
    let name = if link == Link::Weft { "cmake-weft" } else { "cmake-rdc" };
    let folder = setup.program(name, LARGE)?;
    let build_folder = folder.join("build");
    configure(setup, link, &folder, &build_folder).quietly().capture()?;
    let stopwatch = Stopwatch::start();
    build(setup, &build_folder)?;
    println!("{name}: {LARGE} units built in {stopwatch}");
    let tools =
        Tools { toolchain: setup.toolchain.clone(), executables: setup.executables.clone() };
    let edit = Edit::find(&Program::open(&folder, &tools)?, "private-edit")?;
    Ok(Built { name, build_folder, edit })
}

fn noop_seconds(setup: &Setup, built: &Built) -> Result<f64> {
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let stopwatch = Stopwatch::start();
        let said = build(setup, &built.build_folder)?;
        seconds.push(stopwatch.seconds());
        if !said.contains("no work to do") {
            return Err(Error::new(format!("{}: there was something to do: {said}", built.name)));
        }
    }
    Ok(median(seconds))
}

fn rebuild_seconds(setup: &Setup, built: &Built, change: fn(&Edit) -> Result<()>) -> Result<f64> {
    change(&built.edit)?;
    let stopwatch = Stopwatch::start();
    build(setup, &built.build_folder)?;
    Ok(stopwatch.seconds())
}

/// Returns the command that configures a program for Ninja.
pub(super) fn configure(setup: &Setup, link: Link, folder: &Path, build_folder: &Path) -> Process {
    let cuda = setup.toolchain.cuda_root.display();
    let llvm = setup.toolchain.llvm_prefix.display();
    let clang = [
        format!("-DCMAKE_CUDA_COMPILER={llvm}/bin/clang++"),
        format!(
            "-DCMAKE_CUDA_FLAGS=--cuda-path={cuda} --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version"
        ),
    ];
    let specific = match link {
        Link::Weft => {
            [&clang[..], &[format!("-DCMAKE_PREFIX_PATH={}", setup.prefix.display())]].concat()
        }
        Link::Clang => [&clang[..], &["-DWITH_WEFT=OFF".to_owned()]].concat(),
        Link::Rdc => {
            vec![format!("-DCMAKE_CUDA_COMPILER={cuda}/bin/nvcc"), "-DWITH_WEFT=OFF".to_owned()]
        }
    };
    Process::new(&setup.build_systems.cmake)
        .arg("-S")
        .arg(folder)
        .arg("-B")
        .arg(build_folder)
        .args(["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CUDA_ARCHITECTURES=90-real"])
        .arg(format!("-DCUDAToolkit_ROOT={cuda}"))
        .args(specific)
}

/// Builds and returns Ninja's output. The same edits are made several times, so Weft's cache is
/// off: it would have the results.
fn build(setup: &Setup, build_folder: &Path) -> Result<String> {
    Process::new(&setup.toolchain.ninja)
        .arg("-C")
        .arg(build_folder)
        .variable("WEFT_CACHE", "off")
        .quietly()
        .capture()
}
