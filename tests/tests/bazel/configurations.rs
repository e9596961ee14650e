//! The Bazel rules in other configurations than the usual one.

use weft_tests::bazel::Workspace;
use weft_tests::{Run, tools};

/// Processors, as ELF numbers them.
const X86_64: u16 = 62;
const AARCH64: u16 = 183;

/// Returns the processor that an object or a shared library is for.
fn machine(file: &[u8]) -> u16 {
    assert!(file.starts_with(b"\x7fELF"), "this is no object file");
    u16::from_le_bytes([file[18], file[19]])
}

#[test]
fn host_code_is_for_the_target_platform() {
    let workspace = Workspace::copy_of("tests/bazel/platforms");
    workspace.define("register_toolchains(\"//:all\")\n");
    // clang links for any processor, if it gets none of this machine's libraries.
    let clang = format!("--repo_env=CC={}", tools().llvm("clang").display());
    let linker = [&clang, "--repo_env=BAZEL_LINKLIBS=", "--repo_env=BAZEL_LINKOPTS="];
    let build =
        |options: &[&str]| workspace.build(&[&["//:all.so"], &linker[..], options].concat());
    let none = "--@weft//:cudart=none";
    for (platform, expected) in [("@local_config_platform//:host", X86_64), ("//:aarch64", AARCH64)]
    {
        for spawn in build(&[none, &format!("--platforms={platform}")]) {
            if spawn.mnemonic.starts_with("Weft") {
                spawn.check_relative();
            }
        }
        for file in [
            "_weft/units/kernel.cu.o",
            "_weft/units/part.c.o",
            "_weft/image/registration.o",
            "all.so",
        ] {
            assert_eq!(machine(&workspace.output(file)), expected, "{platform}: {file}");
        }
    }

    let refused = |platform: &str, says: &str| {
        let platform = format!("--platforms={platform}");
        workspace.run("build", &["//:image", &platform]).expect(1).says(&[says]);
    };
    // This CUDA was installed without libraries for other processors.
    refused("//:aarch64", "//:units: the toolchain has no static runtime of CUDA for aarch64");
    refused("//:ppc", "no matching toolchains found for types @weft//:toolchain_type");
}

#[test]
fn instrumented_host_code_counts_its_lines() {
    let workspace = Workspace::copy_of("tests/bazel/coverage");
    let build = |options: &[&str]| {
        workspace.build(&[&["//:cc_program", "//:weft_program"], options].concat())
    };
    let bitcode = || workspace.output("counted/_weft/counted/sm_90/counted/counted.cu.bc");
    build(&[]);
    let ordinary = bitcode();
    let options = ["--collect_code_coverage", "--instrumentation_filter=//counted"];
    let spawns = build(&options);
    for spawn in spawns.iter().filter(|spawn| spawn.mnemonic.starts_with("Weft")) {
        spawn.check_relative();
        let counts = spawn.arguments.iter().any(|argument| argument == "--coverage");
        let expected = spawn.message.starts_with("Compiling counted/");
        assert_eq!(counts, expected, "{}: {:?}", spawn.message, spawn.arguments);
    }
    // Device code counts nothing and is the same.
    assert!(bitcode() == ordinary, "coverage changed device code");

    let folder = workspace.file("bazel-bin/counted/_weft/counted/counted");
    for program in ["cc_program", "weft_program"] {
        let counters = workspace.file("counters").join(program);
        Run::new(workspace.file("bazel-bin").join(program), workspace.path())
            .variable("GCOV_PREFIX", &counters)
            .variable("GCOV_PREFIX_STRIP", "10")
            .succeed();
        for (unit, lines) in [
            ("counted.cu", &["1:    8:int counted(int value) {", "#####:   11:    return 0;"][..]),
            ("part.cc", &["7:    6:    sum += 2;"][..]),
        ] {
            let notes = format!("{unit}.gcno");
            std::fs::copy(folder.join(&notes), counters.join(&notes))
                .unwrap_or_else(|error| panic!("{notes}: {error}"));
            let data = counters.join(format!("{unit}.gcda"));
            let report = Run::new(tools().llvm("llvm-cov"), workspace.path())
                .args(["gcov", "-t", &data.to_string_lossy()])
                .succeed();
            for line in lines {
                assert!(
                    report.stdout.contains(line),
                    "{program}: no {line:?} in {}",
                    report.stdout
                );
            }
        }
    }
    workspace.run("coverage", &["//:weft_program", options[1]]).succeed();

    let (library, other) = ("libclang_rt.profile-%s.a", "no_such_library-%s.a");
    let rules = workspace.changed_rules("private/toolchain/repository.bzl", library, other);
    let repository = format!("--override_repository=weft={}", rules.display());
    workspace.run("build", &["//:cc_program", &repository, options[0], options[1]]).expect(1).says(
        &["//counted:counted: coverage needs clang's library libclang_rt.profile for x86_64"],
    );
}
