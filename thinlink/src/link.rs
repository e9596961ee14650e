//! The thin link as a function from summaries to decisions.

use std::collections::BTreeSet;

use weft_artifact::{LinkMode, PhaseOptions};

use crate::analyses::attributes::Attributes;
use crate::analyses::bundles;
use crate::analyses::consensus::{self, Agreement};
use crate::analyses::constant_memory::ConstantLimit;
use crate::analyses::constants::Constants;
use crate::analyses::devirtualize::{ClassHierarchy, Devirtualized};
use crate::analyses::dynamic_shared::DynamicShared;
use crate::analyses::host::Host;
use crate::analyses::kernel_choices::KernelChoices;
use crate::analyses::liveness::Liveness;
use crate::analyses::misdeclared::Misdeclared;
use crate::analyses::mode::{self, Mode};
use crate::analyses::undefined;
use crate::analyses::unknown_names;
use crate::analyses::virtual_architecture;
use crate::emit::decided::Decided;
use crate::emit::known_functions::KnownFunctions;
use crate::emit::resolve::{self, LinkedNames};
use crate::lto_ir;
use crate::model::error::LinkError;
use crate::model::ids::{NodeId, PerNode};
use crate::model::index::{self, Index};
use crate::model::policy::Policy;
use crate::model::program::{Code, PackedUnit, Symbol, in_module_order};
use crate::trials::{self, Facts};

/// Decides everything about `units`, given in any order, with their code: the one entry into the
/// core.
pub fn link<'units>(
    units: &'units [PackedUnit],
    code: Vec<Code>,
    policy: &Policy,
) -> Result<Decided<'units>, LinkError> {
    let units = in_module_order(units)?;
    let mut index = index::merge(&units, code, policy.link_order.as_ref())?;
    let agreement = consensus::agree(&index.units, &policy.options.settings)?;
    let mode = Mode::decide(&units, policy.mode);
    let host = Host::new(&units, &index, policy);
    let mut liveness = Liveness::new(&index, &host, policy);
    let bundles = bundles::choose(&index, &liveness, policy.packing)?;
    if let Some(firsts) = &bundles.firsts {
        index.bundle(firsts);
        // Definitions that are replaced within their bundle no longer reach anything.
        liveness = Liveness::new(&index, &host, policy);
    }
    let undefined = undefined::find(&index, &liveness.live);
    let virtual_calls = if policy.devirtualize {
        let (index, host, mode) = (&index, &host, &mode);
        let (undefined, liveness) = (&undefined, &liveness);
        Devirtualized::new(&ClassHierarchy { index, host, mode, undefined, liveness })
    } else {
        Devirtualized::default()
    };
    let held = Constants::new(&index, &host, &liveness, policy);
    let kernel_choices = KernelChoices::new(&index, &liveness, &policy.feedback);
    let facts = Facts {
        index: &index,
        liveness: &liveness,
        virtual_calls: &virtual_calls,
        kernel_choices: &kernel_choices,
        held: &held,
    };
    let ((mut closing, imports), attributes) = rayon::join(
        || facts.decide(policy),
        || policy.propagate_attributes.then(|| Attributes::propagate(&index, &host, &liveness)),
    );
    let notes = trials::notes(facts, policy, &closing, &imports);
    let mut exported = resolve::exported(&index, &imports);
    let lto_ir = lto_ir::decide(&index, &liveness, &exported, policy.imports.copy_limit)?;
    lto_ir.tell(&mut exported, &mut closing);
    debug_assert!(
        index.all_nodes().all(|node| !exported[node] || closing.stays(node)),
        "what a module needs of others stays"
    );
    let names = LinkedNames { index: &index, liveness: &liveness, exported: &exported };
    let known_functions = KnownFunctions::new(names, attributes.as_ref());
    let need_of_runtime = mode::need_of_device_runtime(&units, &undefined);
    let mut log = log(&mode, need_of_runtime.as_deref(), &agreement, &virtual_calls);
    log.extend(bundles.log);
    let constants = ConstantLimit::of(&index, &liveness, &exported)
        .filter(|_| policy.options.largest_constant.is_none());
    log.extend(constants.iter().map(ConstantLimit::log));
    if kernel_choices.len() > 0 {
        log.push(format!("feedback: kernels with a choice of their own: {}", kernel_choices.len()));
    }
    let dynamic_shared = DynamicShared::new(&units, &index);
    let warnings = (host.warnings.iter().cloned())
        .chain(mode.opaque.filter(|_| policy.complete_host_info && !host.has_unknown_code()))
        .chain(mode.warnings)
        .chain(unknown_names::warnings(&index, &host, policy))
        .chain(agreement.warnings)
        .chain(index.disagreements.iter().cloned())
        .chain(dynamic_shared.warnings.iter().cloned())
        .chain(virtual_architecture::warning(&units, index.architecture()))
        .chain(undefined::warnings(
            &index,
            &host,
            (&undefined, &mode::defined_by_device_runtime(&units)),
            &policy.roots.shared_libraries,
        ));
    Ok(Decided {
        mode: mode.extent,
        device_runtime: need_of_runtime.is_some(),
        removed_kernels: lost(&index, |node, _| !liveness.live[node] && index.is_kernel(node)),
        removed_variables: lost(&index, |node, symbol| {
            is_host_variable(&index, &host, policy, symbol, node)
                && (!liveness.live[node] || is_private(&index, &liveness, &exported, node))
        }),
        warnings: warnings.collect(),
        notes,
        log,
        import_metadata: policy.imports.metadata,
        dynamic_shared,
        misdeclared: Misdeclared::new(&index),
        constants: held,
        kernel_choices,
        options: PhaseOptions {
            settings: agreement.settings,
            largest_constant: constants
                .map(|limit| limit.largest)
                .or(policy.options.largest_constant),
            ..policy.options.clone()
        },
        arithmetic: agreement.arithmetic,
        attributes,
        known_functions,
        exported,
        imports,
        closing,
        lto_ir,
        liveness,
        virtual_calls,
        index,
    })
}

/// Returns the sorted names of the symbols that `is_listed` accepts.
fn lost(index: &Index<'_>, is_listed: impl Fn(NodeId, &Symbol<'_>) -> bool) -> Vec<String> {
    let names: BTreeSet<&str> = index
        .all_nodes()
        .map(|node| (node, index.symbol(node)))
        .filter(|(node, symbol)| is_listed(*node, symbol))
        .map(|(_, symbol)| symbol.name())
        .collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Whether it is a variable that the host registers but does not name, so it became local.
fn is_private(
    index: &Index<'_>,
    liveness: &Liveness,
    exported: &PerNode<bool>,
    node: NodeId,
) -> bool {
    !index.is_local(node)
        && index.is_definition(node)
        && !liveness.fixed[node]
        && !exported[index.leader(node)]
}

/// Whether it is a variable that the host could have seen.
fn is_host_variable(
    index: &Index<'_>,
    host: &Host<'_>,
    policy: &Policy,
    symbol: &Symbol<'_>,
    node: NodeId,
) -> bool {
    let is_visible = policy.roots.variables_used.is_some()
        && !symbol.linkage().is_local()
        && matches!(symbol.address_space(), 1 | 4);
    let is_registered = || host.usage(index.module_id(index.member(node)), symbol).is_some();
    symbol.variable().is_some() && (is_visible || is_registered())
}

/// Describes the decisions about the program as a whole, a line each.
fn log(
    mode: &Mode,
    need_of_runtime: Option<&str>,
    agreement: &Agreement,
    virtual_calls: &Devirtualized,
) -> Vec<String> {
    let word = match mode.extent {
        LinkMode::Whole => "whole",
        LinkMode::Partial => "partial",
    };
    let mut log = vec![format!("mode: {word}, as {}", mode.reason)];
    log.push(match need_of_runtime {
        Some(reason) => format!("libcudadevrt: needed, as {reason}"),
        None => "libcudadevrt: not needed".to_owned(),
    });
    log.extend(agreement.log.iter().cloned());
    match (&virtual_calls.refusal, virtual_calls.len()) {
        (Some(reason), _) => log.push(format!("virtual calls: left alone, as {reason}")),
        (None, 0) => {}
        (None, count) => log.push(format!("virtual calls: slots whose targets are known: {count}")),
    }
    log
}
