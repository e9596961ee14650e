//! Symbols that a module's assembly names.
//!
//! LLVM sees no symbol in assembly: it removes, renames and folds what only assembly uses, and copies
//! labels with the code around them. So such symbols are listed as used, and such code is marked as not
//! to be copied.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;

use llvm_sys::LLVMAttributeFunctionIndex;
use llvm_sys::core::{
    LLVMAddAttributeAtIndex, LLVMAddCallSiteAttribute, LLVMAddFunction,
    LLVMAddGlobalInAddressSpace, LLVMCreateEnumAttribute, LLVMFunctionType,
    LLVMGetEnumAttributeKindForName, LLVMGetInlineAsmAsmString, LLVMInt8TypeInContext,
    LLVMVoidTypeInContext,
};
use llvm_sys::prelude::{LLVMAttributeRef, LLVMValueRef};
use weft_container::{AssemblyFacts, inline_assembly, module_assembly};

use crate::context::Context;
use crate::error::IrError;
use crate::global::{Global, GlobalKind};
use crate::module::Module;
use crate::shim::weft_append_to_compiler_used;
use crate::value;

/// All assembly of a module.
#[derive(Default)]
pub(crate) struct Assembly {
    /// The assembly outside functions.
    of_module: AssemblyFacts,
    /// Facts of inline assembly by template. A template is one value, however many calls have it.
    inline: BTreeMap<LLVMValueRef, AssemblyFacts>,
}

impl Assembly {
    /// The assembly of `module`, every body of which has been read.
    pub(crate) fn of(module: &Module<'_>) -> Self {
        let mut inline = BTreeMap::new();
        for function in functions(module) {
            for (_, template) in calls(function) {
                inline.entry(template).or_insert_with(|| inline_assembly(&text(template)));
            }
        }
        Self { of_module: module_assembly(&module.assembly()), inline }
    }

    /// The facts of the assembly that `instruction` calls, if it calls some.
    pub(crate) fn at(&self, instruction: LLVMValueRef) -> Option<&AssemblyFacts> {
        value::assembly(instruction).and_then(|template| self.inline.get(&template))
    }

    /// The symbols of `module` that any of its assembly names.
    pub(crate) fn named<'module>(&self, module: &'module Module<'_>) -> Vec<Global<'module>> {
        let facts = std::iter::once(&self.of_module).chain(self.inline.values());
        let words: BTreeSet<_> = facts.flat_map(|facts| &facts.words).collect();
        words.into_iter().filter_map(|word| module.global(word)).collect()
    }

    /// Declares in `module` the symbols that its assembly declares and others define, so that they
    /// are among the module's symbols.
    pub(crate) fn declare_externals(&self, context: &Context, module: &Module<'_>) {
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
            // SAFETY: module and types are of one context, and the name is terminated and free.
            unsafe {
                if let Some(space) = address_space {
                    let element = LLVMInt8TypeInContext(context.raw());
                    let (module, name) = (module.raw(), terminated.as_ptr());
                    LLVMAddGlobalInAddressSpace(module, element, name, space);
                } else {
                    let result = LLVMVoidTypeInContext(context.raw());
                    let kind = LLVMFunctionType(result, std::ptr::null_mut(), 0, 0);
                    LLVMAddFunction(module.raw(), terminated.as_ptr(), kind);
                }
            }
        }
    }
}

/// Makes LLVM keep what the assembly of `module` names, and make no copies of code that can be in a
/// function only once.
pub(crate) fn protect(context: &Context, module: &Module<'_>) {
    let assembly = Assembly::of(module);
    let mut named: Vec<_> = assembly.named(module).into_iter().map(Global::raw).collect();
    // SAFETY: all are values of the module.
    unsafe { weft_append_to_compiler_used(module.raw(), named.as_mut_ptr(), named.len()) }
    for function in functions(module) {
        let is_unique =
            |call: &LLVMValueRef| assembly.at(*call).is_some_and(|facts| facts.must_be_unique);
        let calls: Vec<_> = calls(function).map(|(call, _)| call).filter(is_unique).collect();
        if calls.is_empty() {
            continue;
        }
        let in_function = LLVMAttributeFunctionIndex;
        for call in calls {
            // SAFETY: a call, and an attribute of its context.
            unsafe { LLVMAddCallSiteAttribute(call, in_function, flag(context, "noduplicate")) }
        }
        // LLVM refuses both attributes at once; the compiler has inlined what must be inlined
        // already.
        if !function.has_attribute("alwaysinline") {
            // SAFETY: a function, and an attribute of its context.
            unsafe {
                LLVMAddAttributeAtIndex(function.raw(), in_function, flag(context, "noinline"));
            }
        }
    }
}

/// The local symbols of a module that its assembly names, and so must go by their names for good.
pub(crate) struct Bound<'module>(Vec<(Global<'module>, String)>);

impl<'module> Bound<'module> {
    /// The bound symbols of `module`.
    pub(crate) fn of(module: &'module Module<'_>) -> Self {
        let named = Assembly::of(module).named(module).into_iter();
        let local = named.filter(|global| global.linkage().is_local());
        Self(local.map(|global| (global, global.name())).collect())
    }

    /// Names of the bound symbols.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(_, name)| name.as_str())
    }

    /// Checks that the bound symbols still have their names: a symbol that came from another module
    /// under the name of a local one takes the name.
    pub(crate) fn check(&self) -> Result<(), IrError> {
        match self.0.iter().find(|(global, name)| global.name() != *name) {
            None => Ok(()),
            Some((_, name)) => Err(clash(name)),
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

fn functions<'module>(module: &'module Module<'_>) -> impl Iterator<Item = Global<'module>> {
    module.globals().into_iter().filter(|global| global.kind() == GlobalKind::Function)
}

/// The calls of assembly in `function`, each with its template.
fn calls(function: Global<'_>) -> impl Iterator<Item = (LLVMValueRef, LLVMValueRef)> {
    let instructions = value::blocks(function.raw()).flat_map(value::instructions);
    instructions.filter_map(|call| value::assembly(call).map(|template| (call, template)))
}

fn text(template: LLVMValueRef) -> String {
    let mut length = 0;
    // SAFETY: inline assembly; the text is LLVM's, has that length and is copied.
    unsafe {
        let start = LLVMGetInlineAsmAsmString(template, &raw mut length).cast::<u8>();
        if start.is_null() {
            return String::new();
        }
        String::from_utf8_lossy(std::slice::from_raw_parts(start, length)).into_owned()
    }
}

/// An attribute without a value.
fn flag(context: &Context, name: &str) -> LLVMAttributeRef {
    // SAFETY: the name has its length and the context is valid.
    unsafe {
        let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
        LLVMCreateEnumAttribute(context.raw(), kind, 0)
    }
}
