//! A program of host code whose link LLVM's linker can leave to Weft.

use std::path::Path;

use crate::{Run, Workbench};

/// Number of units. The last two are members of an archive, and have the same name there.
pub const UNITS: usize = 30;
/// Number of units that are no members.
const OBJECTS: usize = UNITS - 2;

/// Returns the text of a unit. Each function calls that of the next unit, and LLVM imports those
/// that are not `noinline`: every third one is. A local function must be promoted for that.
fn unit(number: usize, constant: usize) -> String {
    let next = number + 1;
    let kept = if number.is_multiple_of(3) { "__attribute__((noinline)) " } else { "" };
    let call = if next < UNITS { format!("f{next}(x + 1)") } else { "x".to_owned() };
    let main = if number == 0 { "int main(int n, char **) { return f0(n) & 127; }" } else { "" };
    format!(
        "int f{next}(int);\n\
         static int calls;\n\
         __attribute__((noinline)) static int local(int x) {{ return ++calls * x + {number}; }}\n\
         {kept}int f{number}(int x) {{ return x > 1000 ? local(x) : {call} * 3 + {constant}; }}\n\
         {main}\n"
    )
}

/// A checkout of the program, with compiled units.
#[derive(Debug)]
pub struct HostProgram {
    /// Folder of the checkout.
    pub bench: Workbench,
}

impl HostProgram {
    /// Writes and compiles the units, each with the constant 7.
    pub fn new() -> Self {
        let program = Self { bench: Workbench::new() };
        for folder in ["src", "out", "out/x", "out/y"] {
            let path = program.bench.file(folder);
            std::fs::create_dir(&path)
                .unwrap_or_else(|error| panic!("cannot make {}: {error}", path.display()));
        }
        for number in 0..UNITS {
            program.compile(number, 7);
        }
        program
    }

    /// Returns the path of a unit's object.
    fn object(number: usize) -> String {
        match number.checked_sub(OBJECTS) {
            None => format!("out/u{number}.o"),
            Some(0) => "out/x/m.o".to_owned(),
            Some(_) => "out/y/m.o".to_owned(),
        }
    }

    /// Compiles a unit, and puts it into the archive if it is a member.
    pub fn compile(&self, number: usize, constant: usize) {
        let source = format!("src/u{number}.cpp");
        self.bench.write(&source, unit(number, constant));
        let output = Self::object(number);
        self.bench
            .llvm("clang++")
            .args(["-O2", "-flto=thin", "-c", &source, "-o", &output])
            .succeed();
        if number + 1 == UNITS || (OBJECTS..UNITS).contains(&number) && self.has("out/lib.a") {
            let archive = self.bench.file("out/lib.a");
            let _ = std::fs::remove_file(archive);
            // The option adds the second member beside the first, although the names are the same.
            self.bench
                .llvm("llvm-ar")
                .args(["qc", "out/lib.a", "out/x/m.o", "out/y/m.o"])
                .succeed();
        }
    }

    fn has(&self, name: &str) -> bool {
        self.bench.file(name).exists()
    }

    /// Returns the command of a link whose compilations run in lld.
    fn link(&self, output: &str) -> Run {
        self.bench
            .llvm("clang++")
            .args(["-O2", "-flto=thin", "-fuse-ld=lld"])
            .args((0..OBJECTS).map(Self::object))
            .args(["out/lib.a", "-o", output])
    }

    /// Returns the command of a link with the executable `backend_job` as the distributor, and with
    /// options of it.
    pub fn distributed(&self, backend_job: &Path, options: &[&str]) -> Run {
        let options = options.iter().map(|option| format!("-Xthinlto-distributor={option}"));
        self.link("program")
            .arg(format!("-fthinlto-distributor={}", backend_job.display()))
            .arg("-Xthinlto-distributor=distribute")
            .args(options)
    }

    /// Links in lld alone.
    pub fn reference(&self) -> Vec<u8> {
        self.link("reference").succeed();
        self.bench.read("reference")
    }
}

impl Default for HostProgram {
    fn default() -> Self {
        Self::new()
    }
}
