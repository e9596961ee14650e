//! Options that say which symbols must stay.

use std::collections::BTreeSet;

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgAction, Args};
use weft_artifact::{NamedKind, NamedReference};

use crate::model::host_link::HostLink;
use crate::model::policy::{ModeChoice, RootPolicy};

/// Options that say which symbols must stay.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What stays")]
pub struct RootArguments {
    /// The summaries cover every host object of the program, so the host's references are complete.
    /// Without it nothing externally visible is removed or made internal, but for kernels that
    /// `--kernels-used` leaves out, and variables that `--variables-used` leaves out.
    #[arg(long)]
    has_global_host_info: bool,

    /// Other files of the process may refer to host symbols that the linked file exports, as to
    /// those of a shared library: kernels and variables stay whose host symbols are not hidden
    /// (`-fvisibility=hidden`; nvcc 13 hides them).
    #[arg(long, requires = "has_global_host_info")]
    exports_host_symbols: bool,

    /// An option of the host link, which may give a kernel's or variable's host symbol another
    /// name, such as `-Wl,--defsym=NAME=SYMBOL`. May be given several times.
    ///
    /// What the symbols in it stand for stays. A linker script and a file of options are not read,
    /// so with one of them everything that host code registers stays.
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    host_link_option: Vec<String>,

    /// A shared library that the program links, for a message: device code cannot call into it. May
    /// be given several times.
    #[arg(long, value_name = "NAME")]
    shared_library: Vec<String>,

    /// Leave the host's references aside, even if they are complete: nothing that the host could
    /// refer to goes.
    #[arg(long)]
    ignore_host_info: bool,

    /// Kernels that host code refers to and that other units can see, as NVIDIA's linker lists
    /// them: names with commas between, in which `*` stands for any characters.
    ///
    /// With any of the six lists and --has-global-host-info, the lists say all there is to say of
    /// units whose host side no summary tells.
    #[arg(long, value_name = "LIST", value_parser = names, requires = "has_global_host_info")]
    host_ref_ek: Vec<Names>,
    /// The same of kernels that only their unit sees.
    #[arg(long, value_name = "LIST", value_parser = names, requires = "has_global_host_info")]
    host_ref_ik: Vec<Names>,
    /// The same of `__constant__` variables that other units can see.
    #[arg(long, value_name = "LIST", value_parser = names, requires = "has_global_host_info")]
    host_ref_ec: Vec<Names>,
    /// The same of `__constant__` variables that only their unit sees.
    #[arg(long, value_name = "LIST", value_parser = names, requires = "has_global_host_info")]
    host_ref_ic: Vec<Names>,
    /// The same of `__device__` variables that other units can see.
    #[arg(long, value_name = "LIST", value_parser = names, requires = "has_global_host_info")]
    host_ref_eg: Vec<Names>,
    /// The same of `__device__` variables that only their unit sees.
    #[arg(long, value_name = "LIST", value_parser = names, requires = "has_global_host_info")]
    host_ref_ig: Vec<Names>,

    /// The kernels that are used: any part of their names, with commas between. Every other kernel
    /// goes unless device code names it. May be given several times.
    #[arg(long, value_name = "LIST", value_parser = names)]
    kernels_used: Vec<Names>,

    /// The `__device__` and `__constant__` variables that the host uses, in the same form. Every
    /// other one goes unless device code names it.
    #[arg(long, value_name = "LIST", value_parser = names)]
    variables_used: Vec<Names>,

    /// Let `__device__` and `__constant__` variables go, too, that only the six lists could name
    /// and do not. Where summaries tell the host side, unused variables go without this option.
    #[arg(long, requires = "has_global_host_info")]
    optimize_unused_variables: bool,

    /// Symbols that stay, whoever refers to them. In NAME, `*` stands for any characters, `?` for
    /// one and `[a-z]` for one of a set. May be given several times.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    keep: Vec<String>,

    /// Find out what is dead. With `false` nothing is.
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    compute_dead: bool,

    /// Take variables that the host never names for the device code's own: they may become local,
    /// and those that no live code writes are constants. With `false` the host may find them by
    /// their names, as with `cuModuleGetGlobal`; --keep does that for one.
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    private_variables: bool,

    /// Leave visible what other modules can see, as for a part of a program.
    #[arg(long, conflicts_with = "force_whole")]
    force_partial: bool,

    /// Take the link for one of the whole program although libcudadevrt joins it as machine code.
    /// Other device code that is not bitcode keeps it partial all the same.
    #[arg(long)]
    force_whole: bool,
}

/// A list of names, with at least one.
#[derive(Clone, Debug)]
struct Names(Vec<String>);

/// Reads a list of names. One that is empty, as from an unset variable, is no list.
fn names(text: &str) -> Result<Names, String> {
    let names = text.split([',', ';']).map(str::trim);
    let names: Vec<String> = names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
    if names.is_empty() {
        return Err("it names nothing: name one at least, or leave the option out".to_owned());
    }
    Ok(Names(names))
}

/// The options in the form that the thin link uses.
pub(super) struct RootChoices {
    pub(super) complete_host_info: bool,
    pub(super) optimize_unused_variables: bool,
    pub(super) keep: BTreeSet<String>,
    pub(super) roots: RootPolicy,
    pub(super) mode: ModeChoice,
}

impl RootArguments {
    pub(super) fn resolve(self) -> RootChoices {
        use NamedKind::{Constant, Kernel, Variable};
        let tables = [
            (Kernel, false, &self.host_ref_ek),
            (Kernel, true, &self.host_ref_ik),
            (Constant, false, &self.host_ref_ec),
            (Constant, true, &self.host_ref_ic),
            (Variable, false, &self.host_ref_eg),
            (Variable, true, &self.host_ref_ig),
        ];
        let is_listed = tables.iter().any(|(_, _, lists)| !lists.is_empty());
        let listed = tables
            .into_iter()
            .flat_map(|(kind, internal, lists)| references(kind, internal, lists))
            .collect();
        let mode = match (self.force_partial, self.force_whole) {
            (true, _) => ModeChoice::ForcePartial,
            (false, true) => ModeChoice::ForceWhole,
            (false, false) => ModeChoice::Automatic,
        };
        RootChoices {
            complete_host_info: self.has_global_host_info,
            optimize_unused_variables: self.optimize_unused_variables,
            keep: self.keep.into_iter().collect(),
            roots: RootPolicy {
                host_references: is_listed.then_some(listed),
                host_link: HostLink::of(&self.host_link_option),
                shared_libraries: self.shared_library,
                exports_host_symbols: self.exports_host_symbols,
                ignore_host_info: self.ignore_host_info,
                kernels_used: parts(&self.kernels_used),
                variables_used: parts(&self.variables_used),
                compute_dead: self.compute_dead,
                private_variables: self.private_variables,
            },
            mode,
        }
    }
}

/// Returns the parts of names in lists; `None` if there is no list.
fn parts(lists: &[Names]) -> Option<Vec<String>> {
    let parts = lists.iter().flat_map(|Names(names)| names).cloned().collect();
    (!lists.is_empty()).then_some(parts)
}

/// Returns the references in one of the tables.
fn references(kind: NamedKind, internal: bool, lists: &[Names]) -> Vec<NamedReference> {
    let names = lists.iter().flat_map(|Names(names)| names);
    names.map(|name| NamedReference { kind, internal, pattern: name.clone() }).collect()
}
