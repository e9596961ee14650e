//! The Bazel rules with the real Bazel in its sandbox: `examples/transport`, a small workspace of
//! several packages, and the messages about mistakes. Bazel's own execution log tells which actions
//! ran.

use std::path::Path;

use dev_checkout::installation::copy_folder;
use weft_tests::arithmetic;
use weft_tests::bazel::{Spawn, Workspace, counts, steps};
use weft_tests::device_options;
use weft_tests::pages::block;
use weft_tests::rebuild::{self, BuildSystem};
use weft_tests::{Run, reference, tools, workspace_root};

/// Fails the test unless all actions of Weft ran in a sandbox, with relative paths only.
fn check_hermetic(spawns: &[Spawn]) {
    for spawn in spawns.iter().filter(|spawn| spawn.mnemonic.starts_with("Weft")) {
        assert!(spawn.runner.ends_with("-sandbox"), "{}: runner {}", spawn.message, spawn.runner);
        spawn.check_relative();
    }
}

#[test]
fn transport_built_in_the_sandbox_has_the_image_of_the_demo() {
    let workspace = Workspace::copy_of("examples/transport");
    let spawns = workspace.build(&[
        "//:transport",
        "--output_groups=+weft_image,+weft_manifest,+weft_report,+weft_report_page",
    ]);
    check_hermetic(&spawns);
    let units = std::fs::read_dir(workspace.file("src")).into_iter().flatten().flatten();
    let units = units
        .filter(|unit| unit.path().extension().is_some_and(|extension| extension == "cu"))
        .count();
    let ran = counts(&spawns);
    for mnemonic in ["WeftCompile", "WeftImport", "WeftCodegen", "WeftAssemble"] {
        assert_eq!(ran[mnemonic], units, "{mnemonic}");
    }
    assert_eq!(ran["WeftSummarize"], units + ran["WeftHostCompile"]);
    // Each import declares the tool, its plan, its bitcode, and one file with the imports that its
    // plan names. It does not declare the bitcode of all units, so the number of declared inputs
    // does not grow with the square of the units.
    for import in spawns.iter().filter(|spawn| spawn.mnemonic == "WeftImport") {
        assert_eq!(import.inputs.len(), 4, "{}: {:?}", import.message, import.inputs);
    }
    // The program adds no device code to its library, so the library's image is the program's.
    let image = workspace.output("_weft/transport_units/sm_90/image.cubin");
    assert!(image == reference::transport_image(), "the image is not that of the demo");
    let report = workspace.output("_weft/transport/report.txt");
    let report = String::from_utf8_lossy(&report).into_owned();
    for text in ["  src/tally.cu\n", "    imports ", "debug_dump_particles"] {
        assert!(report.contains(text), "{text:?} is not in {report}");
    }
    let page = workspace.output("_weft/transport/report.html");
    let page = String::from_utf8_lossy(&page).into_owned();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
    let stdout = workspace.program("transport").stdout;
    assert!(stdout.contains("no CUDA device here") || stdout.contains("checksum"), "{stdout}");
}

#[test]
fn an_edit_runs_what_it_can_reach_and_no_more() {
    let workspace = Workspace::copy_of("tests/rebuild/project");
    workspace.build(&["//:program"]);
    let mut differences = String::new();
    for row in rebuild::rows(BuildSystem::Bazel) {
        row.apply(&workspace.path());
        differences += &row.differences(&steps(&workspace.build(&["//:program"])));
    }
    assert!(differences.is_empty(), "tests/rebuild/table.txt is not what ran:\n{differences}");
    workspace.program("program");
}

#[test]
fn libraries_of_several_packages_and_architectures() {
    let workspace = Workspace::copy_of("tests/bazel/libraries");
    nvcc_of_a_vendor(&workspace);
    let spawns = workspace.build(&["//...", "--output_groups=+weft_manifest"]);
    check_hermetic(&spawns);
    // Programs for both architectures name them in two orders, and others are for one.
    let compiled = spawns.iter().filter(|spawn| spawn.message == "Compiling scale/scale.cu");
    assert_eq!(compiled.count(), 2);
    let program = workspace.file("bazel-bin/program/program");
    let images = Run::new(tools().cuda("cuobjdump"), workspace.path())
        .args(["-lelf", &program.to_string_lossy()])
        .succeed();
    for architecture in ["sm_90", "sm_100"] {
        assert!(images.stdout.contains(architecture), "{}", images.stdout);
    }
    check_ptx(&workspace, &program);
    // What is there when a program runs does not link it again.
    let mut links = spawns.iter().filter(|spawn| spawn.mnemonic == "CppLink");
    assert!(links.clone().count() > 5);
    assert!(!links.any(|link| link.inputs.iter().any(|input| input.ends_with("tool.txt"))));
    workspace.program("program/program");
    // A dependency that two targets name occurs once.
    let order = workspace.output("program/_weft/program/sm_90/link-order.txt");
    let order = String::from_utf8_lossy(&order).into_owned();
    let mut order: Vec<&str> = order.lines().collect();
    order.sort_unstable();
    assert_eq!(order, ["program/kernel.cu", "scale/scale.cu"]);
    let tests = ["//program:program_test", "//attributes:attributes_test"];
    workspace.run("test", &tests).succeed();
    workspace.program("program/host_only");
    workspace.program("program/device_runtime");
    workspace.program("program/with_cc_library");
    workspace.program("program/with_vendor_library");
    for form in ["archive", "cubin", "object"] {
        let name = format!("polish_with_{form}");
        workspace.program(&format!("program/{name}"));
        // With prebuilt device code, the host code is still known completely.
        let manifest = workspace.output(&format!("program/_weft/{name}/sm_90/plans/manifest.json"));
        let manifest = String::from_utf8_lossy(&manifest).into_owned();
        assert!(manifest.contains("never_launched"), "{form}: {manifest}");
    }
}

/// Fails the test unless the program has PTX of one architecture, in which both its kernel and the
/// function of another unit are.
fn check_ptx(workspace: &Workspace, program: &Path) {
    let cuobjdump = Run::new(tools().cuda("cuobjdump"), workspace.path());
    let program = program.to_string_lossy();
    let listed = cuobjdump.clone().args(["-lptx", &program]).succeed().stdout;
    assert!(listed.lines().count() == 1 && listed.contains("sm_100"), "{listed}");
    let ptx = cuobjdump.args(["-ptx", &program]).succeed().stdout;
    assert!(ptx.contains(".entry _Z9scale_allPi") && !ptx.contains(".extern .func"), "{ptx}");
}

/// Options that have the guard look at programs of the rules for C++.
const GUARD: [&str; 2] = ["--aspects=@weft//:guard.bzl%weft_guard", "--output_groups=+weft_guard"];

/// Mnemonics of the actions that only a new device image takes.
const IMAGE_ACTIONS: [&str; 8] = [
    "WeftThinLink",
    "WeftStage",
    "WeftImport",
    "WeftCodegen",
    "WeftAssemble",
    "WeftNvlink",
    "WeftFatbinary",
    "WeftRegister",
];

#[test]
fn a_monorepo_shares_device_code_and_builds_without_cuda() {
    let workspace = Workspace::copy_of("tests/bazel/monorepo");
    workspace.define(&headers_of_python());
    // The first program makes the image, and no other one runs a job again.
    for (first, second) in [("cc_0", "cc_1"), ("weft_0", "weft_1")] {
        let spawns = workspace.build(&[&format!("//programs:{first}")]);
        check_hermetic(&spawns);
        let ran = counts(&spawns);
        for mnemonic in ["WeftImport", "WeftCodegen", "WeftAssemble"] {
            assert_eq!(ran.get(mnemonic), Some(&2), "{first}: {mnemonic}");
        }
        let spawns = workspace.build(&[&format!("//programs:{second}")]);
        let again: Vec<_> = spawns
            .iter()
            .filter(|spawn| IMAGE_ACTIONS.contains(&spawn.mnemonic.as_str()))
            .map(|spawn| &spawn.message)
            .collect();
        assert!(again.is_empty(), "{second}: {again:?}");
    }
    workspace.run("test", &["//..."]).succeed();
    for program in ["moved", "variants", "if_cuda"] {
        workspace.program(&format!("moved/{program}"));
    }
    assert_eq!(workspace.program("moved/if_cuda").stdout, "with CUDA\n");
    let [aspects, groups] = GUARD;
    let programs = [
        "//programs:cc_0",
        "//programs:cc_of_two",
        "//programs:module.so",
        "//programs:libshared.so",
        "//programs:cc_loads",
    ];
    let spawns = workspace.build(&[&programs[..], &[aspects, groups]].concat());
    assert_eq!(counts(&spawns).get("WeftGuard"), Some(&programs.len()));
    for program in ["cc_loads", "weft_loads"] {
        workspace.program(&format!("programs/{program}"));
    }
    Run::new("python3", workspace.path())
        .arg("programs/module_test.py")
        .variable("PYTHONPATH", workspace.file("bazel-bin/programs"))
        .succeed();
    // The order of architectures on the command line runs nothing again.
    let order = |value| workspace.build(&["//api:image", value]);
    order("--@weft//:architectures=sm_90,sm_100");
    let again = order("--@weft//:architectures=sm_100,sm_90");
    assert!(again.is_empty(), "{again:?}");
    shared_runtime(&workspace);
    groups_have_properties_of_their_own(&workspace);
    workspace.build(&["//api:image", "-c", "dbg", "--output_groups=weft_ptx"]);
    let ptx = workspace.output("api/_weft/image/sm_90/jobs/cuda/field.cu.ptx");
    let ptx = String::from_utf8_lossy(&ptx);
    assert!(ptx.contains(".loc") && ptx.contains("generate-line-info=1"), "-c dbg gives no lines");
    workspace.build(&["//api/..."]);
    // An image for arbitrary programs keeps everything that their host code could refer to. An
    // image of a library that only Weft's own programs link does not: the guard checks each of
    // them.
    let manifest = |target: &str| {
        let path = format!("api/_weft/{target}/sm_90/plans/manifest.json");
        String::from_utf8_lossy(&workspace.output(&path)).into_owned()
    };
    assert!(!manifest("image").contains("never_launched"), "{}", manifest("image"));
    assert!(manifest("api").contains("never_launched"), "{}", manifest("api"));

    let without_cuda = [
        "--repo_env=WEFT_CUDA_ROOT=",
        "--repo_env=WEFT_EXECUTABLES=",
        "--repo_env=WEFT_LLVM_PREFIX=",
    ];
    let run = |target: &str| {
        let arguments: Vec<_> = without_cuda.into_iter().chain([target]).collect();
        workspace.run("build", &arguments)
    };
    run("//...").succeed();
    workspace.program("plain/program");
    assert_eq!(workspace.program("moved/if_cuda").stdout, "without CUDA\n");
    run("//api:image").expect(1).says(&["//api:image is incompatible and cannot be built"]);
    run("//cuda:always")
        .expect(1)
        .says(&["//cuda:always needs CUDA, which is not set up here: Weft's toolchain needs the \
         environment variable WEFT_CUDA_ROOT"]);
}

/// Defines a repository with the headers of the Python that runs here.
fn headers_of_python() -> String {
    let script = "import sysconfig; print(sysconfig.get_paths()['include'])";
    let include = Run::new("python3", workspace_root()).args(["-c", script]).succeed().stdout;
    let include = include.trim();
    assert!(
        Path::new(include).join("Python.h").is_file(),
        "{include} has no Python.h: Debian's package python3-dev has it"
    );
    let headers = "cc_library(name = 'headers', hdrs = glob(['**/*.h']), includes = ['.'], \
                   visibility = ['//visibility:public'])";
    format!(
        "new_local_repository(name = \"python_headers\", path = \"{include}\", \
         build_file_content = \"{headers}\")\n"
    )
}

/// Programs of both kinds of rules run with the shared runtime, which Bazel puts where they look.
fn shared_runtime(workspace: &Workspace) {
    let tests = ["//programs:cc_0", "//programs:weft_0"];
    workspace.run("test", &[&tests[..], &["--@weft//:cudart=shared"]].concat()).succeed();
    for program in ["cc_0", "weft_0"] {
        let path = workspace.file("bazel-bin/programs").join(program);
        let libraries = Run::new("ldd", workspace.path()).arg(path).succeed().stdout;
        assert!(libraries.contains("libcudart.so.13 => /"), "{program}: {libraries}");
    }
    let none = ["//programs:weft_0", "--@weft//:cudart=none"];
    workspace.run("build", &none).expect(1).says(&["__cudaRegisterFatBinary"]);
    workspace
        .run("build", &["//programs:weft_0", "--@weft//:cudart=static_pic"])
        .expect(1)
        .says(&["there is no form \"static_pic\" of CUDA's runtime"]);
}

/// Bazel 4 has execution groups behind an option, and cannot tell the rules whether it is set. So
/// the rules that are used here are a copy in which that gate is open.
fn groups_have_properties_of_their_own(workspace: &Workspace) {
    let (closed, open) = ("\nRULES_HAVE_GROUPS = _IS_SEVEN", "\nRULES_HAVE_GROUPS = True");
    let rules = workspace.changed_rules("private/actions/run.bzl", closed, open);
    let package = workspace.file("api/BUILD.bazel");
    let build = std::fs::read_to_string(&package).unwrap_or_default();
    let name = "    name = \"image\",\n";
    let properties = "    exec_properties = {\"assemble.Pool\": \"large\"},\n";
    assert!(build.contains(name), "{build}");
    workspace.write("api/BUILD.bazel", &build.replace(name, &format!("{name}{properties}")));
    let repository = format!("--override_repository=weft={}", rules.display());
    let spawns =
        workspace.build(&["//api:image", &repository, "--experimental_exec_groups", "-c", "opt"]);
    let jobs = |mnemonic: &str| {
        let spawns = spawns.iter().filter(|spawn| spawn.mnemonic == mnemonic);
        spawns.map(|spawn| spawn.properties.join(",")).collect::<Vec<_>>()
    };
    assert_eq!(jobs("WeftAssemble"), ["Pool=large"; 2]);
    for others in ["WeftCodegen", "WeftImport", "WeftNvlink"] {
        assert!(jobs(others).iter().all(String::is_empty), "{others}: {:?}", jobs(others));
    }
    assert_eq!(jobs("WeftCodegen").len(), 2);
    workspace.write("api/BUILD.bazel", &build);
}

#[test]
fn units_compute_as_the_options_of_their_own_target_say() {
    let workspace = Workspace::copy_of("tests/arithmetic");
    workspace.build(&["//:program", "--output_groups=+weft_ptx"]);
    let ptx = |unit: &str| {
        let ptx = workspace.output(&format!("_weft/program/sm_90/jobs/{unit}.ptx"));
        String::from_utf8_lossy(&ptx).into_owned()
    };
    arithmetic::check(&ptx("library.cu"), &ptx("program.cu"));
}

#[test]
fn jobs_of_several_units_are_known_before_the_thin_link() {
    let workspace = Workspace::copy_of("tests/arithmetic");
    let build = std::fs::read_to_string(workspace.file("BUILD.bazel")).unwrap_or_default();
    workspace.write("BUILD.bazel", &build.replace("\"--close-modules=false\"", "\"--full\""));
    let spawns = workspace.build(&["//:program", "--output_groups=+weft_ptx"]);
    check_hermetic(&spawns);
    let ran = counts(&spawns);
    assert_eq!(ran["WeftSummarize"], 2);
    for mnemonic in ["WeftImport", "WeftCodegen", "WeftAssemble"] {
        assert_eq!(ran[mnemonic], 1, "{mnemonic}");
    }
    // Each unit computes as ever in the module of both.
    let ptx = workspace.output("_weft/program/sm_90/jobs/library.cu.ptx");
    let ptx = String::from_utf8_lossy(&ptx).into_owned();
    assert!(ptx.contains("sqrt.approx.ftz.f32") && ptx.contains("sqrt.rn.f32"), "{ptx}");
}

#[test]
fn the_page_takes_a_project_to_weft() {
    const PAGE: &str = "bazel/README.md";
    let workspace = Workspace::copy_of("examples/bazel");
    let example = workspace_root().join("examples/bazel");
    let own = |name: &str| std::fs::read_to_string(example.join(name)).unwrap();
    let definition = block(PAGE, "python", "local_repository(");
    let place = "third_party/weft/bazel";
    assert!(definition.contains(place), "{definition}");
    assert_eq!(own("WORKSPACE"), definition.replace(place, "../../bazel"));
    assert_eq!(own("BUILD.bazel"), block(PAGE, "python", "name = \"tracks\""));
    let rules = workspace_root().join("bazel");
    workspace.write("WORKSPACE", &definition.replace(place, &rules.to_string_lossy()));
    workspace.run("run", &["//:transport"]).succeed();
    let compilations = ["mnemonic('WeftCompile', deps(//:transport))"];
    let actions = workspace.run("aquery", &compilations).succeed().stdout;
    device_options::check("examples/bazel", &actions);
}

#[test]
fn packages_of_the_checkout_are_left_out_as_the_page_says() {
    const PAGE: &str = "bazel/README.md";
    let workspace = Workspace::copy_of("examples/bazel");
    for folder in ["bazel", "examples", "tests/bazel"] {
        let copy = workspace.file("third_party/weft").join(folder);
        copy_folder(&workspace_root().join(folder), &copy).unwrap();
    }
    workspace.write("WORKSPACE", &block(PAGE, "python", "local_repository("));
    // Without the list, Bazel reads packages that need repositories which are not there.
    let all = workspace.run("build", &["//...", "--nobuild"]).expect(1).stderr;
    assert!(all.contains("third_party/weft/"), "{all}");
    workspace.write(".bazelignore", &block(PAGE, "text", "third_party"));
    workspace.run("build", &["//..."]).succeed();
}

#[test]
fn programs_without_kernels_and_variables_are_linked() {
    let workspace = Workspace::copy_of("tests/bazel/no_entries");
    workspace.run("build", &["//..."]).succeed();
    for program in ["host_only", "device_only", "empty_unit", "of_library", "of_image"] {
        workspace.program(program);
    }
    // The program's image is the library's.
    for (program, library) in [("of_collected", "collected"), ("of_host_library", "host_library")] {
        let image = workspace.output(&format!("_weft/{library}/sm_90/image.cubin"));
        assert!(String::from_utf8_lossy(&image).contains("_Z6kernelPi"), "{program}");
        workspace.program(program);
    }
    // A kernel that a shared library hides and does not launch is removed.
    let image = workspace.output("_weft/image_of_shared/sm_90/image.cubin");
    let image = String::from_utf8_lossy(&image);
    for (kernel, stays) in [
        ("_Z11used_kernelPi", true),
        ("_Z15exported_kernelPi", true),
        ("_Z13unused_kernelPi", false),
    ] {
        assert_eq!(image.contains(kernel), stays, "{kernel}");
    }
}

#[test]
fn both_build_systems_give_units_the_same_reference() {
    let header =
        |path: &str| std::fs::read_to_string(workspace_root().join(path)).unwrap_or_default();
    let ours = header("bazel/private/actions/weft_reference.h");
    assert!(ours.contains(".hidden"), "{ours}");
    assert_eq!(ours, header("cmake/private/weft_reference.h"));
}

/// Makes prebuilt device code in the forms that the workspace imports.
fn nvcc_of_a_vendor(workspace: &Workspace) {
    let vendor = workspace.file("vendor");
    let nvcc = Run::new(tools().cuda("nvcc"), &vendor).arg("-arch=sm_90");
    for (kind, product) in [("-cubin", "vendor.cubin"), ("-dc", "vendor.o")] {
        nvcc.clone().args([kind, "-rdc=true", "vendor.cu", "-o", product]).succeed();
    }
    nvcc.args(["-Xcompiler=-fPIC", "-c", "whole.cu", "-o", "whole.o"]).succeed();
    for (archive, object) in [("libvendor.a", "vendor.o"), ("libwhole.a", "whole.o")] {
        Run::new(tools().llvm("llvm-ar"), &vendor).args(["qc", archive, object]).succeed();
    }
}

#[test]
fn mistakes_end_the_build_and_say_what_is_wrong() {
    let workspace = Workspace::copy_of("tests/bazel/errors");
    make_objects(&workspace);
    let (mut count, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(workspace.path()).into_iter().flatten().flatten() {
        let case = entry.file_name().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(entry.path().join("BUILD.bazel")).unwrap_or_default();
        let Some(says) = text.lines().next().and_then(|line| line.strip_prefix("# says: ")) else {
            continue;
        };
        let target = format!("//{case}:case");
        let outcome = workspace.run("build", &[&target]).outcome();
        if outcome.code != Some(1) || !outcome.stderr.lines().any(|line| ends_with(line, says)) {
            wrong.push(format!("{case}: expected {says:?} in\n{}", outcome.stderr));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 15, "only {count} cases were found");

    let refused = |arguments: &[&str], says: &str| {
        workspace.run("build", arguments).expect(1).says(&[says]);
    };
    // The rules for C++ link these programs, and only the guard can tell that they lack a kernel.
    let [aspects, groups] = GUARD;
    for (program, lost) in [
        (
            "//unguarded:program",
            "registered by libprebuilt.a(library.o), whose device code for sm_90 was not linked",
        ),
        ("//unguarded:launches", "launched_elsewhere"),
    ] {
        workspace.run("build", &[program]).succeed();
        refused(&[program, aspects, groups], lost);
    }

    let clang = format!("--repo_env=CC={}", tools().llvm("clang").display());
    let bitcode =
        "libcompiled.a/host.pic.o holds device bitcode, and only the host code of this file";
    let cuda = format!("--copt=--cuda-path={}", tools().cuda_root().display());
    refused(&["//compiled_as_cuda:case", &clang, &cuda], bitcode);

    let target = "//import_of_host_code:case";
    refused(&[target, "--@weft//:architectures="], "no architecture to compile for; name one");
    refused(&[target, "--repo_env=WEFT_CUDA_ROOT=/"], "WEFT_CUDA_ROOT=/ has no bin/fatbinary");
    refused(&[target, "--repo_env=WEFT_CUDA_ROOT=/"], "`weft doctor` says what is there");
    let executables = "WEFT_EXECUTABLES=/ has no backend-job: it must name the folder with Weft's";
    refused(&[target, "--repo_env=WEFT_EXECUTABLES=/"], executables);

    let definition = std::fs::read_to_string(workspace.file("WORKSPACE")).unwrap_or_default();
    let repository = "weft_toolchain_repository(name = \"weft_local\"";
    for (version, says) in [
        ("cuda_version = \"13.4\"", "this workspace wants CUDA 13.4, and here is: Build cuda_1"),
        ("llvm_version = \"2\"", "this workspace wants LLVM 2, and here is: "),
    ] {
        let other = definition.replace(repository, &format!("{repository}, {version}"));
        assert!(other != definition, "{definition}");
        workspace.write("WORKSPACE", &other);
        refused(&[target], says);
    }

    let registration = "register_toolchains(\"@weft_local//:all\")";
    assert!(definition.contains(registration));
    workspace.write("WORKSPACE", &definition.replace(registration, ""));
    refused(&[target], "no matching toolchains found for types @weft//:toolchain_type");
}

/// Whether a line of a message ends with the text, in which dots between spaces match anything.
fn ends_with(line: &str, text: &str) -> bool {
    let (start, end) = text.split_once(" ... ").unwrap_or((text, ""));
    if end.is_empty() { line.ends_with(start) } else { line.contains(start) && line.ends_with(end) }
}

/// Makes files that no rule makes: a host object, an object with device bitcode, and a cubin.
fn make_objects(workspace: &Workspace) {
    workspace.write("host.c", "int host_function(void) { return 1; }\n");
    let clang = Run::new(tools().llvm("clang++"), workspace.path());
    clang.clone().args(["-x", "c", "-c", "host.c", "-o", "host.o"]).succeed();
    clang
        .arg(format!("--cuda-path={}", tools().cuda_root().display()))
        .args(["--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib", "-fgpu-rdc", "-foffload-lto"])
        .args(["--offload-new-driver", "-Wno-unknown-cuda-version"])
        .args(["-x", "cuda", "-c", "host.c", "-o", "bitcode.o"])
        .succeed();
    Run::new(tools().llvm("clang++"), workspace.path())
        .arg(format!("--cuda-path={}", tools().cuda_root().display()))
        .args(["--cuda-gpu-arch=sm_90", "-fgpu-rdc", "-foffload-lto", "--offload-new-driver"])
        .args(["-Wno-unknown-cuda-version", "-fPIC", "-c", "library.cu", "-o", "library.o"])
        .succeed();
    let archive = ["qc", "libprebuilt.a", "library.o"];
    Run::new(tools().llvm("llvm-ar"), workspace.path()).args(archive).succeed();
    Run::new(tools().cuda("nvcc"), workspace.path())
        .args(["-arch=sm_80", "-rdc=true", "-cubin", "program.cu", "-o", "sm_80.cubin"])
        .succeed();
}
