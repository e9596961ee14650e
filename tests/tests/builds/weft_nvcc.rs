//! `weft-nvcc` does what nvcc does.

use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

use crate::unedited::{assert_optimized, command, cuobjdump, image, project, weft_nvcc};

/// A unit whose kernel holds many values at once.
const LARGE: &str = "
__device__ int scaled(int value);
__global__ void advance(int *values) {
  int held[48];
  for (int at = 0; at < 48; ++at) held[at] = values[at * 32 + threadIdx.x];
  for (int round = 0; round < values[0]; ++round)
    for (int at = 0; at < 48; ++at) held[at] = held[at] * held[(at + 7) % 48] + scaled(held[at]);
  for (int at = 0; at < 48; ++at) values[at * 32 + threadIdx.x] = held[at];
}
void step(int *values) { advance<<<1, 32>>>(values); }
";

fn nvcc(bench: &Workbench, arguments: &str) -> Run {
    command(bench, weft_nvcc(bench)).args(arguments.split(' '))
}

#[test]
fn commands_by_hand() {
    let bench = project();
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
    // Device code that is linked already is not linked again.
    nvcc(&bench, "-nodlink main.o step.o scaling.o device.o -o nvccs").succeed();
    assert_optimized(&bench, "nvccs");
}

#[test]
fn the_rest_is_nvccs() {
    let bench = project();
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

#[test]
fn units_are_compiled_and_linked_in_one_command() {
    let bench = project();
    let line = format!("-rdc=true -arch={ARCHITECTURE} main.cpp step.cu scaling.cu -o");
    nvcc(&bench, &format!("{line} program")).succeed();
    assert_optimized(&bench, "program");
    nvcc(&bench, &format!("{line} again")).succeed();
    assert!(image(&bench, "program") == image(&bench, "again"), "the image names temporary files");
    nvcc(&bench, &line.replace("main.cpp", "absent.cu").replace(" -o", " -o none"))
        .expect(5)
        .says(&["absent.cu"]);
    // A file of dependencies is nvcc's to write.
    nvcc(&bench, &line.replace(" -o", " -MD -o nvccs")).succeed();
    Run::new(bench.file("nvccs"), bench.path()).succeed();
}

#[test]
fn words_stand_for_the_architectures_that_nvcc_takes_them_for() {
    let bench = project();
    Run::new("g++", bench.path()).args(["-c", "main.cpp"]).succeed();
    for word in ["all-major", "native"] {
        for unit in ["step", "scaling"] {
            nvcc(&bench, &format!("-dc -arch={word} {unit}.cu -o {unit}.o")).succeed();
        }
        nvcc(&bench, "main.o step.o scaling.o -o program").succeed();
        let symbols = cuobjdump(&bench, "-symbols", "program");
        assert!(symbols.contains("_Z7advancePi") && !symbols.contains("_Z6scaledi"), "{symbols}");
        let images = cuobjdump(&bench, "-lelf", "program").matches("ELF file").count();
        assert!(if word == "native" { images > 0 } else { images > 4 }, "{word}: {images}");
    }
}

#[test]
fn flags_of_the_environment_count() {
    let bench = project();
    let flags = format!("-arch={ARCHITECTURE} '-DTHREE=1 + 2'");
    let run = |line: &str| {
        let nvcc = nvcc(&bench, line).variable("NVCC_PREPEND_FLAGS", &flags);
        nvcc.variable("NVCC_APPEND_FLAGS", "-rdc=true").succeed()
    };
    let unit = String::from_utf8(bench.read("step.cu")).unwrap();
    bench.write("step.cu", unit.replace("{ values[0] = 1; }", "{ values[0] = THREE; }"));
    for unit in ["step", "scaling"] {
        run(&format!("-c {unit}.cu -o {unit}.o"));
    }
    run("main.cpp step.o scaling.o -o program");
    assert_optimized(&bench, "program");
}

#[test]
fn options_of_weft_link_come_from_a_variable() {
    let bench = project();
    let run = |line: &str, flags: &str| nvcc(&bench, line).variable("WEFT_LINK_FLAGS", flags);
    for unit in ["step", "scaling"] {
        run(&format!("-arch={ARCHITECTURE} -rdc=true -c {unit}.cu -o {unit}.o"), "").succeed();
    }
    let link = format!("-arch={ARCHITECTURE} main.cpp step.o scaling.o -o program");
    run(&link, "--report=page.html -j1 '-Xthinlink=--copy-limit=0'").succeed();
    assert!(cuobjdump(&bench, "-symbols", "program").contains("_Z6scaledi"), "it is called");
    assert!(bench.read("page.html").starts_with(b"<!doctype html>"));
    run(&link, "--reprot=page.html").expect(2).says(&[
        "WEFT_LINK_FLAGS: unexpected argument '--reprot'",
        "`weft link -h` has its options",
    ]);
}

/// Returns the registers of the kernel in a program.
fn registers(bench: &Workbench, program: &str) -> u64 {
    let usage = cuobjdump(bench, "-res-usage", program);
    let (_, number) = usage.split_once("REG:").unwrap();
    number.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn options_of_the_link_reach_the_tools() {
    let bench = project();
    // The kernel needs more registers than it may take.
    bench.write("step.cu", LARGE);
    for unit in ["step", "scaling"] {
        nvcc(&bench, &format!("-dc -arch={ARCHITECTURE} {unit}.cu -o {unit}.o")).succeed();
    }
    Run::new("g++", bench.path()).args(["-c", "main.cpp"]).succeed();
    let link = |options: &str, program: &str| {
        let line = format!("-arch={ARCHITECTURE} {options} main.o step.o scaling.o -o {program}");
        nvcc(&bench, line.trim()).succeed()
    };
    link("-no-compress", "plain");
    assert!(registers(&bench, "plain") > 32);
    let told = link("-maxrregcount=32 -Xptxas -O2 -Xnvlink --verbose", "limited").stderr;
    assert!(registers(&bench, "limited") <= 32);
    assert!(told.contains("nvlink info"), "{told}");
    let size = |program: &str| bench.read(program).len();
    for (options, program) in [("--compress-mode size", "small"), ("-Xfatbin -compress-all", "all")]
    {
        link(options, program);
        assert!(size(program) < size("plain"), "{options}: {}, {}", size(program), size("plain"));
    }
    let refused = format!("-Xptxas --entry=advance -arch={ARCHITECTURE} main.o step.o -o refused");
    nvcc(&bench, &refused).expect(2).says(&["--entry"]);
}

/// nvcc itself crashes on such a link if it has no device code to link.
#[test]
fn a_linker_script_of_nvcc_places_device_code_behind_all_else() {
    let bench = project();
    for unit in ["step", "scaling"] {
        nvcc(&bench, &format!("-dc -arch={ARCHITECTURE} {unit}.cu -o {unit}.o")).succeed();
    }
    Run::new("g++", bench.path()).args(["-c", "-fPIC", "main.cpp"]).succeed();
    for option in ["-hls=use-lcs", "--host-linker-script use-lcs"] {
        nvcc(&bench, &format!("{option} main.o step.o scaling.o -o program")).succeed();
        assert_optimized(&bench, "program");
        let sections = bench.llvm("llvm-readelf").args(["-S", "program"]).succeed().stdout;
        let place = |name: &str| {
            let line = sections.lines().position(|line| line.contains(name));
            line.unwrap_or_else(|| panic!("no {name} in\n{sections}"))
        };
        assert!(place(".nv_fatbin") > place(".bss"), "{option}:\n{sections}");
    }
}

/// The steps of a link know its inputs under other names.
#[test]
fn messages_name_the_inputs_of_the_link() {
    let bench = project();
    for (unit, option) in [("step", "-lineinfo "), ("scaling", "")] {
        nvcc(&bench, &format!("{option}-dc -arch={ARCHITECTURE} {unit}.cu -o {unit}.o")).succeed();
    }
    Run::new("g++", bench.path()).args(["-c", "main.cpp"]).succeed();
    let said = nvcc(&bench, "main.o step.o scaling.o -Xnvlink --verbose -o program").succeed();
    said.says(&["step.o has generate-line-info=1, scaling.o does not say"]);
    assert!(!said.stderr.contains("weft-job"), "{}", said.stderr);
}

#[test]
fn units_for_debugging_are_linked_as_they_are() {
    let bench = project();
    for unit in ["step", "scaling"] {
        nvcc(&bench, &format!("-G -dc -arch={ARCHITECTURE} {unit}.cu -o {unit}.o")).succeed();
    }
    Run::new("g++", bench.path()).args(["-c", "main.cpp"]).succeed();
    nvcc(&bench, &format!("-G -arch={ARCHITECTURE} main.o step.o scaling.o -o program")).succeed();
    assert!(cuobjdump(&bench, "-symbols", "program").contains("_Z6scaledi"));
    assert!(cuobjdump(&bench, "-elf", "program").contains(".debug_line"));
    // One unit alone is for debugging.
    nvcc(&bench, &format!("-dc -arch={ARCHITECTURE} step.cu -o step.o")).succeed();
    nvcc(&bench, &format!("-arch={ARCHITECTURE} main.o step.o scaling.o -o mixed")).succeed();
    let run = Run::new(bench.file("mixed"), bench.path()).succeed();
    assert!(run.stdout.contains("done"), "{}", run.stdout);
}
