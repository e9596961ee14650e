//! The facts of one variable.

use weft_artifact::{TypeMember, VariableSummary, VirtualFunction};

use super::module_facts;
use super::walk::Walk;
use crate::analyses::type_ids;
use crate::handles::{Class, Global, Value, Variable};

pub(super) fn facts<'m>(walk: &Walk<'m>, variable: Variable<'m>) -> VariableSummary {
    let content = variable.initializer();
    let constant = variable.is_constant();
    let mut virtual_functions = Vec::new();
    if let Some(content) = content.filter(|_| constant) {
        find_functions(walk, variable, content, 0, &mut virtual_functions);
    }
    VariableSummary {
        size: variable.layout().sizes(variable.content_type()).allocated,
        alignment: variable.alignment(),
        constant,
        initialized: content.is_some_and(|content| !content.is_a(Class::Undef)),
        externally_initialized: variable.is_externally_initialized(),
        copyable: variable.is_copyable(),
        handle: module_facts::handle(walk.module, variable),
        references: walk.names.named_by(content),
        virtual_functions,
        type_ids: type_ids(variable)
            .into_iter()
            .map(|(type_id, offset)| TypeMember { type_id, offset })
            .collect(),
    }
}

/// Adds the functions in `constant`, a part of the variable's content, with their offsets.
fn find_functions<'m>(
    walk: &Walk<'m>,
    variable: Variable<'m>,
    constant: Value<'m>,
    start: u64,
    found: &mut Vec<VirtualFunction>,
) {
    let mut find = |element, offset| find_functions(walk, variable, element, offset, found);
    if constant.is_a(Class::Function) || constant.is_a(Class::Alias) {
        let function = Global::of(constant).and_then(|global| walk.names.index(global));
        found.extend(function.map(|function| VirtualFunction { offset: start, function }));
    } else if constant.is_a(Class::ConstantExpression) {
        // Casts between address spaces name the function as their first operand.
        constant.operands().take(1).for_each(|function| find(function, start));
    } else if constant.is_a(Class::ConstantArray) {
        for (position, element) in (0..).zip(constant.operands()) {
            let size = variable.layout().sizes(element.value_type()).allocated;
            find(element, start + position * size);
        }
    } else if constant.is_a(Class::ConstantStruct) {
        for (position, element) in (0..).zip(constant.operands()) {
            let structure = constant.value_type();
            let offset = variable.layout().offset_of_element(structure, position).unwrap_or(0);
            find(element, start + offset);
        }
    }
}
