//! Handles to parts of a module: copies of addresses that LLVM owns.
//!
//! The lifetime `'m` of a handle is that of a shared borrow of its module. Any operation that
//! removes, moves or replaces a part of a module takes the module by `&mut`, so no handle can
//! outlive its referent. Changes that leave every address valid, such as a new name or linkage, are
//! methods of handles.
//!
//! The type of a handle states its kind: [`Function`], [`Variable`] and [`Alias`] are each a
//! [`Global`], which is a [`Value`]. A query that LLVM answers only for one kind is a method of
//! that kind.

mod attributes;
mod function;
mod global;
mod instruction;
mod types;
mod value;
mod variable;

pub(crate) use function::{Function, FunctionFacts};
pub(crate) use global::Global;
pub(crate) use instruction::{Call, Callee, Instruction, Operation, listed};
pub(crate) use types::{Layout, Type, TypeKind};
pub(crate) use value::{Class, Identity, Value};
pub(crate) use variable::{Alias, Variable, content};
