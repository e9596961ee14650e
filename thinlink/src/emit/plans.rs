//! Plans: the decisions about each module as a record.
//!
//! Nodes are numbered by module and then by name, so lists in node order are in the order that the
//! record requires, except for the names from several modules at its end.
//!
//! Cost per module: its own symbols and the symbols that it needs of others, and a sort of the
//! numbers of the ones that it does not import.

use std::borrow::Cow;

use weft_artifact::{
    EncodeError, KnownAttributes, ModuleId, PlanImports, PlanMembers, PlanNames, PlanRecord,
    Resolution,
};

use super::decided::{Decided, Tally};
use super::planned::Planned;
use super::{constants, definitions, lto_ir, resolve, shared_alignments, virtual_calls};
use crate::imports::Imports;
use crate::model::ids::{ModuleIndex, NodeId};

impl<'units> Decided<'units> {
    /// Returns the plan of a module, and the numbers of its definitions.
    pub(crate) fn plan(&self, module: ModuleIndex) -> Result<Planned<'units>, EncodeError> {
        let index = &self.index;
        if let Some(job) = self.lto_ir.job(module) {
            return lto_ir::plan(self, module, job);
        }
        let (mut tally, mut cost) = (Tally::default(), 0);
        let (mut symbols, mut emits) = (PlanNames::default(), false);
        let mut members = PlanMembers::default();
        for member in index.members(module) {
            let (own, emits_some) = self.own(member, &mut tally, &mut cost);
            emits |= emits_some;
            if member == module {
                symbols = own;
            } else {
                members.member(index.module_id(member), self.arithmetic[member], &own);
            }
        }
        let imported = &self.imports[module].imported;
        let is_copy = |&&node: &&NodeId| self.closing.is_copied(module, node);
        tally.copied = imported.iter().filter(is_copy).count();
        // Where every definition is removed, none needs to be named, and nothing needs to be
        // imported.
        let is_empty = tally.copied == 0 && !emits;
        let nothing = Imports::default();
        let (symbols, members, imports) = if is_empty {
            (PlanNames::default(), PlanMembers::default(), &nothing)
        } else {
            (symbols, members, &self.imports[module])
        };
        tally.imports = imports.imported.len();
        let of_function = |&node: &NodeId| index.function(node);
        let imported = imports.imported.iter().filter_map(of_function);
        cost += imported.map(|function| u64::from(function.instruction_count())).sum::<u64>();
        let (lists, sources) = self.import_lists(module, imports);
        let others = self.others(module, imports);
        let mut other_names = PlanNames::with_room(others.len());
        for (name, known) in &others {
            other_names.other(name, *known);
        }
        let virtual_calls =
            virtual_calls::plan(&self.virtual_calls, self.names(), &self.closing, imports, module);
        let dynamic_shared = shared_alignments::plan(&self.dynamic_shared, index, module, imports);
        let kernels = if is_empty { Vec::new() } else { self.kernel_choices.plan(index, module) };
        let (constants, definitions) = if is_empty {
            Default::default()
        } else {
            let constants = constants::plan(&self.constants, self.names(), module, imports);
            (constants, definitions::plan(&self.misdeclared, index, module, imports))
        };
        let record = PlanRecord {
            module_id: index.module_id(module),
            architecture: self.architecture(),
            options: &self.options,
            arithmetic: self.arithmetic[module],
            symbols,
            members,
            imports: lists,
            virtual_calls: &virtual_calls,
            others: other_names,
            is_empty,
            import_metadata: self.import_metadata,
            dynamic_shared: &dynamic_shared,
            kernels: &kernels,
            constants: &constants,
            definitions: &definitions,
            lto_ir: None,
        };
        Ok(Planned { content: record.encode()?, sources, tally, cost, is_empty })
    }

    /// Returns the symbols of `member` that the plan names, and whether any of them is emitted.
    fn own(&self, member: ModuleIndex, tally: &mut Tally, cost: &mut u64) -> (PlanNames<'_>, bool) {
        let (index, liveness, closing) = (&self.index, &self.liveness, &self.closing);
        let nodes = index.own_nodes(member);
        let mut names = PlanNames::with_room(nodes.len());
        let mut emits = false;
        for node in nodes.filter(|&node| index.is_definition(node)) {
            let resolution = resolve::resolution(index, liveness, closing, &self.exported, node);
            match resolution {
                Some(Resolution::Remove) => tally.removed += 1,
                Some(Resolution::Localize | Resolution::Internalize) => tally.internalized += 1,
                Some(Resolution::Promote) => tally.promoted += 1,
                Some(Resolution::Keep | Resolution::AvailableExternally | Resolution::Rename)
                | None => {}
            }
            let goes = [Some(Resolution::Remove), Some(Resolution::AvailableExternally)];
            let is_kept = !goes.contains(&resolution);
            tally.kept += usize::from(is_kept);
            emits |= is_kept && closing.stays(node) && !index.is_listing(node);
            let is_there = closing.stays(node) && index.may_be_used(node);
            // A definition that is only inlined is described like other modules' functions.
            let is_emitted = index.prevails(node) || resolution == Some(Resolution::Localize);
            let known = if is_there && is_emitted {
                self.known(node, true)
            } else {
                KnownAttributes::NOTHING
            };
            if let Some(function) = index.function(node).filter(|_| is_there) {
                *cost += u64::from(function.instruction_count());
            }
            if resolution.is_some() || known != KnownAttributes::NOTHING {
                names.own(index.name(node), resolution, known);
            }
        }
        (names, emits)
    }

    /// Returns the imports from each module, and these modules.
    fn import_lists(
        &self,
        importer: ModuleIndex,
        imports: &Imports,
    ) -> (PlanImports, Vec<&'units ModuleId>) {
        let index = &self.index;
        let module = |node: NodeId| index.member(node);
        let mut lists = PlanImports::with_room(imports.imported.len());
        let mut sources = Vec::new();
        for nodes in imports.imported.chunk_by(|&one, &next| module(one) == module(next)) {
            let symbols = nodes.iter().copied();
            let symbols = symbols.map(|node| {
                let is_copy = self.closing.is_copied(importer, node);
                (index.name(node), self.known(node, false), is_copy)
            });
            let source = index.module_id(module(nodes[0]));
            lists.of_module(source, self.arithmetic[module(nodes[0])], symbols);
            sources.push(source);
        }
        (lists, sources)
    }

    /// Returns the functions that the module needs of others and does not import, if their
    /// attributes are known, by their names in the linked module.
    fn others(
        &self,
        module: ModuleIndex,
        imports: &Imports,
    ) -> Vec<(Cow<'_, str>, KnownAttributes)> {
        let (names, only_needed) = (self.names(), &imports.needed[imports.needed_and_imported..]);
        let others = self.known_functions.among(only_needed);
        others.map(|(node, known)| (names.of(module, node), known)).collect()
    }

    /// Returns the attributes of `node` that the plan of its own module, or of an importer, states.
    fn known(&self, node: NodeId, is_own: bool) -> KnownAttributes {
        let attributes = self.attributes.as_ref();
        let told = attributes.and_then(|attributes| attributes.told(&self.index, node, is_own));
        told.map_or(KnownAttributes::NOTHING, |told| {
            let is_local = self.index.is_local(node);
            let module = self.index.module(node);
            let is_promoted = is_local && (!is_own || self.names().is_promoted(module, node));
            KnownAttributes::of(told, is_promoted)
        })
    }
}
