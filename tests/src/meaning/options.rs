//! The options that change a decision, and the values of them that random tests try.

use std::fmt;

use dev_random::Choices;

/// Tool that takes an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    /// clang for device code, whose level decides how much work is left for the link.
    Compile,
    Thinlink,
    Codegen,
    Assemble,
}

/// Choices for the first kernels of random programs, independent of any build of them.
const FEEDBACK: &str =
    concat!("--feedback=", env!("CARGO_MANIFEST_DIR"), "/src/meaning/kernels.feedback");

/// One row for each option. The values are lists of arguments, of which one is drawn. A new option
/// needs a row here and nothing else.
const TABLE: &[(Tool, &[&[&str]])] = &[
    (Tool::Compile, &[&["-O1"], &["-O2"], &["-O3"], &["-O2", "-Xclang", "-disable-llvm-passes"]]),
    // Without complete host information, no visible definition is removed.
    (
        Tool::Thinlink,
        &[
            &["--has-global-host-info"],
            &["--has-global-host-info", "--optimize-unused-variables"],
            &[],
        ],
    ),
    (
        Tool::Thinlink,
        &[
            &[],
            &["--import-instr-limit=0"],
            &["--import-instr-limit=10"],
            &["--import-instr-limit=40"],
            &["--import-instr-limit=100000"],
        ],
    ),
    (
        Tool::Thinlink,
        &[
            &[],
            &["--import-instr-evolution-factor=0"],
            &["--import-instr-evolution-factor=0.4"],
            &["--import-instr-evolution-factor=1"],
        ],
    ),
    (
        Tool::Thinlink,
        &[
            &[],
            &[],
            &["--close-modules=false"],
            &["--closure-limit=30"],
            &["--closure-limit=100"],
            &["--closure-limit=300"],
            &["--closure-growth=0"],
            &["--closure-growth=10"],
        ],
    ),
    // With incomplete host information, locals of kernels' units have to keep their names.
    (Tool::Thinlink, &[&[], &[], &[], &["--full"], &["--full=2"], &["--pack=32"], &["--pack=200"]]),
    (Tool::Thinlink, &[&[], &[], &["--largest-constant=0"], &["--largest-constant=16"]]),
    (Tool::Thinlink, &[&[], &[], &["--keep=kernel1", "--keep=g1"]]),
    (Tool::Codegen, &[&["-O3"], &["-O3"], &["-O2"], &["-O1"], &["-O0"]]),
    (Tool::Thinlink, &[&[], &[], &["--import-model=llvm"]]),
    (Tool::Thinlink, &[&[], &[], &["--propagate-attrs=false"]]),
    // Some kernels inline nothing and some everything. Limits of registers change no meaning, and
    // images show them as launch bounds that a plain link lacks.
    (Tool::Thinlink, &[&[], &[], &[FEEDBACK]]),
    (Tool::Codegen, &[&[], &[], &["--unroll-loops"]]),
    (
        Tool::Codegen,
        &[
            &[],
            &["--inline-budget=0"],
            &["--aggressive-inline"],
            &["--inline-model=nvidia"],
            &["--inline-model=nvidia", "--inline-budget=100"],
            &["--inline-model=llvm"],
            &["--inline-model=llvm", "--inline-threshold=0"],
            &["--inline-model=llvm", "--inline-threshold=225"],
            &["--nv-inline-all"],
            &["--disable-inlining"],
        ],
    ),
    // No mode of ptxas, and no limit of registers that a search finds, changes what a kernel does.
    (
        Tool::Assemble,
        &[
            &[],
            &[],
            &["--whole-kernels=false"],
            &["--clone-functions=false"],
            &["--whole-kernels=false", "--clone-functions=false"],
            &["--search"],
        ],
    ),
    (Tool::Thinlink, &[&[], &[], &["--copy-limit=0"], &["--copy-limit=20"], &["--tune-for=edits"]]),
];

/// One value for each row of the table.
#[derive(Clone, Debug)]
pub struct Options(Vec<(Tool, &'static [&'static str])>);

impl Options {
    /// Draws a value for each row.
    pub fn draw(random: &mut Choices) -> Self {
        Self(TABLE.iter().map(|(tool, values)| (*tool, *random.pick(values))).collect())
    }

    /// Returns the options for clang.
    pub fn compile(&self) -> Vec<&'static str> {
        let mut options = self.of(Tool::Compile);
        // Host code is not run, so only device code gets the level.
        if let Some(level) = options.first().copied() {
            options.splice(..1, ["-Xarch_device", level]);
        }
        options
    }

    /// Returns the options for the thin link.
    pub fn thinlink(&self) -> Vec<&'static str> {
        self.of(Tool::Thinlink)
    }

    /// Returns the options for the codegen phase.
    pub fn codegen(&self) -> Vec<&'static str> {
        let mut options = self.of(Tool::Codegen);
        if options.contains(&"-O0") {
            // Options of the inliner would do nothing, and are refused.
            options.retain(|option| !option.contains("inlin"));
        }
        options
    }

    /// Returns the options for the assemble phase.
    pub fn assemble(&self) -> Vec<&'static str> {
        self.of(Tool::Assemble)
    }

    fn of(&self, wanted: Tool) -> Vec<&'static str> {
        let rows = self.0.iter().filter(|(tool, _)| *tool == wanted);
        rows.flat_map(|(_, value)| value.iter().copied()).collect()
    }
}

impl fmt::Display for Options {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<&str> = self.0.iter().flat_map(|(_, value)| value.iter().copied()).collect();
        formatter.write_str(&all.join(" "))
    }
}
