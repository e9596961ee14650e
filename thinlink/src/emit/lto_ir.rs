//! Plans of modules of NVIDIA's LTO IR.

use weft_artifact::{EncodeError, LtoIrRole, PlanImports, PlanMembers, PlanNames, PlanRecord};

use super::decided::{Decided, Tally};
use super::planned::Planned;
use super::shared_alignments;
use crate::lto_ir::Job;
use crate::model::ids::ModuleIndex;

/// Returns the plan of `module`, whose job is `job`.
pub(super) fn plan<'units>(
    decided: &Decided<'units>,
    module: ModuleIndex,
    job: &Job,
) -> Result<Planned<'units>, EncodeError> {
    let index = &decided.index;
    let units = || job.units.iter().copied();
    let dynamic_shared = shared_alignments::of_units(&decided.dynamic_shared, index, units());
    let is_empty = job.units.is_empty();
    let mut members = PlanMembers::default();
    if !is_empty {
        for member in index.members(module).filter(|&member| member != module) {
            members.member(
                index.module_id(member),
                decided.arithmetic[member],
                &PlanNames::default(),
            );
        }
    }
    let record = PlanRecord {
        module_id: index.module_id(module),
        architecture: decided.architecture(),
        options: &decided.options,
        arithmetic: decided.arithmetic[module],
        symbols: PlanNames::default(),
        members,
        imports: PlanImports::default(),
        virtual_calls: &[],
        others: PlanNames::default(),
        is_empty,
        import_metadata: false,
        dynamic_shared: &dynamic_shared,
        kernels: &[],
        constants: &[],
        definitions: &[],
        lto_ir: Some(&job.orders),
    };
    let is_source = |&unit: &ModuleIndex| index.module_of(unit) != module;
    let mut sources: Vec<_> = units().filter(is_source).map(|unit| index.module_id(unit)).collect();
    sources.sort_unstable();
    Ok(Planned {
        content: record.encode()?,
        sources,
        tally: tally(decided, module, job),
        cost: job.cost,
        is_empty,
    })
}

fn tally(decided: &Decided<'_>, module: ModuleIndex, job: &Job) -> Tally {
    let index = &decided.index;
    let definitions = || index.nodes(module).filter(|&node| index.is_definition(node));
    let removed = definitions().filter(|&node| !decided.liveness.live[node]).count();
    let elsewhere = job.compiled.iter().filter(|&&node| index.module(node) != module).count();
    let defined = |symbol: &&weft_artifact::LtoIrSymbol| symbol.role == LtoIrRole::Define;
    let shared = || job.orders.symbols.iter().filter(defined);
    let kept = definitions().count() - removed;
    Tally {
        imports: elsewhere,
        copied: elsewhere,
        kept,
        removed,
        internalized: kept.saturating_sub(shared().count() + job.orders.kernels.len()),
        promoted: shared().filter(|symbol| symbol.linked_name.is_some()).count(),
    }
}
