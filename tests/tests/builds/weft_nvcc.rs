//! Builds that call nvcc and know nothing of Weft, with `weft-nvcc` in its place.

use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use weft_tests::{ARCHITECTURE, Run, Workbench, tools, workspace_root};

/// A folder with the sources of the project, and `bin/weft-nvcc`.
fn bench() -> Workbench {
    let bench = Workbench::new();
    let project = workspace_root().join("tests/cmake/unedited");
    for name in ["CMakeLists.txt", "main.cpp", "scaling.cu", "step.cu"] {
        bench.write(name, std::fs::read(project.join(name)).unwrap());
    }
    std::fs::create_dir(bench.file("bin")).unwrap();
    symlink(tools().executables().join("weft"), weft_nvcc(&bench)).unwrap();
    bench
}

fn weft_nvcc(bench: &Workbench) -> PathBuf {
    bench.file("bin/weft-nvcc")
}

/// Returns a command with nvcc on the search path.
fn command(bench: &Workbench, program: impl Into<PathBuf>) -> Run {
    let mut path = OsString::from(tools().cuda("nvcc").parent().unwrap());
    path.push(":/usr/bin:/bin");
    Run::new(program, bench.path()).variable("PATH", path)
}

fn nvcc(bench: &Workbench, arguments: &str) -> Run {
    command(bench, weft_nvcc(bench)).args(arguments.split(' '))
}

fn cuobjdump(bench: &Workbench, option: &str, file: &str) -> String {
    Run::new(tools().cuda("cuobjdump"), bench.path()).args([option, file]).succeed().stdout
}

/// The kernel has taken in the function of the other unit, and what nothing launches is gone.
fn assert_optimized(bench: &Workbench, program: &str) {
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
fn an_unedited_project_of_cmake() {
    for generator in ["Ninja", "Unix Makefiles"] {
        let bench = bench();
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

#[test]
fn commands_by_hand() {
    let bench = bench();
    for unit in ["step", "scaling"] {
        nvcc(&bench, &format!("-dc -arch={ARCHITECTURE} {unit}.cu -o {unit}.o")).succeed();
    }
    Run::new("g++", bench.path()).args(["-c", "main.cpp"]).succeed();
    // nvcc links all, or the device code first.
    nvcc(&bench, "main.o step.o scaling.o -o whole").succeed();
    assert_optimized(&bench, "whole");

    nvcc(&bench, &format!("-dlink -arch={ARCHITECTURE} step.o scaling.o -o device.o")).succeed();
    let runtime = format!("-L{}/lib", tools().cuda_root().display());
    Run::new("g++", bench.path())
        .args(["main.o", "step.o", "scaling.o", "device.o", "-o", "divided", &runtime])
        .args(["-lcudart_static", "-ldl", "-lrt", "-lpthread"])
        .succeed();
    assert_optimized(&bench, "divided");
    // What is linked already is not linked once more.
    nvcc(&bench, "-nodlink main.o step.o scaling.o device.o -o nvccs").succeed();
    assert_optimized(&bench, "nvccs");
}

#[test]
fn the_rest_is_nvccs() {
    let bench = bench();
    let version = nvcc(&bench, "--version").succeed().stdout;
    assert!(version.contains("NVIDIA (R) Cuda compiler driver"), "{version}");
    nvcc(&bench, &format!("-c -arch={ARCHITECTURE} scaling.cu -o whole.o")).succeed();
    assert!(cuobjdump(&bench, "-lelf", "whole.o").contains(ARCHITECTURE));
    nvcc(&bench, "-ptx -arch=compute_90 scaling.cu -o scaling.ptx").succeed();
    assert!(String::from_utf8(bench.read("scaling.ptx")).unwrap().contains(".target sm_90"));
    nvcc(&bench, "-dc -arch=sm_90 absent.cu -o absent.o").expect(5).says(&["absent.cu"]);
    let without_cuda = Run::new(weft_nvcc(&bench), bench.path()).variable("PATH", "/usr/bin:/bin");
    let without_cuda = without_cuda.variable("WEFT_CUDA_ROOT", "/nowhere");
    without_cuda.arg("--version").expect(4).says(&["there is no nvcc on the search path"]);
    // By its own name the executable takes nvcc as a command.
    let weft = command(&bench, tools().executables().join("weft"));
    let version = weft.args(["nvcc", "--version"]).succeed().stdout;
    assert!(version.contains("Cuda compiler driver"), "{version}");
}
