//! The import phase: a module, its plan and its import sources in, the linked module out.
//!
//! The linked module is all that the later phases see, and its bytes are their key. So it must be a
//! function of what it *means*: of the module itself and the plan, and of the imported bodies with
//! the symbols that they name. Nothing else of an import source may leave a trace. That is why
//! values move one by one through LLVM's IR mover out of lazily read modules, why locals get names
//! that depend on the module id alone, and why the result is stripped of names that LLVM makes
//! unique by counting.
//!
//! The order matters:
//!
//! 1. Dead definitions are dropped before their bodies are read, and locals that importers refer to
//!    are promoted, so that imported bodies meet the symbols they will have in the end. The members
//!    of a bundle become one module ([`members`]).
//! 2. Sources are moved in, in the plan's order. Each body computes as its own unit does.
//! 3. The thin link's knowledge of the whole program is applied to own and imported bodies alike,
//!    and to declarations that came along with them.
//! 4. Only then are symbols made internal, and functions that the module must own get local copies
//!    ([`localize`]) and unique names ([`tell_apart`]): the mover resolves by name and ignores
//!    locals. Weak declarations become strong ([`declare_strongly`]).

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{ImportList, Linkage, ModuleId, Plan, Resolution, promoted_name};

use crate::context::Context;
use crate::error::IrError;
use crate::handles::{Function, Variable};
use crate::members::{self, LinkError, definition, promote};
use crate::module::{Module, Reading};
use crate::mover::Mover;
use crate::target::Target;
use crate::{
    arithmetic, assembly, definitions, dynamic_shared, kernel_choices, line_tables, options,
    program, source_file,
};

/// The source name of linked modules that emit nothing.
const NOTHING: &str = "nothing";

/// LLVM's metadata of an imported function that names its module.
const SOURCE_MODULE: &str = "thinlto_src_module";
/// LLVM's metadata of an imported function that names the source file of its module.
const SOURCE_FILE: &str = "thinlto_src_file";

/// Carries out `plan` on the bitcode `own`, with the bitcode of the other members of its bundle,
/// and of every module that the plan imports from, in `sources`. Returns bitcode: the linked
/// module.
pub fn link(
    plan: &Plan,
    own: &[u8],
    sources: &BTreeMap<ModuleId, Vec<u8>>,
) -> Result<Vec<u8>, LinkError> {
    let blame_own = |error| LinkError { module_id: plan.module_id.clone(), error };
    let context = Context::new();
    let (mut module, target) = members::read(&context, plan, own, sources)?;
    let bound = assembly::Bound::of(&module);
    let copies = import(&mut module, plan, sources)?;
    bound.check(&module).map_err(blame_own)?;
    definitions::apply(&mut module, &plan.definitions).map_err(blame_own)?;
    hold_constants(&module, plan);
    dynamic_shared::apply(&module, &plan.dynamic_shared);
    program::apply(&mut module, plan).map_err(blame_own)?;
    kernel_choices::record(&module, plan);
    localize(&mut module, plan, &copies).map_err(blame_own)?;
    tell_apart(&module, plan);
    declare_strongly(&module);
    // No symbol that becomes internal is on the user's list: the thin link internalizes no symbol
    // that code marks as used.
    module.forget_used();
    internalize(&module, plan).map_err(blame_own)?;
    assembly::protect(&mut module);
    line_tables::complete(&module, &plan.module_id);
    // An imported body may need a newer PTX than the module's own functions were compiled for.
    let imported = Target::of_functions(&module).unwrap_or_else(|| target.clone());
    target.or_newer(imported).record(&module);
    options::record(&module, &plan.options);
    // Modules that emit nothing are identical, regardless of their unit, so one result serves all.
    module.canonicalize(if plan.is_empty { NOTHING } else { plan.module_id.as_str() });
    let bitcode = module.verify().and_then(|()| module.to_bitcode());
    bitcode.map_err(|error| blame_broken(error, plan, sources))
}

/// Finds out which file makes the linked module break LLVM's rules. Only the imported bodies of an
/// import source have been read so far, so each source is read and checked whole now; if all of
/// them are sound, the module itself is named.
fn blame_broken(error: IrError, plan: &Plan, sources: &BTreeMap<ModuleId, Vec<u8>>) -> LinkError {
    for list in &plan.imports {
        let Some(bitcode) = sources.get(&list.module_id) else { continue };
        let context = Context::new();
        let read = Module::read(&context, bitcode, Reading::Whole);
        if let Err(error) = read.and_then(|module| module.check_text()) {
            return LinkError { module_id: list.module_id.clone(), error };
        }
    }
    LinkError { module_id: plan.module_id.clone(), error }
}

/// Makes constants of the variables of which the plan says that nothing changes them.
fn hold_constants(module: &Module<'_>, plan: &Plan) {
    let named = plan.constants.iter().filter_map(|name| module.global(name));
    for variable in named.filter_map(Variable::of) {
        if !variable.is_declaration() {
            variable.hold_initializer(true);
        }
    }
}

fn internalize(module: &Module<'_>, plan: &Plan) -> Result<(), IrError> {
    let internal = plan.resolutions().filter(|symbol| symbol.resolution == Resolution::Internalize);
    for symbol in internal {
        let global = definition(module, &symbol.name)?;
        global.leave_comdat();
        // LLVM wants locals of default visibility.
        global.set_hidden(false);
        global.set_linkage(Linkage::Internal);
        // Nothing outside the module needs it, so the host does not set it.
        if let Some(variable) = Variable::of(global) {
            variable.hold_initializer(false);
        }
    }
    Ok(())
}

/// Makes weak declarations strong, as nvcc does. LLVM's code generator would define a weakly
/// declared variable: the module would have a private variable that no other module sees. For a
/// function it writes a declaration that ptxas refuses.
fn declare_strongly(module: &Module<'_>) {
    let globals = module.globals().into_iter();
    for global in globals.filter(|global| global.linkage() == Linkage::ExternalWeak) {
        global.set_linkage(Linkage::External);
    }
}

/// Gives the module private functions instead of the program's: the imported `copies`, and its own
/// non-prevailing definitions.
fn localize(module: &mut Module<'_>, plan: &Plan, copies: &[String]) -> Result<(), IrError> {
    let own = plan.resolutions().filter(|symbol| symbol.resolution == Resolution::Localize);
    for name in own.map(|symbol| &symbol.name).chain(copies) {
        let missing = || IrError::MissingSymbol { symbol: name.clone() };
        let copy_name = promoted_name(&plan.module_id, name);
        module.localize(
            |module| Function::of(definition(module, name)?).ok_or_else(missing),
            &copy_name,
        )?;
    }
    Ok(())
}

/// Gives local functions names that no other module has. nvlink finds sections of functions by
/// name, and where a program has several local functions of one name it can end in "reference to
/// deleted section". Functions that assembly names keep their names.
fn tell_apart(module: &Module<'_>, plan: &Plan) {
    let bound = assembly::Bound::of(module);
    let bound: BTreeSet<_> = bound.names().collect();
    let members = plan.members.iter().map(|member| &member.module_id);
    let members = std::iter::once(&plan.module_id).chain(members);
    let unique: Vec<String> = members.map(|member| promoted_name(member, "")).collect();
    for function in module.functions().filter(|function| function.linkage().is_local()) {
        let name = function.name();
        let is_unique = unique.iter().any(|ending| name.ends_with(ending));
        if !is_unique && !bound.contains(name.as_str()) {
            function.set_name(&promoted_name(&plan.module_id, &name));
        }
    }
}

/// Moves in the definitions that the plan imports. Returns the names of the functions that must
/// become copies.
fn import(
    module: &mut Module<'_>,
    plan: &Plan,
    sources: &BTreeMap<ModuleId, Vec<u8>>,
) -> Result<Vec<String>, LinkError> {
    let mut copies = Vec::new();
    let mut mover = Mover::into(module);
    for list in &plan.imports {
        let blame = |error| LinkError { module_id: list.module_id.clone(), error };
        let bitcode = sources.get(&list.module_id).ok_or_else(|| {
            let reason = "the plan imports from it, and it was not given".to_owned();
            blame(IrError::Import { reason })
        })?;
        let context = mover.destination().context();
        let mut source = Module::read(context, bitcode, Reading::Lazy).map_err(blame)?;
        source.settle_architecture(&plan.architecture).map_err(blame)?;
        let wanted = prepare_source(&source, list).map_err(blame)?;
        let named = list.symbols.iter().zip(&wanted);
        let own = named.filter(|(symbol, _)| list.is_copy(symbol));
        copies.extend(own.map(|(_, name)| name.clone()));
        let file = source_file::below_workspace(&source.source_name(), &list.module_id);
        arithmetic::forget_reflection(&mut source);
        mover.move_in(source, &wanted).map_err(blame)?;
        let module = mover.destination();
        arithmetic::apply(module, |module| functions(module, &wanted), list.arithmetic);
        if plan.import_metadata {
            for function in functions(module, &wanted) {
                function.set_text(SOURCE_MODULE, list.module_id.as_str());
                if let Some(file) = &file {
                    function.set_text(SOURCE_FILE, file);
                }
            }
        }
    }
    Ok(copies)
}

/// The functions that have `names`.
fn functions<'m>(module: &'m Module<'_>, names: &[String]) -> Vec<Function<'m>> {
    names.iter().filter_map(|name| module.function(name)).collect()
}

/// Gives the source's symbols the names and linkages with which the importer shall see them, and
/// finds the wanted definitions by name. Returns their final names.
fn prepare_source(source: &Module<'_>, list: &ImportList) -> Result<Vec<String>, IrError> {
    // The definitions are looked up before anything is renamed.
    let wanted =
        list.symbols.iter().map(|name| definition(source, name)).collect::<Result<Vec<_>, _>>()?;
    for global in source.globals() {
        if Variable::of(global).is_some_and(Variable::is_copyable) {
            global.set_name(&promoted_name(&list.module_id, &global.name()));
        } else if global.linkage().is_local() {
            promote(global, &list.module_id);
        }
        global.leave_comdat();
    }
    Ok(wanted
        .into_iter()
        .map(|global| {
            global.set_linkage(Linkage::AvailableExternally);
            global.name()
        })
        .collect())
}
