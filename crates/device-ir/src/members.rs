//! The members of a bundle as one module.
//!
//! Each member is read and resolved separately, like a module outside bundles: definitions that the
//! plan removes are never read, and the others get the name and linkage that the other members must
//! see. Then LLVM's IR mover moves the rest of the later members into the first one, in the order
//! of module ids. By then, symbols with the same name in two members are the same symbol: the plan
//! keeps one definition of each visible name, and gives locals unique names.

use std::collections::BTreeMap;

use weft_artifact::{
    Arithmetic, Linkage, Member, ModuleId, Plan, Resolution, SymbolResolution, promoted_name,
};

use crate::arithmetic;
use crate::context::Context;
use crate::error::IrError;
use crate::handles::Global;
use crate::module::{Module, Reading};
use crate::mover::Mover;
use crate::target::Target;

/// Why linking failed, and over which module's bitcode.
#[derive(Debug)]
pub struct LinkError {
    /// The module that the error is about; the plan's own, another member or an import source.
    pub module_id: ModuleId,
    /// Error of the module.
    pub error: IrError,
}

/// Orders about one member.
struct Orders<'plan> {
    plan: &'plan Plan,
    module_id: &'plan ModuleId,
    arithmetic: Arithmetic,
    symbols: &'plan [SymbolResolution],
}

/// Reads the bitcode `own` of the plan's module, and that of the other members, which is among
/// `sources`. Returns them as one module, with the target of all.
pub(crate) fn read<'context>(
    context: &'context Context,
    plan: &Plan,
    own: &[u8],
    sources: &BTreeMap<ModuleId, Vec<u8>>,
) -> Result<(Module<'context>, Target), LinkError> {
    let Plan { module_id, arithmetic, symbols, .. } = plan;
    let first = Orders { plan, module_id, arithmetic: *arithmetic, symbols };
    let (mut module, mut target) = read_member(context, &first, own).map_err(first.blame())?;
    if plan.members.is_empty() {
        return Ok((module, target));
    }
    // Lists of used symbols were read by the thin link, and would keep symbols of other members.
    module.forget_used();
    let mut mover = Mover::into(&mut module);
    for Member { module_id, arithmetic, symbols } in &plan.members {
        let orders = Orders { plan, module_id, arithmetic: *arithmetic, symbols };
        let bitcode = sources.get(module_id).ok_or_else(|| {
            let reason = "the plan compiles it with another, and it was not given".to_owned();
            orders.blame()(IrError::Import { reason })
        })?;
        let (mut member, of_member) =
            read_member(context, &orders, bitcode).map_err(orders.blame())?;
        member.forget_used();
        target = target.or_newer(of_member);
        mover.move_all(member).map_err(orders.blame())?;
    }
    drop(mover);
    Ok((module, target))
}

impl Orders<'_> {
    /// Returns how an error of this member is reported.
    fn blame(&self) -> impl Fn(IrError) -> LinkError + use<'_> {
        |error| LinkError { module_id: self.module_id.clone(), error }
    }
}

/// Reads one member, and gives its symbols the names and the linkages with which others see them.
fn read_member<'context>(
    context: &'context Context,
    orders: &Orders<'_>,
    bitcode: &[u8],
) -> Result<(Module<'context>, Target), IrError> {
    let plan = orders.plan;
    let mut module = Module::read(context, bitcode, Reading::Lazy)?;
    module.settle_architecture(&plan.architecture)?;
    let target = Target {
        architecture: plan.architecture.clone(),
        ptx_feature: Target::of_functions(&module)
            .map(|found| found.ptx_feature)
            .unwrap_or_default(),
    };
    module.load_without(|module| dropped(module, orders))?;
    if plan.is_empty {
        module.forget_metadata();
    }
    resolve(&module, orders)?;
    arithmetic::forget_reflection(&mut module);
    arithmetic::apply(&mut module, |module| module.functions().collect(), orders.arithmetic);
    Ok((module, target))
}

/// The definitions that the plan removes.
fn dropped<'m>(module: &'m Module<'_>, orders: &Orders<'_>) -> Result<Vec<Global<'m>>, IrError> {
    if orders.plan.is_empty {
        return Ok(module.globals().into_iter().filter(|global| global.is_definition()).collect());
    }
    let removed = orders.symbols.iter().filter(|symbol| symbol.resolution == Resolution::Remove);
    removed.map(|symbol| definition(module, &symbol.name)).collect()
}

fn resolve(module: &Module<'_>, orders: &Orders<'_>) -> Result<(), IrError> {
    let stay = orders.symbols.iter().filter(|symbol| symbol.resolution != Resolution::Remove);
    for symbol in stay {
        let global = definition(module, &symbol.name)?;
        match symbol.resolution {
            Resolution::Promote => promote(global, orders.module_id),
            Resolution::Rename => global.set_name(&promoted_name(orders.module_id, &symbol.name)),
            Resolution::AvailableExternally => {
                global.leave_comdat();
                global.set_linkage(Linkage::AvailableExternally);
            }
            Resolution::Keep => global.set_linkage(match global.linkage() {
                Linkage::LinkonceAny | Linkage::WeakAny => Linkage::WeakAny,
                _ => Linkage::WeakOdr,
            }),
            // Removed symbols are gone already, and the others are changed after the import.
            Resolution::Remove | Resolution::Internalize | Resolution::Localize => {}
        }
    }
    Ok(())
}

/// Makes the local `global` of `module_id` visible to other modules.
pub(crate) fn promote(global: Global<'_>, module_id: &ModuleId) {
    global.set_name(&promoted_name(module_id, &global.name()));
    global.leave_comdat();
    global.set_linkage(Linkage::External);
    // The symbol is not part of an interface, so it is hidden. PTX knows no visibility, but the
    // optimizer does.
    global.set_hidden(true);
}

/// The definition called `name`. A plan that names anything else was made for other bitcode.
pub(crate) fn definition<'m>(module: &'m Module<'_>, name: &str) -> Result<Global<'m>, IrError> {
    let found = module.global(name).filter(|global| global.is_definition());
    found.ok_or_else(|| IrError::MissingSymbol { symbol: name.to_owned() })
}
