//! References of all host code to device code.
//!
//! A kernel is launched through its stub, and a variable is copied to through its shadow: host
//! symbols that the unit's offload entries tie to device names. So a kernel can be launched only if
//! some host object refers to its stub. That holds for the program only if every host object was
//! looked at; the build promises it with `--has-global-host-info`, and a unit whose host side is
//! unknown breaks the promise, as does one with opaque device code whose symbols cannot be known.
//!
//! Objects of nvcc have no entries. Their tables name every kernel and variable that the host code
//! of the unit uses, by its device name, and the host symbol of a kernel or variable has that name,
//! too. So for units of NVIDIA's LTO IR a symbol that neither a table names nor host code elsewhere
//! refers to is used by no host code.
//!
//! Other files of the process may also launch kernels of a shared library, and copy to its
//! variables, by the host symbols that it exports. Such a symbol counts as referenced by host code.
//!
//! A reference may use another name than the host symbol's own: an object states the aliases of its
//! symbols, each as an entry, and the caller states the options of the host link, which can add
//! more.
//!
//! A caller that knows the host's references may list them, in the patterns of nvcc's tables. Then
//! the lists are complete for units whose host side is unknown.
//!
//! Host code does not use units that the host linker leaves out ([`super::left_out`]).
//!
//! For a library of device code, the caller states that host code uses none of its symbols,
//! regardless of what is known about other units.
//!
//! A kernel that is local to its module is tied only to the entries of its own unit: an external
//! one of the same name is a different kernel.
//!
//! Cost: a sort of all host references, one look-up per entry, and a look at each name.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use weft_artifact::{Guid, HostEntryKind, LinkSymbols, ModuleId};

use super::left_out::left_out;
use super::opaque_code::OpaqueCode;
use crate::model::hidden_symbols::HiddenSymbols;
use crate::model::ids::{NodeId, PerNode};
use crate::model::index::Index;
use crate::model::name_hash::Filter;
use crate::model::policy::ModeChoice;
use crate::model::policy::Policy;
use crate::model::program::{PackedUnit, Symbol};

/// The host's view of device symbols.
pub(crate) struct Host<'units> {
    /// Whether a missing reference means that there is none.
    pub(crate) complete: bool,
    /// The build promises that all device code takes part, and it can be inspected. Host code
    /// cannot name device functions, so this is enough to know all callers of one.
    pub(crate) has_all_device_code: bool,
    /// The caller listed the host's references.
    pub(crate) is_listed: bool,
    /// Warnings about completeness.
    pub(crate) warnings: Vec<String>,
    /// Modules whose host side is unknown.
    unknown_sides: BTreeSet<&'units ModuleId>,
    /// Modules of libraries of device code.
    libraries: BTreeSet<&'units ModuleId>,
    /// Uses by device name, with the module id where the name is local.
    entries: BTreeMap<(Option<&'units ModuleId>, &'units str), Use>,
    /// For each leader, whether its name may be in `entries`: nearly none is. One sequential pass
    /// over the names of all symbols saves as many look-ups.
    may_have_entry: PerNode<bool>,
    opaque_code: OpaqueCode<'units>,
    /// Host symbols that host code refers to, sorted.
    references: Vec<Guid>,
    /// Host symbols that no other file of the process can refer to, sorted; `None` if there is no
    /// such file.
    hidden: Option<Vec<Guid>>,
    /// Modules of LTO IR whose host code is known.
    tabled: BTreeSet<&'units ModuleId>,
}

/// How the host can use a device symbol that has an offload entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// The host linker leaves out all units with the entry.
    LeftOut,
    /// All host symbols of the entry are global and nothing refers to them.
    Unreferenced,
    /// Host code refers to the symbol, or may do so.
    Possible,
}

impl<'units> Host<'units> {
    /// Merges the host facts of `units`, which are sorted by module id.
    pub(crate) fn new(
        units: &[&'units PackedUnit],
        index: &Index<'_>,
        policy: &'units Policy,
    ) -> Self {
        let roots = &policy.roots;
        let listed = roots.host_references.as_deref();
        let opaque_code = OpaqueCode::new(units, listed.unwrap_or_default());
        let wanted = policy.complete_host_info
            && !roots.ignore_host_info
            && policy.mode != ModeChoice::ForcePartial;
        let unknown_sides = || units.iter().filter(|unit| unit.host.is_none() && !unit.is_library);
        let mut without_host = unknown_sides();
        let without_host = without_host.next().map(|unit| (*unit, without_host.count()));
        let without_host = without_host.filter(|_| listed.is_none());
        let has_all_device_code = wanted && opaque_code.unknown.is_none();
        let complete = has_all_device_code && without_host.is_none();
        let mut warnings = Vec::new();
        if wanted {
            warnings.extend(without_host.map(|(first, more)| {
                incomplete(first, more, "tells nothing of its host code", "kernel or variable")
            }));
            warnings.extend(opaque_code.unknown.map(|(first, kind, more)| {
                let why = format!("holds device code whose symbols cannot be known ({kind})");
                incomplete(first, more, &why, "symbol")
            }));
        }
        if complete && let Some(option) = &roots.host_link.unreadable {
            warnings.push(format!(
                "the option '{option}' of the host link may give host symbols other names: no \
                 kernel or variable that host code registers will be removed"
            ));
        }
        let facts = || units.iter().filter_map(|unit| unit.host.as_ref());
        let mut references: Vec<Guid> =
            facts().flat_map(|facts| &facts.references).map(|reference| reference.guid).collect();
        let host_link = &roots.host_link;
        references.extend(host_link.names.iter().map(|name| Guid::of_global(name)));
        references.sort_unstable();
        references.dedup();
        let hidden = roots.exports_host_symbols.then(|| {
            let by_linker = policy.hidden_host_symbols.iter().flat_map(HiddenSymbols::guids);
            let by_objects = facts().flat_map(|facts| &facts.hidden).copied();
            let mut hidden: Vec<Guid> = by_objects.chain(by_linker).collect();
            hidden.sort_unstable();
            hidden
        });
        let archives = policy.archives.as_ref();
        let archives = archives.filter(|_| complete && host_link.unreadable.is_none());
        let needed = host_link.names.iter().map(|name| LinkSymbols::number(name));
        let left_out = archives.map(|archives| left_out(units, archives, needed));
        let left_out = left_out.unwrap_or_default();
        let mut entries = BTreeMap::new();
        let mut modules = index.modules();
        for unit in units {
            let module = unit.device.as_ref().and_then(|_| modules.next());
            for entry in unit.host.iter().flat_map(|facts| &facts.entries) {
                let possible = entry.kind == HostEntryKind::Other
                    || host_link.unreadable.is_some()
                    || entry.host_symbol_is_local
                    || references.binary_search(&entry.host_symbol).is_ok()
                    || is_exported(hidden.as_deref(), entry.host_symbol);
                let name = entry.device_name.as_str();
                let is_local = |node: NodeId| index.linkage(node).is_local();
                let node = module.and_then(|module| index.find(module, name));
                let module = node.is_some_and(is_local).then_some(&unit.module_id);
                let usage = match possible {
                    _ if left_out.contains(&unit.module_id) => Use::LeftOut,
                    true => Use::Possible,
                    false => Use::Unreferenced,
                };
                let known = entries.entry((module, name)).or_insert(usage);
                *known = usage.max(*known);
            }
        }
        let unknown_sides = unknown_sides().map(|unit| &unit.module_id).collect();
        let libraries = units.iter().filter(|unit| unit.is_library);
        let libraries = libraries.map(|unit| &unit.module_id).collect();
        let may_have_entry = may_have_entry(index, entries.keys().map(|&(_, name)| name));
        let is_listed = listed.is_some();
        let tabled = units.iter().filter(|unit| unit.is_lto_ir() && unit.host.is_some());
        let tabled = tabled.filter(|_| host_link.unreadable.is_none());
        let tabled = tabled.map(|unit| &unit.module_id).collect();
        Self {
            complete,
            has_all_device_code,
            is_listed,
            warnings,
            unknown_sides,
            libraries,
            entries,
            may_have_entry,
            opaque_code,
            references,
            hidden,
            tabled,
        }
    }

    /// Returns how the host can use `symbol` of `module`; `None` if no unit has an entry for it.
    pub(crate) fn usage(&self, module: &ModuleId, symbol: &Symbol<'_>) -> Option<Use> {
        if self.entries.is_empty() || !self.may_have_entry[symbol.leader()] {
            return None;
        }
        let module = symbol.linkage().is_local().then_some(module);
        self.entries.get(&(module, symbol.name())).copied()
    }

    /// Whether the host side of `module` is unknown.
    pub(crate) fn tells_nothing_of(&self, module: &ModuleId) -> bool {
        self.unknown_sides.contains(module)
    }

    /// Whether `module` is of a library of device code, and all code that may name its symbols can
    /// be inspected.
    pub(crate) fn is_seen_library(&self, module: &ModuleId) -> bool {
        !self.has_unknown_code() && self.libraries.contains(module)
    }

    /// Whether opaque device code, or host code that goes by device names, names `symbol` of
    /// `module`.
    pub(crate) fn names(&self, module: &ModuleId, symbol: &Symbol<'_>) -> bool {
        self.opaque_code.names(module, symbol) || self.refers_to(module, symbol)
    }

    /// Whether the host code of `module` is nvcc's, so that its tables name all that it uses.
    pub(crate) fn has_tables(&self, module: &ModuleId) -> bool {
        self.tabled.contains(module)
    }

    /// Whether host code refers to the host symbol of a kernel or variable of nvcc's, which has the
    /// name of `symbol`.
    fn refers_to(&self, module: &ModuleId, symbol: &Symbol<'_>) -> bool {
        let is_registered = symbol.is_kernel()
            || symbol.kind().is_variable() && matches!(symbol.address_space(), 1 | 4);
        is_registered && !symbol.linkage().is_local() && self.has_tables(module) && {
            let guid = Guid::of_global(symbol.name());
            self.references.binary_search(&guid).is_ok()
                || is_exported(self.hidden.as_deref(), guid)
        }
    }

    /// Whether opaque device code whose symbols cannot be known takes part.
    pub(crate) fn has_unknown_code(&self) -> bool {
        self.opaque_code.unknown.is_some()
    }

    /// Whether any opaque device code takes part.
    pub(crate) fn has_opaque_code(&self) -> bool {
        self.opaque_code.has_code
    }

    /// Returns the names that opaque device code defines.
    pub(crate) fn opaque_names(&self) -> impl Iterator<Item = &str> {
        self.opaque_code.defines.iter().copied()
    }

    /// Whether opaque device code may hold a definition of that name.
    pub(crate) fn may_define(&self, name: &str) -> bool {
        self.has_unknown_code() || self.opaque_code.defines.contains(name)
    }
}

/// Whether another file of the process may refer to a host symbol. A linker gives a symbol the
/// narrowest visibility that a unit states, so one unit that hides it is enough. `hidden` is `None`
/// if no other file refers to anything.
fn is_exported(hidden: Option<&[Guid]>, symbol: Guid) -> bool {
    hidden.is_some_and(|hidden| hidden.binary_search(&symbol).is_err())
}

/// Finds the leaders whose names may be among `names`. The result is empty if `names` is.
fn may_have_entry<'name>(
    index: &Index<'_>,
    names: impl ExactSizeIterator<Item = &'name str>,
) -> PerNode<bool> {
    if names.len() == 0 {
        return PerNode::default();
    }
    let filter = Filter::new(names);
    let leads = |node: NodeId| index.leader(node) == node && filter.may_hold(index.name(node));
    index.all_nodes().into_par().map(leads).collect()
}

fn incomplete(first: &PackedUnit, more: usize, why: &str, what_stays: &str) -> String {
    let others = match more {
        0 => String::new(),
        count => format!(" (and {count} more)"),
    };
    let (path, module_id) = (first.path.display(), &first.module_id);
    format!(
        "--has-global-host-info was given, but {path}{others} {why}: no visible \
         {what_stays} will be removed or made internal (module '{module_id}')"
    )
}
