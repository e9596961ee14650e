//! Reading of PTX text into declarations and instructions, without their meaning.

mod body;
mod cursor;
mod directives;
mod operands;
mod syntax;
mod tokens;
mod variables;

pub(crate) use directives::module;
pub(crate) use syntax::{
    Datum, Function, Guard, Item, Linkage, Module, Operand, Parameter, Space, Statement, Variable,
};
