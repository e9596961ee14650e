//! The assemble phase's part of the command line, and what ptxas is told.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args};

#[derive(Args, Clone, Debug)]
pub(crate) struct AssembleChoices {
    /// NVIDIA's assembler: a file, or a name to look for on the search path
    #[arg(long, value_name = "FILE", default_value = "ptxas")]
    pub(crate) ptxas: PathBuf,
    /// Architecture to assemble for, such as `sm_120a`, when it is not the PTX's own
    ///
    /// PTX for an older architecture serves a newer one; PTX for an `a` or `f` variant serves its own
    /// variant or family only.
    #[arg(long, value_name = "ARCHITECTURE")]
    arch: Option<String>,
    /// The most registers that a thread may use: a number, archmin or archmax
    #[arg(long, value_name = "N", value_parser = parse_registers)]
    maxrregcount: Option<String>,
    /// Keep line numbers, where the unit was compiled with them
    #[arg(long)]
    lineinfo: bool,
    /// Keep all debug information and do not optimise, as debuggers want it
    #[arg(long)]
    debug: bool,
    /// How hard ptxas optimises
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=4), default_value = "3")]
    ptxas_opt_level: u8,
    /// Make a cubin that nvlink can link with others; without, one that holds a whole program
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, default_value_t = true)]
    relocatable: bool,
    /// An option for ptxas, such as `--def-load-cache=cg`; may be repeated
    #[arg(long = "Xptxas", value_name = "OPTION", allow_hyphen_values = true)]
    ptxas_options: Vec<String>,
    /// End ptxas, and fail, when it has not finished after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
}

impl AssembleChoices {
    /// ptxas's options for `architecture`, all but the names of files.
    ///
    /// `--verbose` is always there: what it prints goes into reports, and ptxas records its command
    /// line in the cubin, which must not depend on who wants a report.
    pub(crate) fn ptxas_arguments(&self, architecture: &str) -> Vec<String> {
        let mut arguments = vec!["--verbose".to_owned()];
        if self.relocatable {
            arguments.push("--compile-only".to_owned());
        }
        arguments.extend(["--gpu-name".to_owned(), architecture.to_owned()]);
        // ptxas refuses to debug what it optimises.
        let level = if self.debug { 0 } else { self.ptxas_opt_level };
        arguments.push(format!("--opt-level={level}"));
        if let Some(registers) = &self.maxrregcount {
            arguments.push(format!("--maxrregcount={registers}"));
        }
        for (is_wanted, option) in
            [(self.lineinfo, "--generate-line-info"), (self.debug, "--device-debug")]
        {
            if is_wanted {
                arguments.push(option.to_owned());
            }
        }
        arguments.extend(self.ptxas_options.iter().cloned());
        arguments
    }

    /// The architecture to assemble for, of PTX for `target`.
    pub(crate) fn architecture<'name>(&'name self, target: &'name str) -> &'name str {
        self.arch.as_deref().unwrap_or(target)
    }

    pub(crate) fn time_limit(&self) -> Option<Duration> {
        self.timeout.map(Duration::from_secs)
    }
}

fn parse_registers(text: &str) -> Result<String, String> {
    let is_number = text.parse::<u32>().is_ok_and(|number| number > 0);
    if is_number || ["archmin", "archmax"].contains(&text) {
        Ok(text.to_owned())
    } else {
        Err("expected a positive number, archmin or archmax".to_owned())
    }
}
