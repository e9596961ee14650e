//! The import phase: a module, its plan and its import sources in, the linked module out.
//!
//! The linked module is all that the later phases see, and its bytes are their key. So it must be a
//! function of what it *means*: of the own module and the plan, and of the imported bodies with what
//! they name. Nothing else of an import source may leave a trace. That is why values move one by one
//! through LLVM's IR mover out of lazily read modules, why locals get names that depend on the module
//! id alone, and why the result is stripped of names that LLVM makes unique by counting.
//!
//! The order matters:
//!
//! 1. Dead definitions are dropped before their bodies are read, and locals that importers refer to are
//!    promoted, so that imported bodies meet the symbols they will have in the end.
//! 2. Sources are moved in, in the plan's order. Each body computes as its own unit does.
//! 3. What the thin link knows of the whole program is applied to own and imported bodies alike, and
//!    to declarations that came along with them.
//! 4. Only then are symbols made internal, and functions that the module shall have as its own get
//!    local copies ([`localise`]) and names of their own ([`tell_apart`]): the mover resolves by name
//!    and ignores locals.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{ImportList, Linkage, ModuleId, Plan, Resolution, promoted_name};

use crate::context::Context;
use crate::error::IrError;
use crate::global::{Global, GlobalKind};
use crate::module::{Module, Reading};
use crate::shim::{weft_mover_create, weft_mover_dispose, weft_mover_move};
use crate::target::Target;
use crate::{arithmetic, assembly, dynamic_shared, options, program};

/// The source name of linked modules that emit nothing.
const NOTHING: &str = "nothing";

/// Why linking failed, and over which module's bitcode.
#[derive(Debug)]
pub struct LinkError {
    /// The module that the error is about; the plan's own or an import source.
    pub module_id: ModuleId,
    /// What is wrong.
    pub error: IrError,
}

/// Carries out `plan` on the bitcode `own`, with the bitcode of every module that the plan imports
/// from in `sources`. Returns bitcode: the linked module.
pub fn link(
    plan: &Plan,
    own: &[u8],
    sources: &BTreeMap<ModuleId, Vec<u8>>,
) -> Result<Vec<u8>, LinkError> {
    let blame_own = |error| LinkError { module_id: plan.module_id.clone(), error };
    let context = Context::new();
    let module = Module::read(&context, own, Reading::Lazy).map_err(blame_own)?;
    module.check_architecture(&plan.architecture).map_err(blame_own)?;
    let target = Target {
        architecture: plan.architecture.clone(),
        ptx_feature: Target::of_functions(&module).map(|it| it.ptx_feature).unwrap_or_default(),
    };
    module.load_without(&dropped(&module, plan).map_err(blame_own)?).map_err(blame_own)?;
    if plan.is_empty {
        module.forget_metadata();
    }
    resolve_before_import(&module, plan).map_err(blame_own)?;
    let bound = assembly::Bound::of(&module);
    arithmetic::forget_reflection(&module);
    for function in module.globals().into_iter().filter(|it| it.kind() == GlobalKind::Function) {
        arithmetic::apply(function, plan.arithmetic);
    }
    let copies = import(&context, &module, plan, sources)?;
    bound.check().map_err(blame_own)?;
    dynamic_shared::apply(&module, &plan.dynamic_shared);
    program::apply(&module, plan).map_err(blame_own)?;
    localise(&module, plan, &copies).map_err(blame_own)?;
    tell_apart(&module, plan);
    internalise(&module, plan).map_err(blame_own)?;
    module.forget_used();
    assembly::protect(&context, &module);
    target.record(&context, &module);
    options::record(&context, &module, &plan.options);
    // Modules that emit nothing are alike, whatever unit they are of, so one result serves all.
    module.canonicalise(if plan.is_empty { NOTHING } else { plan.module_id.as_str() });
    module.verify().map_err(blame_own)?;
    module.to_bitcode().map_err(blame_own)
}

/// The definitions that go.
fn dropped<'module>(
    module: &'module Module<'_>,
    plan: &Plan,
) -> Result<Vec<Global<'module>>, IrError> {
    if plan.is_empty {
        let is_defined = |it: &Global<'_>| !it.is_declaration() || it.kind() == GlobalKind::Alias;
        return Ok(module.globals().into_iter().filter(is_defined).collect());
    }
    let removed = plan.symbols.iter().filter(|it| it.resolution == Resolution::Remove);
    removed.map(|symbol| definition(module, &symbol.name)).collect()
}

fn resolve_before_import(module: &Module<'_>, plan: &Plan) -> Result<(), IrError> {
    let stay = plan.symbols.iter().filter(|it| it.resolution != Resolution::Remove);
    for symbol in stay {
        let global = definition(module, &symbol.name)?;
        match symbol.resolution {
            Resolution::Promote => promote(global, &plan.module_id),
            Resolution::AvailableExternally => {
                global.leave_comdat();
                global.set_linkage(Linkage::AvailableExternally);
            }
            Resolution::Keep => global.set_linkage(match global.linkage() {
                Linkage::LinkonceAny | Linkage::WeakAny => Linkage::WeakAny,
                _ => Linkage::WeakOdr,
            }),
            // Gone already, or after the import.
            Resolution::Remove | Resolution::Internalize | Resolution::Localize => {}
        }
    }
    Ok(())
}

fn internalise(module: &Module<'_>, plan: &Plan) -> Result<(), IrError> {
    let internal = plan.symbols.iter().filter(|it| it.resolution == Resolution::Internalize);
    for symbol in internal {
        let global = definition(module, &symbol.name)?;
        global.leave_comdat();
        // LLVM wants locals of default visibility.
        global.set_hidden(false);
        global.set_linkage(Linkage::Internal);
    }
    Ok(())
}

/// Gives the module its own functions in place of those of the program: the imported `copies`, and own
/// definitions of which the program keeps another one.
fn localise(module: &Module<'_>, plan: &Plan, copies: &[String]) -> Result<(), IrError> {
    let own = plan.symbols.iter().filter(|it| it.resolution == Resolution::Localize);
    for name in own.map(|it| &it.name).chain(copies) {
        let global = definition(module, name)?;
        if global.kind() != GlobalKind::Function {
            return Err(IrError::MissingSymbol { symbol: name.clone() });
        }
        global.localise(&promoted_name(&plan.module_id, name));
    }
    Ok(())
}

/// Gives local functions names that no other module has. nvlink finds sections of functions by name,
/// and where a program has several local functions of one name it can end in "reference to deleted
/// section". Functions that assembly names keep their names.
fn tell_apart(module: &Module<'_>, plan: &Plan) {
    let bound = assembly::Bound::of(module);
    let bound: BTreeSet<_> = bound.names().collect();
    let unique = promoted_name(&plan.module_id, "");
    let local = |it: &Global<'_>| it.kind() == GlobalKind::Function && it.linkage().is_local();
    for function in module.globals().into_iter().filter(local) {
        let name = function.name();
        if !name.ends_with(&unique) && !bound.contains(name.as_str()) {
            function.set_name(&promoted_name(&plan.module_id, &name));
        }
    }
}

/// Moves in what the plan imports. Returns the names of the functions that shall become copies.
fn import(
    context: &Context,
    module: &Module<'_>,
    plan: &Plan,
    sources: &BTreeMap<ModuleId, Vec<u8>>,
) -> Result<Vec<String>, LinkError> {
    let mut copies = Vec::new();
    let mut mover = Mover::into(module, context);
    for list in &plan.imports {
        let blame = |error| LinkError { module_id: list.module_id.clone(), error };
        let bitcode = sources.get(&list.module_id).ok_or_else(|| {
            let reason = "the plan imports from it, and it was not given".to_owned();
            blame(IrError::Import { reason })
        })?;
        let source = Module::read(context, bitcode, Reading::Lazy).map_err(blame)?;
        source.check_architecture(&plan.architecture).map_err(blame)?;
        let wanted = prepare_source(&source, list).map_err(blame)?;
        let is_copy = |symbol: &String| list.copies.binary_search(symbol).is_ok();
        let named = list.symbols.iter().zip(&wanted);
        copies.extend(named.filter(|(symbol, _)| is_copy(symbol)).map(|(_, name)| name.clone()));
        arithmetic::forget_reflection(&source);
        mover.move_in(source, &wanted).map_err(blame)?;
        let imported = wanted.iter().filter_map(|name| module.global(name));
        for function in imported.filter(|it| it.kind() == GlobalKind::Function) {
            arithmetic::apply(function, list.arithmetic);
            if plan.import_metadata {
                function.set_source_module(context, list.module_id.as_str());
            }
        }
    }
    Ok(copies)
}

/// Gives the source's symbols the names and linkages with which the importer shall see them, and
/// finds the wanted definitions by name. Returns their final names.
fn prepare_source(source: &Module<'_>, list: &ImportList) -> Result<Vec<String>, IrError> {
    // Found before anything is renamed.
    let wanted =
        list.symbols.iter().map(|name| definition(source, name)).collect::<Result<Vec<_>, _>>()?;
    for global in source.globals() {
        if global.is_copyable() {
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

pub(crate) fn promote(global: Global<'_>, module_id: &ModuleId) {
    global.set_name(&promoted_name(module_id, &global.name()));
    global.leave_comdat();
    global.set_linkage(Linkage::External);
    // Hidden: it is nobody's interface. PTX knows no visibility, the optimiser does.
    global.set_hidden(true);
}

/// The definition called `name`. A plan that names anything else was made for other bitcode.
fn definition<'module>(
    module: &'module Module<'_>,
    name: &str,
) -> Result<Global<'module>, IrError> {
    module
        .global(name)
        .filter(|global| !global.is_declaration() || global.kind() == GlobalKind::Alias)
        .ok_or_else(|| IrError::MissingSymbol { symbol: name.to_owned() })
}

/// LLVM's IR mover into one module.
struct Mover<'module> {
    raw: *mut std::ffi::c_void,
    context: &'module Context,
}

impl<'module> Mover<'module> {
    fn into(module: &'module Module<'_>, context: &'module Context) -> Self {
        // SAFETY: the module outlives the mover by its lifetime.
        let raw = unsafe { weft_mover_create(module.raw()) };
        Self { raw, context }
    }

    /// Moves the definitions called `names`, and what they need, out of `source`.
    fn move_in(&mut self, source: Module<'_>, names: &[String]) -> Result<(), IrError> {
        let mut values: Vec<_> =
            names.iter().filter_map(|name| source.global(name)).map(Global::raw).collect();
        let (values, count, size) = (values.as_mut_ptr(), values.len(), source.bitcode_size());
        let moved = self.context.guard(|has_crashed| {
            // SAFETY: the values are the source's, which is of the same context and is given away.
            unsafe {
                weft_mover_move(self.raw, source.into_raw(), size, values, count, has_crashed)
            }
        });
        moved.map_err(|reason| IrError::Import { reason })
    }
}

impl Drop for Mover<'_> {
    fn drop(&mut self) {
        if !self.context.is_broken() {
            // SAFETY: made in `into`.
            unsafe { weft_mover_dispose(self.raw) }
        }
    }
}
