//! The assemble phase's part of the command line, and what ptxas is told.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args};
use weft_action::TimeLimit;
use weft_artifact::{PhaseOptions, REGISTERS, TrackedOption};
use weft_cli::{Fault, failure};
use weft_container::{Dependence, dependence};

use crate::modes::{Allowed, Mode, modes};
use crate::ptxas_files::{PassedOptions, read_files};

/// ptxas's option that limits the registers of all functions of a module, but of no kernel.
pub(crate) const FUNCTION_LIMIT: &str = "device-function-maxrregcount";

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Assembler")]
pub(crate) struct AssembleChoices {
    /// NVIDIA's assembler: a file, or a name to look for on the search path
    #[arg(long, value_name = "FILE", default_value = "ptxas")]
    pub(crate) ptxas: PathBuf,
    /// Architecture to assemble for, such as `sm_120a` [default: the PTX's own]
    ///
    /// PTX for an older architecture serves a newer one; PTX for an `a` or `f` variant serves its
    /// own variant or family only.
    #[arg(long, value_name = "ARCHITECTURE")]
    arch: Option<String>,
    /// The most registers that a thread may use: a number, archmin or archmax [default: what the
    /// thin link settled]
    #[arg(long, value_name = "N", value_parser = parse_registers)]
    maxrregcount: Option<String>,
    /// Keep line numbers, where the unit was compiled with them
    #[arg(long)]
    lineinfo: bool,
    /// Keep all debug information and do not optimize, as debuggers want it
    #[arg(long)]
    debug: bool,
    /// How hard ptxas optimizes, from 0 to 4 [default: what codegen and the thin link settled, else
    /// 3]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(0..=4))]
    ptxas_opt_level: Option<u32>,
    /// Make a cubin that nvlink can link with others; without, one that holds a whole program
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    relocatable: bool,
    /// Let ptxas see all of a kernel at once where a module needs nothing of other modules
    ///
    /// Kernels then take fewer registers than in a relocatable cubin, but for very large ones. It
    /// applies to modules whose functions are all local and called directly. With constant
    /// variables, which the linker moves, ptxas runs twice, up to `sm_90`: what differs shows where
    /// the code refers to them.
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    whole_kernels: bool,
    /// Let ptxas copy functions for each kernel that calls them, where kernels take fewer registers
    /// so
    ///
    /// It applies to modules that are not compiled as a whole. Where functions of other modules
    /// take part, ptxas runs twice, and no kernel loses warps.
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    clone_functions: bool,
    /// Let ptxas limit the registers of functions, where kernels keep more warps so
    ///
    /// nvlink gives a kernel that calls through a pointer the registers of the largest function
    /// whose address is taken. It applies to modules in which a function takes so many registers
    /// that each kernel with calls loses warps. ptxas runs once more there, and the result is taken
    /// if a thread spills no more than a word for every two registers that it saves.
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    limit_functions: bool,
    /// Run ptxas in several modes and with limits of registers, and take what costs least
    ///
    /// The cost of a kernel is that of issuing its instructions and of its accesses to local
    /// memory, which counts more the fewer warps are resident. ptxas runs two to nine times. The
    /// report lists the trials. Limits of registers are tried where nothing else limits them.
    #[arg(long)]
    search: bool,
    /// An option for ptxas, such as `--def-load-cache=cg`; may be repeated
    ///
    /// The PTX carries the values that the thin link and codegen settled: maxrregcount,
    /// split-compile, generate-line-info, debug, opt-level and Ofast-compile. This option and the
    /// ones above win over them. Files of options (`--options-file`) and of controls
    /// (`--apply-controls`) are inputs; no other file can be named.
    #[arg(long = "Xptxas", value_name = "OPTION", allow_hyphen_values = true)]
    ptxas_options: Vec<String>,
    /// End ptxas, and fail, when its runs for a module together take longer than so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
}

impl AssembleChoices {
    /// The modes that are possible for `ptx` on the architecture, for which the thin link `settled`
    /// options, with the best one first as far as the PTX shows it.
    pub(crate) fn modes(
        &self,
        ptx: &[u8],
        architecture: &str,
        settled: &PhaseOptions,
    ) -> Vec<Mode> {
        if !self.relocatable {
            return vec![Mode::Program];
        }
        if !self.is_free(settled) {
            return vec![Mode::Relocatable];
        }
        let allowed = Allowed {
            whole_kernels: self.whole_kernels && !self.is_fast(settled),
            clone_functions: self.clone_functions,
            any_size: settled.lto_ir,
        };
        modes(ptx, architecture, allowed)
    }

    /// Whether the best of several results is wanted, and neither a debugger nor an option for
    /// ptxas asks for a mode.
    pub(crate) fn searches(&self, settled: &PhaseOptions) -> bool {
        self.search && self.relocatable && self.is_free(settled)
    }

    /// Whether functions may get a limit of registers: neither a debugger nor an option for ptxas
    /// asks for anything else, and nothing limits registers already.
    pub(crate) fn may_limit_functions(&self, settled: &PhaseOptions) -> bool {
        self.limit_functions
            && self.is_free(settled)
            && !self.is_fast(settled)
            && !self.limits_registers(settled)
            && !self.is_passed(FUNCTION_LIMIT)
    }

    /// Whether something limits the registers of all kernels.
    fn limits_registers(&self, settled: &PhaseOptions) -> bool {
        let is_limit = |(name, _): &(&str, _)| *name == "maxrregcount";
        self.is_passed("maxrregcount") || self.chosen(settled).iter().any(is_limit)
    }

    /// Whether kernels of `ptx` may get limits of registers: nothing limits all of them already,
    /// and they call no function of another module. nvlink refuses a kernel with a limit below
    /// the registers of a function that it calls.
    pub(crate) fn leaves_registers_open(&self, ptx: &[u8], settled: &PhaseOptions) -> bool {
        !self.limits_registers(settled)
            && dependence(ptx).is_ok_and(|dependence| dependence != Dependence::Functions)
    }

    /// Whether ptxas shall be fast rather than thorough.
    fn is_fast(&self, settled: &PhaseOptions) -> bool {
        let chosen = self.chosen(settled);
        self.is_passed("Ofast-compile") || chosen.iter().any(|(name, _)| *name == "Ofast-compile")
    }

    /// Whether neither a debugger nor an option for ptxas asks for a mode.
    fn is_free(&self, settled: &PhaseOptions) -> bool {
        let is_debugged = self.debug || settled.debug || self.is_passed("device-debug");
        let modes = [
            "compile-only",
            "extensible-whole-program",
            "compile-as-tools-patch",
            "enable-func-clone-sc",
            "options-file",
        ];
        !is_debugged && !modes.iter().any(|mode| self.is_passed(mode))
    }

    /// Refuses a level that would do nothing.
    pub(crate) fn check(&self, settled: &PhaseOptions) -> anyhow::Result<()> {
        match self.ptxas_opt_level.filter(|_| self.debug || settled.debug) {
            Some(level @ 1..) => Err(failure(
                Fault::Usage,
                format!(
                    "--ptxas-opt-level={level} would do nothing: ptxas does not optimize code for \
                     a debugger"
                ),
            )),
            _ => Ok(()),
        }
    }

    /// The options that `--Xptxas` gives, and the files that they name.
    pub(crate) fn passed_options(&self) -> anyhow::Result<PassedOptions> {
        read_files(&self.ptxas_options)
    }

    /// ptxas's options for `architecture` in the `mode`, without the names of the input and the
    /// output. The options that are `passed` on come last. The values that the thin link `settled`
    /// apply where the command line gives none.
    ///
    /// `--verbose` is always there: what it prints goes into reports, and ptxas records its command
    /// line in the cubin, which must not depend on who wants a report.
    pub(crate) fn ptxas_arguments(
        &self,
        mode: Mode,
        architecture: &str,
        settled: &PhaseOptions,
        passed: &[String],
    ) -> Vec<String> {
        let mut arguments = vec!["--verbose".to_owned()];
        arguments.extend(mode.options().iter().map(|option| (*option).to_owned()));
        arguments.extend(["--gpu-name".to_owned(), architecture.to_owned()]);
        let chosen = self.chosen(settled);
        let chosen = chosen.into_iter().filter(|(name, _)| !self.is_passed(name));
        arguments.extend(chosen.map(|(name, value)| match value {
            Some(value) => format!("--{name}={value}"),
            None => format!("--{name}"),
        }));
        arguments.extend(passed.iter().cloned());
        arguments
    }

    /// Names of ptxas's options, with their values where they have one.
    fn chosen(&self, settled: &PhaseOptions) -> Vec<(&'static str, Option<String>)> {
        let setting = |option| settled.setting(option).filter(|value| *value != 0);
        let debug = self.debug || settled.debug;
        // ptxas refuses to debug what it optimizes. Without a level it is at its best, but for PTX
        // that asks for a debugger itself.
        let is_fast_passed = self.is_passed("Ofast-compile");
        let settled_level = settled.optimization_level.filter(|_| !is_fast_passed);
        let level = self.ptxas_opt_level.or(settled_level);
        let level = if debug { Some(0) } else { level };
        // Each fast-compilation mode of ptxas implies its own level, and ptxas accepts no other
        // with it.
        let fast = settled.fast_compile.filter(|_| level.is_none() && !self.is_passed("opt-level"));
        let mut chosen: Vec<_> =
            level.map(|level| ("opt-level", Some(level.to_string()))).into_iter().collect();
        chosen.extend(fast.map(|fast| ("Ofast-compile", Some(fast.name().to_owned()))));
        let registers = self.maxrregcount.clone();
        let registers =
            registers.or_else(|| Some(setting(TrackedOption::MaxrregCount)?.to_string()));
        chosen.extend(registers.map(|limit| ("maxrregcount", Some(limit))));
        let threads = settled.setting(TrackedOption::SplitCompile);
        chosen.extend(threads.map(|count| ("split-compile", Some(count.to_string()))));
        if self.lineinfo || setting(TrackedOption::GenerateLineInfo).is_some() {
            chosen.push(("generate-line-info", None));
        }
        if debug {
            chosen.push(("device-debug", None));
        }
        chosen
    }

    /// Whether `--Xptxas` gives the option of that name, which ptxas may know by a short one too.
    fn is_passed(&self, name: &str) -> bool {
        let short = match name {
            "generate-line-info" => "lineinfo",
            "device-debug" => "g",
            "opt-level" => "O",
            "compile-only" => "c",
            "extensible-whole-program" => "ewp",
            "compile-as-tools-patch" => "astoolspatch",
            "options-file" => "optf",
            "Ofast-compile" => "Ofc",
            FUNCTION_LIMIT => "func-maxrregcount",
            _ => name,
        };
        self.ptxas_options.iter().any(|option| {
            let option = option.trim_start_matches('-');
            let option = option.split_once('=').map_or(option, |(option, _)| option);
            // `-O2` is `-O=2`.
            let option = if name == "opt-level" {
                option.trim_end_matches(|character: char| character.is_ascii_digit())
            } else {
                option
            };
            option == name || option == short
        })
    }

    /// The architecture to assemble for, of PTX for `target`.
    pub(crate) fn architecture<'name>(&'name self, target: &'name str) -> &'name str {
        self.arch.as_deref().unwrap_or(target)
    }

    /// Time that the runs of ptxas for a module may take together.
    pub(crate) fn time_limit(&self) -> Option<TimeLimit> {
        self.timeout.map(Duration::from_secs).map(TimeLimit::new)
    }
}

fn parse_registers(text: &str) -> Result<String, String> {
    let is_possible = |number| TrackedOption::MaxrregCount.check(number).is_ok();
    let is_number = text.parse().is_ok_and(|number: u32| number > 0 && is_possible(number));
    if is_number || ["archmin", "archmax"].contains(&text) {
        Ok(text.to_owned())
    } else {
        Err(format!("expected a number {REGISTERS}, archmin or archmax"))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        choices: AssembleChoices,
    }

    /// Returns the arguments of ptxas beyond the ones that it always gets.
    fn chosen(words: &[&str], settled: &str) -> Vec<String> {
        let line = Line::try_parse_from([&["program"], words].concat()).expect("a command line");
        let settled = settled.parse().expect("options");
        let fixed = ["--verbose", "--compile-only", "--gpu-name", "sm_90"];
        let (mode, passed) = (Mode::Relocatable, &line.choices.ptxas_options);
        let arguments = line.choices.ptxas_arguments(mode, "sm_90", &settled, passed);
        assert_eq!(arguments[..fixed.len()], fixed);
        arguments[fixed.len()..].to_vec()
    }

    #[test]
    fn what_is_given_wins_over_what_was_settled() {
        let settled = "opt-level=2 ftz=1 maxrregcount=64 split-compile=4 generate-line-info=1";
        let all =
            ["--opt-level=2", "--maxrregcount=64", "--split-compile=4", "--generate-line-info"];
        assert_eq!(chosen(&[], settled), all);
        let given = ["--maxrregcount=32", "--ptxas-opt-level=1", "--lineinfo"];
        assert_eq!(
            chosen(&given, "opt-level=2 maxrregcount=64"),
            ["--opt-level=1", "--maxrregcount=32", "--generate-line-info"]
        );
        let passed =
            ["--Xptxas=--maxrregcount=32", "--Xptxas=-lineinfo", "--Xptxas=-g", "--Xptxas=-O1"];
        assert_eq!(
            chosen(&passed, &format!("{settled} debug=1")),
            ["--split-compile=4", "--maxrregcount=32", "-lineinfo", "-g", "-O1"]
        );
    }

    #[test]
    fn nothing_settled_is_ptxas_at_its_best_and_a_debugger_gets_what_is_not_optimized() {
        assert_eq!(chosen(&[], ""), [""; 0]);
        assert_eq!(chosen(&[], "maxrregcount=0"), [""; 0]);
        assert_eq!(chosen(&[], "opt-level=2 debug=1"), ["--opt-level=0", "--device-debug"]);
        // An option that only begins like another one, and that takes no level beside it.
        let passed = ["--Xptxas=--Ofast-compile=min"];
        assert_eq!(chosen(&passed, ""), ["--Ofast-compile=min"]);
        assert_eq!(chosen(&passed, "opt-level=2"), ["--Ofast-compile=min"]);
        assert_eq!(chosen(&["--Xptxas=-Ofc=mid"], "Ofast-compile=3"), ["-Ofc=mid"]);
        for (settled, name) in [(1, "min"), (2, "mid"), (3, "max")] {
            let settled = format!("Ofast-compile={settled}");
            assert_eq!(chosen(&[], &settled), [format!("--Ofast-compile={name}")]);
            assert_eq!(chosen(&["--ptxas-opt-level=2"], &settled), ["--opt-level=2"]);
            assert_eq!(chosen(&["--Xptxas=-O2"], &settled), ["-O2"]);
            assert_eq!(chosen(&["--debug"], &settled), ["--opt-level=0", "--device-debug"]);
        }
    }

    #[test]
    fn modules_that_need_nothing_are_whole_unless_told_otherwise() {
        let text = b".version 8.8\n.target sm_90\n.visible .entry k()\n{\nret;\n}\n";
        let mode = |words: &[&str], settled: &str| {
            let line =
                Line::try_parse_from([&["program"], words].concat()).expect("a command line");
            line.choices.modes(text, "sm_90", &settled.parse().expect("options"))[0]
        };
        assert_eq!(mode(&[], ""), Mode::Extensible);
        assert_eq!(mode(&["--Xptxas=--maxrregcount=32"], "opt-level=2"), Mode::Extensible);
        assert_eq!(mode(&[], "Ofast-compile=1"), Mode::Cloned);
        assert_eq!(mode(&["--Xptxas=-Ofc=mid"], ""), Mode::Cloned);
        assert_eq!(mode(&["--whole-kernels=false"], ""), Mode::Cloned);
        assert_eq!(mode(&["--clone-functions=false"], ""), Mode::Extensible);
        let neither = ["--whole-kernels=false", "--clone-functions=false"];
        assert_eq!(mode(&neither, ""), Mode::Relocatable);
        for words in
            ["--debug", "--Xptxas=-g", "--Xptxas=-c", "--Xptxas=--extensible-whole-program"]
        {
            assert_eq!(mode(&[words], ""), Mode::Relocatable, "{words}");
        }
        assert_eq!(mode(&[], "debug=1"), Mode::Relocatable);
        assert_eq!(mode(&["--relocatable=false"], ""), Mode::Program);
        let line = Line::try_parse_from(["program"]).expect("a command line");
        assert_eq!(
            line.choices.modes(b"no PTX", "sm_90", &PhaseOptions::default())[0],
            Mode::Relocatable
        );
    }
}
