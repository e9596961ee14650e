//! Each package is installed as its page says, and builds a program from there.

use std::fs;
use std::path::{Path, PathBuf};

use dev_checkout::installation::copy_folder;
use dev_dist::pack::archive_root;
use tempfile::TempDir;
use weft_tests::bazel::Workspace;
use weft_tests::{Run, tools, workspace_root};

use crate::distribution::packed::packages;

/// The search path of a user who has installed nothing.
const SEARCH_PATH: &str = "/usr/sbin:/usr/bin:/sbin:/bin";

/// Builds the smallest CMake example with `setting` and `search_path`, and checks that it takes
/// Weft from `prefix` alone.
fn build_with_cmake(folder: &Path, prefix: &Path, setting: Option<String>, search_path: &str) {
    let source = folder.join("source");
    copy_folder(&workspace_root().join("examples/cmake"), &source).unwrap();
    let cuda = tools().cuda_root().display();
    let run = |arguments: &[&str]| {
        Run::new("/usr/bin/cmake", &source)
            .args(arguments.iter().copied())
            .variable("PATH", search_path)
    };
    run(&["-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"])
        .args(["-DCMAKE_CUDA_ARCHITECTURES=90".to_owned()])
        .arg(format!("-DCMAKE_CUDA_COMPILER={}", tools().llvm("clang++").display()))
        .arg(format!("-DCUDAToolkit_ROOT={cuda}"))
        .arg(format!(
            "-DCMAKE_CUDA_FLAGS=--cuda-path={cuda} --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version"
        ))
        .args(setting)
        .succeed();
    run(&["--build", "build"]).succeed();
    let steps = fs::read_to_string(source.join("build/build.ninja")).unwrap();
    let thinlink = prefix.join("bin/thinlink");
    assert!(steps.contains(&*thinlink.to_string_lossy()), "no {}", thinlink.display());
    for part in ["cmake", "target"] {
        let of_checkout = workspace_root().join(part);
        assert!(!steps.contains(&*of_checkout.to_string_lossy()), "{}", of_checkout.display());
    }
    assert!(source.join("build/simulation.weft/sm_90/forces.cu.cubin").exists());
    Run::new(source.join("build/simulation"), &source).succeed();
}

/// Returns the setting that names a prefix.
fn prefix_path(prefix: &Path) -> String {
    format!("-DCMAKE_PREFIX_PATH={}", prefix.display())
}

/// Makes a folder and returns it with its real path, which CMake and Python write.
fn folder() -> (TempDir, PathBuf) {
    let folder = TempDir::with_prefix("weft-installed-").unwrap();
    let path = folder.path().canonicalize().unwrap();
    (folder, path)
}

/// Unpacks the archive and returns its folder.
fn unpacked(folder: &Path) -> PathBuf {
    Run::new("tar", folder).args(["--zstd", "-xf"]).arg(&packages().archive).succeed();
    folder.join(archive_root())
}

#[test]
fn the_archive_serves_cmake() {
    let (_scratch, folder) = folder();
    let prefix = unpacked(&folder);
    build_with_cmake(&folder, &prefix, Some(prefix_path(&prefix)), SEARCH_PATH);
}

#[test]
fn the_archive_serves_bazel() {
    let (_scratch, folder) = folder();
    let prefix = unpacked(&folder);
    let executables = format!("build --repo_env=WEFT_EXECUTABLES={}", prefix.join("bin").display());
    let workspace = Workspace::with_options("examples/bazel", &[executables]);
    let definition = fs::read_to_string(workspace.file("WORKSPACE")).unwrap();
    let of_checkout = workspace_root().join("bazel").display().to_string();
    assert!(definition.contains(&of_checkout), "{definition}");
    let rules = prefix.join("share/weft/bazel").display().to_string();
    workspace.write("WORKSPACE", &definition.replace(&of_checkout, &rules));
    let spawns = workspace.build(&["//:transport"]);
    assert!(spawns.iter().any(|spawn| spawn.mnemonic == "WeftAssemble"));
    let root = workspace.run("info", &["output_base"]).succeed().stdout;
    let linked = Path::new(root.trim()).join("external/weft_local/weft/thinlink");
    assert_eq!(fs::read_link(linked).unwrap(), prefix.join("bin/thinlink"));
    workspace.program("transport");
}

#[test]
fn the_debian_package_is_installed_used_and_removed() {
    let (_scratch, folder) = folder();
    let root = folder.join("root");
    for part in ["info", "updates"] {
        fs::create_dir_all(root.join("var/lib/dpkg").join(part)).unwrap();
    }
    fs::write(root.join("var/lib/dpkg/status"), "").unwrap();
    let dpkg = |arguments: &[&str]| {
        Run::new("dpkg", &folder)
            .arg(format!("--root={}", root.display()))
            // The clean root has no C library, and this may not be the administrator.
            .args(["--force-depends", "--force-not-root"])
            .args(arguments.iter().copied())
            .variable("PATH", SEARCH_PATH)
    };
    let package = packages().debian.display().to_string();
    dpkg(&["--install", &package]).succeed();
    let state = dpkg(&["--status", "weft"]).succeed().stdout;
    for line in ["Status: install ok installed", "Depends: libc6 (>= 2.28), libgcc-s1"] {
        assert!(state.lines().any(|found| found == line), "no {line:?} in {state}");
    }
    let changed = dpkg(&["--verify", "weft"]).outcome().stdout;
    assert!(!changed.contains("usr/bin"), "{changed}");
    let prefix = root.join("usr");
    build_with_cmake(&folder, &prefix, Some(prefix_path(&prefix)), SEARCH_PATH);
    let listing = Run::new("dpkg-deb", &folder).args(["--contents", &package]).succeed().stdout;
    for line in listing.lines() {
        assert!(line.contains(" root/root ") || line.contains(" 0/0 "), "{line}");
    }
    assert!(listing.contains(" usr/share/doc/weft/copyright"), "{listing}");
    dpkg(&["--remove", "weft"]).succeed();
    assert!(!prefix.join("bin/thinlink").exists() && !prefix.join("lib/cmake").exists());
}

#[test]
fn the_wheel_serves_an_active_environment() {
    let (_scratch, folder) = folder();
    let environment = folder.join("environment");
    Run::new("python3", &folder).args(["-m", "venv", "--without-pip"]).arg(&environment).succeed();
    let bin = environment.join("bin");
    Run::new("python3", &folder)
        .args(["-m", "pip", "--disable-pip-version-check", "--python"])
        .arg(bin.join("python"))
        .args(["install", "--no-index"])
        .arg(&packages().wheel)
        .succeed();
    for name in dev_checkout::executables::PACKAGES {
        Run::new(bin.join(name), &folder).arg("--version").succeed();
    }
    let weft = |arguments: &[&str]| {
        Run::new(bin.join("python"), &folder)
            .args(["-m", "weft"])
            .args(arguments.iter().copied())
            .variable("PATH", &bin)
            .variable("WEFT_LLVM_PREFIX", "")
            .variable("WEFT_CUDA_ROOT", "")
            .variable("WEFT_CACHE_DIR", folder.join("cache"))
    };
    for (option, place) in [
        ("--prefix", environment.clone()),
        ("--cmake-dir", environment.join("lib/cmake/Weft")),
        ("--bazel-dir", environment.join("share/weft/bazel")),
        ("--executables-dir", bin.clone()),
    ] {
        assert_eq!(weft(&[option]).succeed().stdout.trim(), place.to_string_lossy(), "{option}");
    }
    // The environment is active: its programs are on the search path, by which CMake finds it.
    let search_path = format!("{}:{SEARCH_PATH}", bin.display());
    build_with_cmake(&folder, &environment, None, &search_path);

    // Without clang and CUDA, one message names both.
    let missing = weft(&[]).expect(4);
    for text in ["neither clang nor clang-22 to clang-16", "install clang 22", "CUDA"] {
        let words = missing.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(text), "no {text:?} in {}", missing.stdout);
    }
    // The CUDA that NVIDIA's wheels bring into the environment is found.
    let purelib = Run::new(bin.join("python"), &folder)
        .args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
        .succeed();
    let nvidia = Path::new(purelib.stdout.trim()).join("nvidia");
    fs::create_dir_all(&nvidia).unwrap();
    std::os::unix::fs::symlink(tools().cuda_root(), nvidia.join("cu13")).unwrap();
    let llvm = tools().llvm("clang").parent().and_then(Path::parent).unwrap().to_owned();
    let found = weft(&[]).variable("WEFT_LLVM_PREFIX", llvm).succeed().stdout;
    assert!(found.contains("nvidia/cu13") && found.contains("A build would work."), "{found}");
}
