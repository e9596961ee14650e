//! Functions.

use std::iter::successors;
use std::ops::Deref;

use llvm_sys::LLVMAttributeFunctionIndex;
use llvm_sys::core::{
    LLVMAddAttributeAtIndex, LLVMCountParamTypes, LLVMGetEnumAttributeAtIndex,
    LLVMGetEnumAttributeValue, LLVMGetFirstBasicBlock, LLVMGetFunctionCallConv,
    LLVMGetMDKindIDInContext, LLVMGetNextBasicBlock, LLVMGetParamTypes, LLVMGetReturnType,
    LLVMGetStringAttributeAtIndex, LLVMGetStringAttributeValue, LLVMGetValueContext,
    LLVMGlobalGetValueType, LLVMGlobalSetMetadata, LLVMHasPersonalityFn, LLVMIsFunctionVarArg,
    LLVMMDNodeInContext2, LLVMMDStringInContext2, LLVMSetFunctionCallConv,
};
use weft_artifact::Linkage;

use super::attributes::{self, BY_VALUE};
use super::global::Global;
use super::instruction::{Block, Instruction, listed};
use super::types::Type;
use crate::layout::layout;
use crate::text;

/// `ptx_kernel` in LLVM's list of calling conventions.
const PTX_KERNEL: u32 = 71;

unsafe extern "C" {
    /// Whether the body, if there is one, is in memory.
    safe fn weft_has_been_read(function: Function<'_>) -> bool;

    /// Number of a function's instructions, without debug intrinsics.
    safe fn weft_instruction_count(function: Function<'_>) -> u32;

    /// Facts of a defined function that concern the whole program; all zeros for a declaration.
    safe fn weft_function_facts(function: Function<'_>) -> FunctionFacts;

    /// Adds to a function what is known of it. `memory` limits the accesses that it may make.
    safe fn weft_add_attributes(
        function: Function<'_>,
        no_unwind: bool,
        no_recurse: bool,
        will_return: bool,
        memory: u8,
    );
}

/// Facts of a function that concern the whole program; effects are bits of `MemoryEffects`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct FunctionFacts {
    /// Effects on memory.
    pub(crate) memory: u8,
    /// Effects on memory, without those of the functions that it calls by name.
    pub(crate) own_memory: u8,
    /// Whether it does nothing but return an integer of at most 64 bits.
    pub(crate) has_constant_result: bool,
    /// The integer that it returns.
    pub(crate) constant_result: u64,
}

layout! {
    FunctionFacts: memory, own_memory, has_constant_result, constant_result;
    constexpr size_t FunctionFactsLayout[] = {16, 0, 1, 2, 8};
}

/// A function of a module, defined or declared.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Function<'m>(Global<'m>);

/// Types of a function's parameters and its result.
pub(crate) struct Signature<'m> {
    /// Types that the parameters take. Of one that is passed by value it is that of the value.
    pub(crate) parameters: Vec<Type<'m>>,
    pub(crate) result: Type<'m>,
    /// Whether it takes further arguments.
    pub(crate) is_variadic: bool,
}

impl<'m> Deref for Function<'m> {
    type Target = Global<'m>;

    fn deref(&self) -> &Global<'m> {
        &self.0
    }
}

impl<'m> Function<'m> {
    /// The function that `global` is, if it is one.
    pub(crate) fn of(global: Global<'m>) -> Option<Self> {
        global.is_function().then_some(Self(global))
    }

    pub(crate) fn global(self) -> Global<'m> {
        self.0
    }

    pub(crate) fn facts(self) -> FunctionFacts {
        weft_function_facts(self)
    }

    /// Whether the body, if there is one, has been read. In a lazily read module, bodies are read
    /// later.
    pub(crate) fn has_been_read(self) -> bool {
        weft_has_been_read(self)
    }

    pub(crate) fn instruction_count(self) -> u32 {
        weft_instruction_count(self)
    }

    /// Adds what the thin link knows of the function.
    pub(crate) fn add_attributes(self, known: weft_artifact::FunctionAttributes) {
        let memory = known.memory.0;
        weft_add_attributes(self, known.no_unwind, known.no_recurse, known.will_return, memory);
    }

    /// Blocks of the body, in order.
    pub(crate) fn blocks(self) -> impl Iterator<Item = Block<'m>> {
        // SAFETY: the function and its blocks stay for `'m`, and LLVM goes from each to the next.
        unsafe {
            let first = listed(LLVMGetFirstBasicBlock(self.raw()));
            successors(first, |&raw| listed(LLVMGetNextBasicBlock(raw))).map(|raw| Block::new(raw))
        }
    }

    /// Instructions of all blocks, in order.
    pub(crate) fn instructions(self) -> impl Iterator<Item = Instruction<'m>> {
        self.blocks().flat_map(Block::instructions)
    }

    /// Whether it has a personality function.
    pub(crate) fn has_unwind_info(self) -> bool {
        // SAFETY: the handle is of a living function.
        unsafe { LLVMHasPersonalityFn(self.raw()) != 0 }
    }

    pub(crate) fn is_kernel(self) -> bool {
        self.convention(None) == PTX_KERNEL
    }

    /// Makes a kernel of the function, which nothing may call.
    pub(crate) fn make_kernel(self) {
        self.convention(Some(PTX_KERNEL));
    }

    /// The calling convention, after a change to `wanted` if one is wanted.
    fn convention(self, wanted: Option<u32>) -> u32 {
        // SAFETY: the handle is of a living function.
        unsafe {
            if let Some(wanted) = wanted {
                LLVMSetFunctionCallConv(self.raw(), wanted);
            }
            LLVMGetFunctionCallConv(self.raw())
        }
    }

    /// Whether another module lends the body for inlining.
    pub(crate) fn is_imported(self) -> bool {
        self.linkage() == Linkage::AvailableExternally
    }

    /// Types that its parameters take.
    pub(crate) fn parameter_types(self) -> Vec<Type<'m>> {
        self.signature().parameters
    }

    /// Types of its parameters and its result.
    pub(crate) fn signature(self) -> Signature<'m> {
        let (function, by_value) = (self.raw(), attributes::kind(BY_VALUE));
        // SAFETY: the value type of a function is that of a function, whose types a context keeps,
        // and there is room for as many types as it has parameters. Attributes of parameters are
        // counted from 1.
        unsafe {
            let function_type = LLVMGlobalGetValueType(function);
            let mut types = vec![std::ptr::null_mut(); LLVMCountParamTypes(function_type) as usize];
            LLVMGetParamTypes(function_type, types.as_mut_ptr());
            let types = (1..).zip(types).map(|(position, parameter)| {
                let attribute = LLVMGetEnumAttributeAtIndex(function, position, by_value);
                attributes::passed_type(attribute, Type::new(parameter))
            });
            Signature {
                parameters: types.collect(),
                result: Type::new(LLVMGetReturnType(function_type)),
                is_variadic: LLVMIsFunctionVarArg(function_type) != 0,
            }
        }
    }

    /// Whether it has an attribute such as `noinline`.
    pub(crate) fn has_attribute(self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// Number that an attribute such as `memory` carries.
    pub(crate) fn attribute(self, name: &str) -> Option<u64> {
        let kind = attributes::kind(name);
        // SAFETY: the handle is of a living function, and LLVM is asked for the number of an
        // attribute that it has found.
        unsafe {
            let found = LLVMGetEnumAttributeAtIndex(self.raw(), LLVMAttributeFunctionIndex, kind);
            (!found.is_null()).then(|| LLVMGetEnumAttributeValue(found))
        }
    }

    /// Value of a string attribute, such as `target-cpu`.
    pub(crate) fn string_attribute(self, name: &str) -> Option<String> {
        let length = u32::try_from(name.len()).ok()?;
        // SAFETY: the handle is of a living function and the name has the given length. LLVM keeps
        // the value of an attribute that it has found until the copy is made.
        unsafe {
            let name = name.as_ptr().cast();
            let index = LLVMAttributeFunctionIndex;
            let attribute = LLVMGetStringAttributeAtIndex(self.raw(), index, name, length);
            if attribute.is_null() {
                return None;
            }
            let mut length = 0;
            let start = LLVMGetStringAttributeValue(attribute, &raw mut length);
            Some(text::copied(start, length as usize).unwrap_or_default())
        }
    }

    /// Gives the function an attribute without a value, such as `noinline`.
    pub(crate) fn add_flag(self, name: &str) {
        let flag = attributes::flag(*self.0, name);
        // SAFETY: the attribute is of the function's context.
        unsafe { LLVMAddAttributeAtIndex(self.raw(), LLVMAttributeFunctionIndex, flag) }
    }

    /// Gives the function a string attribute, such as `target-cpu`.
    pub(crate) fn set_string_attribute(self, name: &str, value: &str) {
        let attribute = attributes::text(*self.0, name, value);
        // SAFETY: the attribute is of the function's context.
        unsafe { LLVMAddAttributeAtIndex(self.raw(), LLVMAttributeFunctionIndex, attribute) }
    }

    /// Gives the function metadata of the kind `kind` with a text.
    pub(crate) fn set_text(self, kind: &str, text: &str) {
        // A kind is a word.
        let kind_length = u32::try_from(kind.len()).unwrap_or_default();
        // SAFETY: the metadata is of the function's context, which copies both texts. They have at
        // least the given lengths.
        unsafe {
            let context = LLVMGetValueContext(self.raw());
            let kind = LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind_length);
            let mut text = LLVMMDStringInContext2(context, text.as_ptr().cast(), text.len());
            let node = LLVMMDNodeInContext2(context, &raw mut text, 1);
            LLVMGlobalSetMetadata(self.raw(), kind, node);
        }
    }
}
