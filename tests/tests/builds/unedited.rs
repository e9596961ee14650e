//! The projects of `examples/unedited`, which know nothing of Weft, by the commands of its page.

use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use weft_tests::{ARCHITECTURE, Run, Workbench, tools, workspace_root};

/// Returns a folder with the sources of the projects, and `bin/weft-nvcc`.
pub(crate) fn project() -> Workbench {
    let bench = Workbench::new();
    dev_builds::copy_sources(&workspace_root().join("examples/unedited"), bench.path()).unwrap();
    std::fs::create_dir(bench.file("bin")).unwrap();
    symlink(tools().executables().join("weft"), weft_nvcc(&bench)).unwrap();
    bench
}

pub(crate) fn weft_nvcc(bench: &Workbench) -> PathBuf {
    bench.file("bin/weft-nvcc")
}

/// Returns a command with nvcc and the executables on the search path.
pub(crate) fn command(bench: &Workbench, program: impl Into<PathBuf>) -> Run {
    let mut path = OsString::from(bench.file("bin"));
    for folder in [tools().executables(), tools().cuda("nvcc").parent().unwrap()] {
        path.push(":");
        path.push(folder);
    }
    path.push(":/usr/bin:/bin");
    Run::new(program, bench.path()).variable("PATH", path)
}

pub(crate) fn cuobjdump(bench: &Workbench, option: &str, file: &str) -> String {
    Run::new(tools().cuda("cuobjdump"), bench.path()).args([option, file]).succeed().stdout
}

/// Returns the machine code in a program.
pub(crate) fn image(bench: &Workbench, program: &str) -> Vec<u8> {
    command(bench, tools().cuda("cuobjdump")).args(["-xelf", "all", program]).succeed();
    let (_, name) = program.rsplit_once('/').unwrap_or(("", program));
    bench.read(&format!("{name}.1.{ARCHITECTURE}.cubin"))
}

/// The function of the other unit is inlined into the kernel, and the kernel that nothing launches
/// is removed.
pub(crate) fn assert_optimized(bench: &Workbench, program: &str) {
    let symbols = cuobjdump(bench, "-symbols", program);
    assert!(symbols.contains("_Z7advancePi"), "{symbols}");
    for name in ["_Z6scaledi", "_Z9forgottenPi"] {
        assert!(!symbols.contains(name), "{name} is in the image:\n{symbols}");
    }
    let images = cuobjdump(bench, "-lelf", program);
    assert_eq!(images.matches("ELF file").count(), 1, "{images}");
    let run = Run::new(bench.file(program), bench.path()).succeed();
    assert!(run.stdout.contains("done"), "{}", run.stdout);
}

#[test]
fn cmake() {
    for generator in ["Ninja", "Unix Makefiles"] {
        let bench = project();
        let compiler = format!("-DCMAKE_CUDA_COMPILER={}", weft_nvcc(&bench).display());
        command(&bench, "cmake")
            .args(["-G", generator, "-B", "build", "-DCMAKE_CUDA_ARCHITECTURES=90", &compiler])
            .succeed();
        command(&bench, "cmake").args(["--build", "build"]).succeed();
        assert_optimized(&bench, "build/program");
        let again = command(&bench, "cmake").args(["--build", "build"]).succeed().stdout;
        assert!(!again.contains("Building") && !again.contains("Linking"), "{again}");
    }
}

/// The package has a step of CMake for each job, and needs two lines in the project. Its link has
/// all cubins, sorted by the names of units, and the compiler's has those with code, in the order
/// of the link. So here each unit has a kernel, and the program's comes before the library's.
#[test]
fn cmake_by_the_package_makes_the_same_image() {
    let bench = project();
    let text = |name: &str| String::from_utf8(bench.read(name)).unwrap();
    let kernel = "__global__ void spread(int *values) { *values = scaled(*values); }\n\
                  void spread_all(int *values) { spread<<<1, 1>>>(values); }\n";
    bench.write("scaling.cu", text("scaling.cu") + kernel);
    bench.write("advance.cu", text("step.cu"));
    bench.write("CMakeLists.txt", text("CMakeLists.txt").replace("step.cu", "advance.cu"));
    let main = text("main.cpp").replace("int main() {", "int main() {\n  spread_all(nullptr);");
    bench.write("main.cpp", format!("void spread_all(int *);\n{main}"));
    let built = |folder: &str, settings: &[String]| {
        let configure = ["-G", "Ninja", "-B", folder, "-DCMAKE_CUDA_ARCHITECTURES=90"];
        command(&bench, "cmake").args(configure).args(settings).succeed();
        command(&bench, "cmake").args(["--build", folder]).succeed();
        let program = format!("{folder}/program");
        assert_optimized(&bench, &program);
        image(&bench, &program)
    };
    let compiler = format!("-DCMAKE_CUDA_COMPILER={}", weft_nvcc(&bench).display());
    let unedited = built("unedited", &[compiler]);
    let lines = "find_package(Weft REQUIRED)\nweft_device_thinlto(TARGET program DEPENDENCIES)\n";
    bench.write("CMakeLists.txt", text("CMakeLists.txt") + lines);
    let edited = built(
        "edited",
        &[
            format!("-DWeft_DIR={}", workspace_root().join("cmake").display()),
            format!("-DWeft_EXECUTABLES_DIR={}", tools().executables().display()),
            format!("-DCMAKE_CUDA_COMPILER={}", tools().cuda("nvcc").display()),
        ],
    );
    assert!(unedited == edited, "the images differ");
}

/// Returns a command with the root of CUDA in a variable as well.
fn with_cuda(bench: &Workbench, program: &str) -> Run {
    command(bench, program).variable("CUDA_HOME", tools().cuda_root())
}

#[test]
fn make() {
    let bench = project();
    with_cuda(&bench, "make").arg("NVCC=weft-nvcc").succeed();
    assert_optimized(&bench, "program");
    let again = with_cuda(&bench, "make").arg("NVCC=weft-nvcc").succeed().stdout;
    assert!(again.contains("is up to date"), "{again}");
}

#[test]
fn meson() {
    for kind in ["release", "debug"] {
        let bench = project();
        bench.write("weft.ini", "[binaries]\ncuda = 'weft-nvcc'\n");
        with_cuda(&bench, "meson")
            .args(["setup", "build", "--native-file", "weft.ini", "--buildtype", kind])
            .succeed();
        with_cuda(&bench, "meson").args(["compile", "-C", "build"]).succeed();
        if kind == "release" {
            assert_optimized(&bench, "build/program");
        }
        Run::new(bench.file("build/program"), bench.path()).succeed();
    }
}

#[test]
fn setuptools() {
    let bench = project();
    with_cuda(&bench, "/usr/bin/python3")
        .args(["setup.py", "build_ext", "--inplace"])
        .variable("PYTORCH_NVCC", "weft-nvcc")
        .succeed();
    let import = "import steps; steps.advance(); print(steps.__file__)";
    let module = with_cuda(&bench, "/usr/bin/python3").args(["-c", import]).succeed().stdout;
    let symbols = cuobjdump(&bench, "-symbols", module.trim());
    assert!(symbols.contains("_Z7advancePi") && !symbols.contains("_Z6scaledi"), "{symbols}");
}

/// Runs the script in a separate folder, as a genrule does.
fn script() -> Workbench {
    let bench = project();
    let script = bench.file("build.sh").to_string_lossy().into_owned();
    with_cuda(&bench, &script)
        .variable("NVCC", "weft-nvcc")
        .variable("LINK", "weft link --")
        .succeed();
    assert_optimized(&bench, "program");
    bench
}

#[test]
fn a_shell_script_in_any_folder() {
    let image = || image(&script(), "program");
    assert!(image() == image(), "the image depends on the folder");
}
