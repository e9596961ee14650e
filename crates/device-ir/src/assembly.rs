//! Symbols that a module's assembly names.
//!
//! LLVM sees no symbol in assembly: it removes, renames and folds what only assembly uses, and
//! copies labels with the code around them. So such symbols are listed as used, and such code is
//! marked as not to be copied.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;

use llvm_sys::core::{
    LLVMAddFunction, LLVMAddGlobalInAddressSpace, LLVMFunctionType, LLVMInt8TypeInContext,
    LLVMVoidTypeInContext,
};
use weft_container::{AssemblyFacts, inline_assembly, module_assembly};

use crate::error::IrError;
use crate::handles::{Call, Callee, Function, Global, Identity, Instruction};
use crate::module::Module;

/// All assembly of a module.
pub(crate) struct Assembly {
    /// Assembly outside functions.
    of_module: AssemblyFacts,
    /// Facts of inline assembly by template. A template is one value, however many calls have it.
    inline: BTreeMap<Identity, AssemblyFacts>,
}

impl Assembly {
    /// The assembly of `module`, every body of which has been read.
    pub(crate) fn of(module: &Module<'_>) -> Self {
        let mut assembly = Self::outside_functions(module);
        for function in module.functions() {
            assembly.add(function);
        }
        assembly
    }

    /// The assembly of `module` outside functions.
    pub(crate) fn outside_functions(module: &Module<'_>) -> Self {
        Self { of_module: module_assembly(&module.assembly()), inline: BTreeMap::new() }
    }

    /// Adds the assembly in the body of `function`.
    pub(crate) fn add(&mut self, function: Function<'_>) {
        for call in calls(function) {
            let Some((template, text)) = call.assembly() else { continue };
            self.inline.entry(template.identity()).or_insert_with(|| inline_assembly(&text));
        }
    }

    /// The facts with other identities of the templates.
    pub(crate) fn moved(self, identity: impl Fn(Identity) -> Identity) -> Self {
        let inline = self.inline.into_iter();
        let inline = inline.map(|(template, facts)| (identity(template), facts)).collect();
        Self { inline, ..self }
    }

    /// This assembly and the inline assembly of other bodies of the module.
    pub(crate) fn with(mut self, other: Self) -> Self {
        self.inline.extend(other.inline);
        self
    }

    /// Facts of the assembly that `call` calls, if it calls some.
    pub(crate) fn at(&self, call: Call<'_>) -> Option<&AssemblyFacts> {
        let Callee::Assembly(template) = call.callee() else { return None };
        self.of_template(template.identity())
    }

    /// Facts of the assembly with a template.
    pub(crate) fn of_template(&self, template: Identity) -> Option<&AssemblyFacts> {
        self.inline.get(&template)
    }

    /// Symbols of `module` that any of its assembly names.
    pub(crate) fn named<'m>(&self, module: &'m Module<'_>) -> Vec<Global<'m>> {
        let facts = std::iter::once(&self.of_module).chain(self.inline.values());
        let words: BTreeSet<_> = facts.flat_map(|facts| &facts.words).collect();
        words.into_iter().filter_map(|word| module.global(word)).collect()
    }

    /// Declares in `module` the symbols that its assembly declares and others define, so that they
    /// are among the module's symbols.
    pub(crate) fn declare_externals(&self, module: &Module<'_>) {
        let facts = std::iter::once(&self.of_module).chain(self.inline.values());
        let externals: BTreeMap<_, _> = facts
            .flat_map(|facts| &facts.externals)
            .map(|symbol| (symbol.name.as_str(), symbol.address_space))
            .collect();
        for (name, address_space) in externals {
            let Ok(terminated) = CString::new(name) else { continue };
            if module.global(name).is_some() {
                continue;
            }
            let context = module.context().raw();
            // SAFETY: the types are of the module's own context, and the name is terminated and
            // free.
            unsafe {
                if let Some(space) = address_space {
                    let element = LLVMInt8TypeInContext(context);
                    let (module, name) = (module.raw(), terminated.as_ptr());
                    LLVMAddGlobalInAddressSpace(module, element, name, space);
                } else {
                    let result = LLVMVoidTypeInContext(context);
                    let kind = LLVMFunctionType(result, std::ptr::null_mut(), 0, 0);
                    LLVMAddFunction(module.raw(), terminated.as_ptr(), kind);
                }
            }
        }
    }
}

/// Makes LLVM keep the symbols that the assembly of `module` names, and make no copies of code that
/// can be in a function only once.
pub(crate) fn protect(module: &mut Module<'_>) {
    let assembly = Assembly::of(module);
    for function in module.functions() {
        let is_unique =
            |call: &Call<'_>| assembly.at(*call).is_some_and(|facts| facts.must_be_unique);
        let calls: Vec<_> = calls(function).filter(is_unique).collect();
        if calls.is_empty() {
            continue;
        }
        for call in calls {
            call.add_flag("noduplicate");
        }
        // LLVM refuses both attributes at once; the compiler has inlined what must be inlined
        // already.
        if !function.has_attribute("alwaysinline") {
            function.add_flag("noinline");
        }
    }
    let named: Vec<_> = assembly.named(module).iter().map(|global| global.name()).collect();
    module.append_to_compiler_used(&named);
}

/// Names of the local symbols of a module that its assembly names, and so must keep for good.
pub(crate) struct Bound(Vec<String>);

impl Bound {
    /// The bound symbols of `module`.
    pub(crate) fn of(module: &Module<'_>) -> Self {
        let named = Assembly::of(module).named(module).into_iter();
        let local = named.filter(|global| global.linkage().is_local());
        Self(local.map(|global| global.name()).collect())
    }

    /// Names of the bound symbols.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Checks that the bound symbols of `module` still have their names: a symbol that came from
    /// another module under the name of a local one takes the name, and is not local.
    pub(crate) fn check(&self, module: &Module<'_>) -> Result<(), IrError> {
        let is_bound =
            |name: &str| module.global(name).is_some_and(|known| known.linkage().is_local());
        match self.names().find(|name| !is_bound(name)) {
            None => Ok(()),
            Some(name) => Err(clash(name)),
        }
    }
}

/// The error for two symbols that have the name `name`, of which assembly means one.
pub(crate) fn clash(name: &str) -> IrError {
    let reason = format!(
        "assembly names '{name}', which is local to its module, and another module has a symbol of \
         that name"
    );
    IrError::Import { reason }
}

/// Whether any assembly of `module` names a symbol of it.
pub(crate) fn names_symbols(module: &Module<'_>) -> bool {
    !Assembly::of(module).named(module).is_empty()
}

/// Calls in `function`.
fn calls(function: Function<'_>) -> impl Iterator<Item = Call<'_>> {
    function.instructions().filter_map(Instruction::call)
}
