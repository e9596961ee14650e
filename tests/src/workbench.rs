//! A folder in which a small program goes through Weft, one command at a time.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::{Compiler, Outcome, Run, tools, write_program};

/// Architecture that the tests compile for.
pub const ARCHITECTURE: &str = "sm_90";

/// A folder with units, their summaries, their plans and the outputs of their backend jobs. Files
/// are named after the unit: `a.ll` or `a.cu` becomes `a.o`, `a.bc`, `a.summary`, `plans/a.plan`,
/// `a.linked.bc`, `a.ptx` and `a.cubin`; the module id is `a`.
#[derive(Debug)]
pub struct Workbench {
    folder: TempDir,
    /// Compilers of CUDA units, which take turns.
    compilers: Vec<Compiler>,
}

impl Workbench {
    /// Makes an empty folder.
    pub fn new() -> Self {
        match TempDir::with_prefix("weft-test-") {
            Ok(folder) => Self { folder, compilers: vec![Compiler::NEWEST] },
            Err(error) => panic!("cannot make a folder for the test: {error}"),
        }
    }

    /// Makes an empty folder for units that the compilers take turns to compile. The PTX of all is
    /// assembled by the ptxas of the first.
    pub fn with_compilers(compilers: &[Compiler]) -> Self {
        assert!(!compilers.is_empty(), "a compiler is needed");
        Self { compilers: compilers.to_vec(), ..Self::new() }
    }

    /// Returns the compiler of the unit with this number.
    pub fn compiler(&self, unit: usize) -> Compiler {
        self.compilers[unit % self.compilers.len()]
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Keeps the folder for inspection and returns its path.
    pub fn keep(self) -> PathBuf {
        self.folder.keep()
    }

    /// Returns the content of a file in the folder.
    pub fn read(&self, name: &str) -> Vec<u8> {
        let path = self.file(name);
        std::fs::read(&path)
            .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.file(name);
        std::fs::write(&path, content)
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    }

    /// Writes an executable file and returns its path.
    pub fn write_program(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.file(name);
        write_program(&path, content);
        path
    }

    /// Writes a shell script that can be executed and returns its path.
    pub fn write_script(&self, name: &str, commands: &str) -> PathBuf {
        self.write_program(name, format!("#!/bin/sh\n{commands}\n"))
    }

    /// Removes a file.
    pub fn remove(&self, name: &str) {
        let path = self.file(name);
        std::fs::remove_file(&path)
            .unwrap_or_else(|error| panic!("cannot remove {}: {error}", path.display()));
    }

    /// Returns a command that runs one of Weft's executables in the folder.
    pub fn weft(&self, name: &str) -> Run {
        Run::new(tools().weft(name), self.path())
    }

    /// Returns a command that runs one of LLVM's programs in the folder.
    pub fn llvm(&self, name: &str) -> Run {
        Run::new(tools().llvm(name), self.path())
    }

    /// Compiles a unit: `NAME.cu` with clang as CUDA, or `NAME.ll` as the device bitcode of a host
    /// object. The host code of that object is `NAME.c`, if the file exists.
    pub fn compile(&self, name: &str) {
        if self.file(&format!("{name}.cu")).exists() {
            self.compile_cuda(name, &[]);
        } else {
            self.assemble_ir(name);
            self.embed(name);
        }
    }

    /// Assembles the text `NAME.ll` into the bitcode `NAME.bc`.
    pub fn assemble_ir(&self, name: &str) {
        let files = [format!("{name}.ll"), "-o".to_owned(), format!("{name}.bc")];
        self.llvm("llvm-as").args(files).succeed();
    }

    /// Makes the host object `NAME.o` with the bitcode `NAME.bc` inside, as clang embeds it.
    pub fn embed(&self, name: &str) {
        let image = format!(
            "--image=file={name}.bc,triple=nvptx64-nvidia-cuda,arch={ARCHITECTURE},kind=cuda"
        );
        let packed = format!("{name}.offload");
        self.llvm("clang-offload-packager").args(["-o", &packed, &image]).succeed();
        let host = format!("{name}.c");
        if !self.file(&host).exists() {
            self.write(&host, "");
        }
        let embed = format!("-fembed-offload-object={packed}");
        let object = format!("{name}.o");
        self.llvm("clang").args(["-c", &host, "-Xclang", &embed, "-o", &object]).succeed();
    }

    /// Compiles `NAME.cu` with clang as CUDA. `options` are added to clang's command line.
    pub fn compile_cuda(&self, name: &str, options: &[&str]) {
        let cuda = tools().cuda_root().display();
        let run = self
            .llvm("clang++")
            .arg(format!("--cuda-gpu-arch={ARCHITECTURE}"))
            .arg(format!("--cuda-path={cuda}"))
            .arg(format!("-I{cuda}/include/cccl"))
            .args(["-fgpu-rdc", "-O3", "-std=c++17", "--offload-new-driver", "-foffload-lto"])
            .args(["-Xarch_device", "-fwhole-program-vtables"])
            .args(["-Xarch_device", "-mllvm=-unroll-threshold-aggressive=1"])
            .args(["-Xarch_device", "-mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT=1"])
            .args(["-Wno-unknown-cuda-version", "-c"])
            .arg(format!("-cuid={name}"))
            .args(options.iter().copied())
            .args([format!("{name}.cu"), "-o".to_owned(), format!("{name}.o")]);
        run.succeed();
    }

    /// Makes `NAME.summary` and `NAME.bc` from the object `NAME.o`.
    pub fn summarize(&self, name: &str) -> Outcome {
        self.weft("summarize")
            .args(["--module-id", name, "-o", &format!("{name}.summary")])
            .args(["--bitcode", &format!("{name}.bc"), &format!("{name}.o")])
            .succeed()
    }

    /// Compiles and summarizes units.
    pub fn prepare(&self, names: &[&str]) {
        for name in names {
            self.compile(name);
            self.summarize(name);
        }
    }

    /// Runs the thin link of units, with complete host information. Its plans go into `plans`.
    pub fn thinlink(&self, names: &[&str], options: &[&str]) -> Outcome {
        self.weft("thinlink")
            .args(["--has-global-host-info", "-o", "plans"])
            .args(options.iter().copied())
            .args(names.iter().map(|name| format!("{name}.summary")))
            .succeed()
    }

    /// Returns the command of the import phase of `name`, with the bitcode of all `names` as import
    /// sources.
    pub fn import(&self, name: &str, names: &[&str]) -> Run {
        self.weft("backend-job")
            .args(["import", "--plan", &format!("plans/{name}.plan")])
            .args(["--module", &format!("{name}.bc")])
            .args(names.iter().map(|name| format!("--import={name}={name}.bc")))
            .args(["-o", &format!("{name}.linked.bc")])
    }

    /// Returns the command that makes PTX from the linked module of `name`.
    pub fn codegen(&self, name: &str) -> Run {
        let files = [format!("{name}.linked.bc"), "-o".to_owned(), format!("{name}.ptx")];
        self.weft("backend-job").arg("codegen").args(files)
    }

    /// Returns the command that makes a cubin from the PTX of `name`.
    pub fn assemble(&self, name: &str) -> Run {
        self.weft("backend-job")
            .args(["assemble", "--ptxas", &self.compiler(0).ptxas().to_string_lossy()])
            .args([format!("{name}.ptx"), "-o".to_owned(), format!("{name}.cubin")])
    }

    /// Takes all units through all phases.
    pub fn build(&self, names: &[&str]) {
        self.prepare(names);
        self.thinlink(names, &[]);
        for name in names {
            self.import(name, names).succeed();
            self.codegen(name).succeed();
            self.assemble(name).succeed();
        }
    }

    /// Returns the options that ptxas recorded in a cubin, in ptxas's own short form; an empty
    /// string if the cubin has none.
    pub fn ptxas_options_of(&self, cubin: &str) -> String {
        let list = Run::new(tools().cuda("cuobjdump"), self.path()).args(["-elf", cubin]).succeed();
        let mut lines = list.stdout.lines();
        let line = lines.find_map(|line| line.split_once("Command Line Arguments:"));
        line.map(|(_, options)| options.trim().to_owned()).unwrap_or_default()
    }

    /// Disassembles a bitcode file and returns LLVM's text without its first line, which names the
    /// file.
    pub fn text_of(&self, bitcode: &str) -> String {
        let text = self.llvm("llvm-dis").args([bitcode, "-o", "-"]).succeed().stdout;
        let without_name = text.split_once('\n').map_or("", |(_, rest)| rest);
        without_name.to_owned()
    }
}

impl Default for Workbench {
    fn default() -> Self {
        Self::new()
    }
}
