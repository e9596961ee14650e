//! The options of the steps in Bazel: each reaches its steps, what units were compiled with is
//! compared, and the newest clang that is there compiles, or an older one with an older CUDA.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use dev_knobs::{NvccSpelling, nvcc_options};
use serde_json::Value;
use weft_tests::bazel::Workspace;
use weft_tests::{Compiler, Run, options, tools, workspace_root, write_program};

/// Returns the project, whose program has these options.
fn with_options(words: &[String]) -> Workspace {
    let workspace = Workspace::copy_of("tests/options");
    set_options(&workspace, words);
    workspace
}

fn set_options(workspace: &Workspace, words: &[String]) {
    let build = fs::read_to_string(workspace_root().join("tests/options/BUILD.bazel")).unwrap();
    assert!(build.contains("    options = [],"), "{build}");
    let list = format!("    options = {words:?},");
    workspace.write("BUILD.bazel", &build.replace("    options = [],", &list));
}

#[test]
fn every_option_of_the_list_reaches_its_steps() {
    let list = workspace_root().join("bazel/private/rules/known_options.bzl");
    let known = options::of_bazel(&fs::read_to_string(list).unwrap());
    let words: Vec<String> = known.iter().map(|option| option.word("")).collect();
    let workspace = with_options(&words);
    let query = ["mnemonic('Weft.*', deps(//:program))", "--output=jsonproto"];
    let graph: Value =
        serde_json::from_str(&workspace.run("aquery", &query).succeed().stdout).unwrap();
    let actions = graph["actions"].as_array().unwrap();
    options::check(&known, |step| {
        let mnemonic = match step {
            "unit" | "summarize" => "WeftSummarize",
            "thinlink" => "WeftThinLink",
            "codegen" => "WeftCodegen",
            "assemble" => "WeftAssemble",
            other => panic!("no action of {other}"),
        };
        let words = |action: &Value| -> Vec<String> {
            let words = action["arguments"].as_array().into_iter().flatten();
            words.map(|word| word.as_str().unwrap_or_default().to_owned()).collect()
        };
        let is_it = |action: &&Value| {
            action["mnemonic"] == mnemonic
                && words(action).iter().any(|word| word.contains("_weft/program/"))
        };
        let found = actions.iter().find(is_it).unwrap_or_else(|| panic!("no {mnemonic}"));
        let words = found["arguments"].as_array().unwrap();
        words.iter().filter_map(Value::as_str).collect()
    });

    // NVIDIA's code generator is an input that the toolchain names.
    set_options(&workspace, &["--codegen=libnvvm".to_owned()]);
    let query = ["mnemonic('WeftCodegen', deps(//:program))"];
    let actions = workspace.run("aquery", &query).succeed().stdout;
    let words: Vec<&str> = actions.split_whitespace().filter(|word| *word != "\\").collect();
    let given = words.windows(2).find(|pair| pair[0] == "--libnvvm");
    assert!(given.is_some_and(|pair| pair[1].ends_with("libnvvm.so")), "{actions}");
    let inputs = actions.lines().find(|line| line.trim().starts_with("Inputs: "));
    assert!(inputs.is_some_and(|line| line.contains("libnvvm.so")), "{actions}");
}

#[test]
fn options_reach_nvidias_programs_and_images_are_compressed() {
    let workspace = with_options(&[]);
    let action = |mnemonic: &str| {
        let query = format!("mnemonic('{mnemonic}', deps(//:program))");
        workspace.run("aquery", &[&query]).succeed().stdout
    };
    assert!(action("WeftFatbinary").contains("--compress-all"));
    let given = ["-Xnvlink=--verbose", "-Xfatbinary=--compress-mode=size"].map(str::to_owned);
    set_options(&workspace, &given);
    assert!(action("WeftNvlink").contains("--verbose"));
    let fatbinary = action("WeftFatbinary");
    assert!(fatbinary.contains("--compress-mode=size") && !fatbinary.contains("--compress-all"));
}

#[test]
fn the_link_compares_what_units_were_compiled_with() {
    let workspace = with_options(&[]);
    let says = ["were compiled with different values of the option maxrregcount: 32 and 64"];
    workspace.run("build", &["//:program"]).expect(1).says(&says);
    // An option of the program itself resolves the conflict, for all jobs.
    set_options(&workspace, &["--maxrregcount=40".to_owned()]);
    workspace.build(&["//:program", "--output_groups=+weft_ptx"]);
    let ptx = workspace.output("_weft/program/sm_90/jobs/program.cu.ptx");
    let ptx = String::from_utf8_lossy(&ptx);
    assert!(ptx.contains("maxrregcount=40"), "{ptx}");
}

/// Compiles the library that a program names, as a vendor would.
fn compile_library(workspace: &Workspace) {
    for architecture in ["sm_90", "sm_100"] {
        Run::new(tools().llvm("clang++"), workspace.path())
            .arg(format!("--cuda-path={}", tools().cuda_root().display()))
            .arg(format!("--cuda-gpu-arch={architecture}"))
            .args(["-Wno-unknown-cuda-version", "--cuda-device-only", "-emit-llvm", "-fgpu-rdc"])
            .args(["-O2", "-x", "cuda", "-c", "vendor.cu", "-o"])
            .arg(format!("vendor_{architecture}.bc"))
            .succeed();
    }
}

#[test]
fn of_a_library_of_bitcode_stays_what_a_program_reaches() {
    let workspace = Workspace::copy_of("tests/cmake/vendor");
    compile_library(&workspace);
    let programs = ["direct", "through", "image"];
    workspace.build(&["//:direct", "//:through", "//:image", "--output_groups=+weft_image"]);
    for program in programs {
        for architecture in ["sm_90", "sm_100"] {
            let image = format!("bazel-bin/_weft/{program}/{architecture}/image.cubin");
            let symbols = Run::new(tools().cuda("cuobjdump"), workspace.path())
                .args(["-symbols".to_owned(), image])
                .succeed()
                .stdout;
            assert!(symbols.contains("_Z5scalePf"), "{program}: {symbols}");
            for name in ["unreached_of_vendor", "kernel_of_vendor"] {
                assert!(!symbols.contains(name), "{program}: {symbols}");
            }
        }
    }
    for program in ["direct", "through"] {
        workspace.program(program);
    }
    let says = ["its deps link the image", "which is to name the `libraries`"];
    workspace.run("build", &["//:wrong"]).expect(1).says(&says);
}

/// Makes a root of CUDA 12.6, whose missing programs and libraries are CUDA 13's.
fn cuda_12(folder: &Path) -> PathBuf {
    let root = folder.join("cuda-12");
    let newer = Compiler::NEWEST.cuda_root();
    let older = Compiler::before(19).cuda_root();
    fs::create_dir_all(root.join("bin")).unwrap();
    for (from, names) in [
        (older, &["include", "nvvm", "bin/ptxas"][..]),
        (newer, &["lib", "bin/nvlink", "bin/fatbinary"]),
    ] {
        for name in names {
            symlink(from.join(name), root.join(name)).unwrap();
        }
    }
    root
}

/// Makes a prefix of LLVM 20, whose clang is Zig's.
fn clang_20(folder: &Path) -> PathBuf {
    let prefix = folder.join("llvm-20");
    let (program, words) = Compiler::before(20).clang_cxx();
    // Bazel compiles C with it, and names the folder of headers, which is the last option.
    let words: Vec<_> = words[..words.len() - 2].iter().map(String::as_str).collect();
    let words: Vec<_> = words.into_iter().filter(|&word| word != "--driver-mode=g++").collect();
    fs::create_dir_all(prefix.join("bin")).unwrap();
    fs::create_dir_all(prefix.join("lib/clang")).unwrap();
    let script = format!("#!/bin/sh\nexec {} {} \"$@\"\n", program.display(), words.join(" "));
    write_program(&prefix.join("bin/clang"), &script);
    let packer = "bin/clang-offload-packager";
    symlink(Path::new("/usr/lib/llvm-19").join(packer), prefix.join(packer)).unwrap();
    symlink(tools().clangs().join("20"), prefix.join("lib/clang/20")).unwrap();
    prefix
}

#[test]
fn the_newest_clang_is_found_and_an_older_one_builds_with_cuda_12() {
    let workspace = with_options(&["--maxrregcount=40".to_owned()]);
    let found = workspace.run("build", &["//:program", "--repo_env=WEFT_LLVM_PREFIX=", "-s"]);
    let found = found.succeed().stderr;
    assert!(found.contains("llvm/lib/clang/22"), "{found}");

    let root = cuda_12(workspace.path().parent().unwrap());
    let older = "/usr/lib/llvm-19";
    assert!(Path::new(older).is_dir(), "Debian's package clang-19 is missing");
    let later = clang_20(workspace.path().parent().unwrap());
    for (major, prefix) in [(19, Path::new(older)), (20, &later)] {
        let spawns = workspace.build(&[
            "//:program",
            "--output_groups=+weft_ptx",
            &format!("--repo_env=WEFT_LLVM_PREFIX={}", prefix.display()),
            &format!("--repo_env=WEFT_CUDA_ROOT={}", root.display()),
        ]);
        let resources = format!("llvm/lib/clang/{major}");
        assert!(spawns.iter().any(|spawn| {
            spawn.mnemonic == "WeftCompile"
                && spawn.arguments.iter().any(|word| word.ends_with(&resources))
        }));
        let ptx = workspace.output("_weft/program/sm_90/jobs/program.cu.ptx");
        let ptx = String::from_utf8_lossy(&ptx);
        assert!(ptx.contains(".version 8.5"), "ptxas of CUDA 12.6 takes 8.5");
        workspace.program("program");
    }

    // Without a name, and without any clang on the search path.
    let path = workspace.path().parent().unwrap().join("bin");
    fs::create_dir_all(&path).unwrap();
    for entry in fs::read_dir("/usr/bin").unwrap().flatten() {
        if !entry.file_name().to_string_lossy().starts_with("clang") {
            symlink(entry.path(), path.join(entry.file_name())).unwrap();
        }
    }
    let path = format!("--repo_env=PATH={}", path.display());
    let arguments = ["//:program", "--repo_env=WEFT_LLVM_PREFIX=", &path];
    let says =
        ["the prefix of LLVM 16 to 22, with bin/clang, such as /usr/lib/llvm-22, and there \
                 is no clang-22 to clang-16 on the search path"];
    workspace.run("build", &arguments).expect(1).says(&says);

    let wrong = workspace.path().parent().unwrap().join("llvm");
    fs::create_dir_all(wrong.join("bin")).unwrap();
    write_program(&wrong.join("bin/clang"), "#!/bin/sh\necho clang version 15.0.1\n");
    let prefix = format!("--repo_env=WEFT_LLVM_PREFIX={}", wrong.display());
    let says = ["is clang version 15.0.1, and Weft needs clang 16 to 22"];
    workspace.run("build", &["//:program", &prefix]).expect(1).says(&says);
}

#[test]
fn each_option_of_nvcc_is_refused_and_the_remedy_named() {
    let workspace = Workspace::copy_of("tests/bazel/errors");
    let table = nvcc_options().unwrap();
    let refused = table.iter().filter(|row| row.remedy.is_some()).flat_map(|row| &row.spellings);
    let words: Vec<String> = refused.flat_map(NvccSpelling::examples).collect();
    assert!(words.len() > 400, "{}", words.len());
    let definition = format!(
        "load(\"@weft//:defs.bzl\", \"weft_cuda_library\")\n\n\
         weft_cuda_library(name = \"case\", srcs = [\"//:library.cu\"], copts = {words:?})\n"
    );
    workspace.write("nvcc_copts/BUILD.bazel", &definition);
    let outcome = workspace.run("build", &["--nobuild", "//nvcc_copts:case"]).expect(1);
    let is_missing = |word: &&String| !outcome.stderr.contains(&format!("  {word} (copts). Inst"));
    let missing: Vec<_> = words.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "{missing:?} are not refused:\n{}", outcome.stderr);

    // Options that clang accepts are left alone.
    let taken =
        ["-Werror", "-Werror=reorder", "-O3", "-std=c++17", "-Xclang -O3", "-frandom-seed=3"];
    let definition = definition.replace(&format!("{words:?}"), &format!("{taken:?}"));
    workspace.write("nvcc_copts/BUILD.bazel", &definition);
    workspace.run("build", &["--nobuild", "//nvcc_copts:case"]).succeed();
}
