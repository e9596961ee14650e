//! The facts of a module, as a summary holds them.
//!
//! One walk over the module: linear in instructions and in the nodes of constant expressions.

use std::collections::{BTreeMap, BTreeSet};

use llvm_sys::core::{
    LLVMGetCalledValue, LLVMGetFirstBasicBlock, LLVMGetFirstInstruction, LLVMGetIntrinsicID,
    LLVMGetNextBasicBlock, LLVMGetNextInstruction, LLVMGetNumOperands, LLVMGetOperand,
    LLVMGlobalGetValueType, LLVMIsABlockAddress, LLVMIsACallInst, LLVMIsADbgInfoIntrinsic,
    LLVMIsAFunction, LLVMIsAGlobalValue, LLVMIsAInvokeInst, LLVMIsConstant, LLVMLookupIntrinsicID,
};
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout};
use weft_artifact::{
    AliasSummary, Body, Call, DeviceModule, FunctionFlags, FunctionSummary, Guid, ModuleId, Symbol,
    SymbolIndex, VariableSummary,
};

use crate::context::Context;
use crate::error::IrError;
use crate::global::{Global, GlobalKind};
use crate::module::{Module, Reading};
use crate::target::Target;

/// Lists of symbols that must stay whoever refers to them.
const USED: [&str; 2] = ["llvm.used", "llvm.compiler.used"];
/// clang's list of symbols that host code of the unit may name.
const USED_BY_HOST: &str = "__clang_gpu_used_external";

/// The facts of the device bitcode `bitcode` of module `module_id`.
///
/// The architecture is the `target-cpu` of the functions; `fallback_architecture` serves a module
/// without functions.
pub fn describe(
    bitcode: &[u8],
    module_id: &ModuleId,
    fallback_architecture: &str,
) -> Result<DeviceModule, IrError> {
    let context = Context::new();
    let module = Module::read(&context, bitcode, Reading::Whole)?;
    module.verify()?;
    let target = Target::of_functions(&module);
    let architecture =
        target.map_or_else(|| fallback_architecture.to_owned(), |it| it.architecture);
    Ok(DeviceModule {
        architecture,
        triple: module.triple(),
        data_layout: module.data_layout(),
        symbols: Walk::new(&module, module_id).symbols(),
    })
}

struct Walk<'module> {
    module: &'module Module<'module>,
    module_id: &'module ModuleId,
    /// All symbols but intrinsics, sorted by name.
    globals: BTreeMap<String, Global<'module>>,
    indices: BTreeMap<LLVMValueRef, SymbolIndex>,
    intrinsics: UncountedIntrinsics,
}

impl<'module> Walk<'module> {
    fn new(module: &'module Module<'module>, module_id: &'module ModuleId) -> Self {
        let globals: BTreeMap<_, _> = module
            .globals()
            .into_iter()
            .filter(|global| !is_intrinsic(global.raw()))
            .map(|global| (global.name(), global))
            .collect();
        let indices =
            (0..).map(SymbolIndex).zip(globals.values()).map(|(i, g)| (g.raw(), i)).collect();
        let intrinsics = UncountedIntrinsics::new();
        Self { module, module_id, globals, indices, intrinsics }
    }

    fn symbols(&self) -> Vec<Symbol> {
        let used: BTreeSet<_> = USED.iter().flat_map(|name| self.members(name)).collect();
        let used_by_host: BTreeSet<_> = self.members(USED_BY_HOST).into_iter().collect();
        (0..)
            .map(SymbolIndex)
            .zip(&self.globals)
            .map(|(index, (name, &global))| {
                let linkage = global.linkage();
                Symbol {
                    guid: if linkage.is_local() {
                        Guid::of_local(self.module_id, name)
                    } else {
                        Guid::of_global(name)
                    },
                    name: name.clone(),
                    linkage,
                    visibility: global.visibility(),
                    used: used.contains(&index),
                    used_by_host: used_by_host.contains(&index),
                    body: self.body(global),
                }
            })
            .collect()
    }

    /// What a `used` list names.
    fn members(&self, list: &str) -> Vec<SymbolIndex> {
        let content = self.globals.get(list).and_then(|global| global.content());
        content.map(|content| self.named_by([content])).unwrap_or_default()
    }

    fn body(&self, global: Global<'module>) -> Body {
        if global.is_declaration() {
            return Body::Declaration;
        }
        match global.kind() {
            GlobalKind::Function => Body::Function(self.function(global)),
            GlobalKind::Variable => Body::Variable(self.variable(global)),
            GlobalKind::Alias => {
                let targets = self.named_by(global.content());
                match targets.first() {
                    Some(&target) => Body::Alias(AliasSummary { target }),
                    // An alias of a bare address: nothing to follow.
                    None => Body::Declaration,
                }
            }
        }
    }

    fn variable(&self, global: Global<'module>) -> VariableSummary {
        // SAFETY: the value is a variable of a valid module.
        let size = unsafe {
            LLVMABISizeOfType(
                LLVMGetModuleDataLayout(self.module.raw()),
                LLVMGlobalGetValueType(global.raw()),
            )
        };
        VariableSummary {
            address_space: global.address_space(),
            size,
            constant: global.is_constant(),
            externally_initialized: global.is_externally_initialized(),
            copyable: global.is_copyable(),
            references: self.named_by(global.content()),
        }
    }

    fn function(&self, global: Global<'module>) -> FunctionSummary {
        let mut instruction_count = 0;
        let mut calls: BTreeMap<SymbolIndex, u32> = BTreeMap::new();
        let mut operands = Vec::new();
        for instruction in instructions(global.raw()) {
            if self.intrinsics.contains(instruction) {
                continue;
            }
            instruction_count += 1;
            let callee = called_symbol(instruction);
            if let Some(&callee) = callee.and_then(|callee| self.indices.get(&callee)) {
                *calls.entry(callee).or_default() += 1;
            }
            // The callee is the last operand of a call.
            let arguments = operand_count(instruction) - u32::from(callee.is_some());
            operands.extend((0..arguments).map(|position| operand(instruction, position)));
        }
        let not_importable = self.module.has_inline_assembly()
            || operands.iter().any(|&value| is_block_address(value));
        FunctionSummary {
            instruction_count,
            flags: FunctionFlags {
                kernel: global.is_kernel(),
                no_inline: global.has_attribute("noinline"),
                always_inline: global.has_attribute("alwaysinline"),
                not_importable,
            },
            calls: calls.into_iter().map(|(callee, count)| Call { callee, count }).collect(),
            references: self.named_by(operands),
        }
    }

    /// The symbols that `values` name, directly or inside constants, sorted.
    fn named_by(&self, values: impl IntoIterator<Item = LLVMValueRef>) -> Vec<SymbolIndex> {
        let mut named = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut pending: Vec<_> = values.into_iter().collect();
        while let Some(value) = pending.pop() {
            // Most operands are instructions, arguments and numbers: no set is asked for those.
            if !is_constant(value) {
                continue;
            }
            if is_global_value(value) {
                named.extend(self.indices.get(&value));
                continue;
            }
            let count = operand_count(value);
            if count > 0 && seen.insert(value) {
                pending.extend((0..count).map(|position| operand(value, position)));
            }
        }
        named.into_iter().collect()
    }
}

/// Intrinsics that mark lifetimes: they become no code, so they are no instruction.
struct UncountedIntrinsics([u32; 2]);

impl UncountedIntrinsics {
    fn new() -> Self {
        // SAFETY: the names have their lengths.
        Self(
            ["llvm.lifetime.start", "llvm.lifetime.end"]
                .map(|name| unsafe { LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()) }),
        )
    }

    fn contains(&self, instruction: LLVMValueRef) -> bool {
        // SAFETY: an instruction of a valid module.
        if unsafe { !LLVMIsADbgInfoIntrinsic(instruction).is_null() } {
            return true;
        }
        // SAFETY: the callee is a function.
        called_symbol(instruction)
            .is_some_and(|callee| self.0.contains(&unsafe { intrinsic_id(callee) }))
    }
}

/// The symbol that a call or invoke calls directly; none for indirect calls and assembly.
fn called_symbol(instruction: LLVMValueRef) -> Option<LLVMValueRef> {
    // SAFETY: an instruction of a valid module; the callee is asked for of calls only.
    unsafe {
        if LLVMIsACallInst(instruction).is_null() && LLVMIsAInvokeInst(instruction).is_null() {
            return None;
        }
        let callee = LLVMGetCalledValue(instruction);
        (!LLVMIsAGlobalValue(callee).is_null()).then_some(callee)
    }
}

/// # Safety
///
/// `value` is a value of a valid module.
unsafe fn intrinsic_id(value: LLVMValueRef) -> u32 {
    // SAFETY: the caller's promise; the number is asked for of functions only.
    unsafe { if LLVMIsAFunction(value).is_null() { 0 } else { LLVMGetIntrinsicID(value) } }
}

fn is_intrinsic(value: LLVMValueRef) -> bool {
    // SAFETY: a global value of a valid module.
    unsafe { intrinsic_id(value) != 0 }
}

fn instructions(function: LLVMValueRef) -> impl Iterator<Item = LLVMValueRef> {
    // SAFETY: LLVM's iteration functions on a valid function and on values they returned.
    let blocks = std::iter::successors(
        Some(unsafe { LLVMGetFirstBasicBlock(function) }).filter(|block| !block.is_null()),
        |&block| Some(unsafe { LLVMGetNextBasicBlock(block) }).filter(|block| !block.is_null()),
    );
    blocks.flat_map(|block| {
        // SAFETY: as above, on a valid block.
        std::iter::successors(
            Some(unsafe { LLVMGetFirstInstruction(block) }).filter(|it| !it.is_null()),
            |&it| Some(unsafe { LLVMGetNextInstruction(it) }).filter(|it| !it.is_null()),
        )
    })
}

fn operand_count(value: LLVMValueRef) -> u32 {
    // SAFETY: a user of a valid module: an instruction or a constant.
    u32::try_from(unsafe { LLVMGetNumOperands(value) }).unwrap_or(0)
}

fn operand(value: LLVMValueRef, position: u32) -> LLVMValueRef {
    // SAFETY: the position is below the operand count.
    unsafe { LLVMGetOperand(value, position) }
}

fn is_constant(value: LLVMValueRef) -> bool {
    // SAFETY: a value of a valid module.
    unsafe { LLVMIsConstant(value) != 0 }
}

fn is_global_value(value: LLVMValueRef) -> bool {
    // SAFETY: a value of a valid module.
    unsafe { !LLVMIsAGlobalValue(value).is_null() }
}

fn is_block_address(value: LLVMValueRef) -> bool {
    // SAFETY: a value of a valid module.
    unsafe { !LLVMIsABlockAddress(value).is_null() }
}
