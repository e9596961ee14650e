//! A call with all the facts that the models look at, as numbers.

use std::ffi::c_char;

use weft_artifact::{Linkage, Visibility};

use super::shim::CallFacts;
use crate::handles::{Callee, Function, Instruction, Operation};
use crate::intrinsics::{IntrinsicClass, class_of};
use crate::{kernel_choices, parameter_sizes, text};

/// Demand of attributes, which holds regardless of the cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Demand {
    #[default]
    Open,
    Always,
    Never(String),
}

/// Role of a function in its module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// Host code launches the function.
    Kernel,
    /// Other modules may call the function, so it stays, inlined or not.
    Exported,
    /// Another module emits the function, and this one uses it for inlining alone.
    Imported,
    /// Only the module's own calls need the function.
    #[default]
    Private,
}

/// The callee's body, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Body {
    pub(super) name: String,
    pub(super) linkage: Option<Linkage>,
    pub(super) is_protected: bool,
    pub(super) is_declaration: bool,
    pub(super) no_inline: bool,
    pub(super) no_optimize: bool,
    /// Reason why the body cannot be inlined at all.
    pub(super) not_viable: Option<String>,
    pub(super) loads: u64,
    pub(super) stores: u64,
    pub(super) switches: u32,
    /// Cases of all switches together.
    pub(super) cases: u32,
    /// Cases of the largest switch.
    pub(super) largest_switch: u32,
    /// Operations of the tensor cores or of whole warps.
    pub(super) special_operations: u32,
}

/// Data that one call moves through `.param` space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marshalling {
    /// Bytes that the caller stores, the callee loads, and that come back.
    pub(super) bytes: u64,
    /// Arguments whose size differs from their parameter's.
    pub(super) coerced: u32,
    /// Fields that are copied for such arguments.
    pub(super) coerced_fields: u32,
}

/// One call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Site {
    pub(super) callee: Body,
    pub(super) demand: Demand,
    pub(super) marshalling: Marshalling,
    pub(super) caller_role: Role,
    /// Share of its budget that the caller may spend in percent, if the plan chose one.
    pub(super) caller_percent: Option<u32>,
    /// Instructions of the caller before anything was inlined into it.
    pub(super) caller_instructions: u32,
    /// Growth of the caller by inlining, 5 for each instruction; none where LLVM cannot tell.
    pub(super) growth: Option<i64>,
    pub(super) loop_depth: u32,
    pub(super) constant_arguments: u32,
    pub(super) stack_arguments: u32,
    pub(super) is_recursive: bool,
    /// The callee's body moves into the caller, as nothing else refers to it.
    pub(super) is_only_call: bool,
    /// LLVM's own decision, its cost and its threshold.
    pub(super) llvm: (bool, i64, i64),
}

impl Site {
    pub(super) fn of(facts: &CallFacts<'_>) -> Self {
        // SAFETY: the shim fills both reasons with null or with texts of LLVM's that end with a
        // zero, and they stay during the call that passes the facts.
        let [demand_reason, not_viable] = [facts.demand_reason, facts.not_viable]
            .map(|reason: *const c_char| unsafe { text::terminated(reason) });
        let growth = facts.has_growth.then_some(i64::from(facts.growth));
        Self {
            demand: match facts.demand {
                0 => Demand::Open,
                1 => Demand::Always,
                _ => Demand::Never(demand_reason.unwrap_or_default()),
            },
            marshalling: marshalling(facts),
            caller_role: role(facts.caller),
            caller_percent: kernel_choices::inline_percent(facts.caller),
            caller_instructions: facts.caller.instruction_count(),
            growth,
            loop_depth: facts.loop_depth,
            constant_arguments: facts.constant_arguments,
            stack_arguments: facts.stack_arguments,
            is_recursive: facts.is_recursive,
            is_only_call: facts.is_only_call,
            llvm: (facts.llvm_inlines, facts.llvm_cost.into(), facts.llvm_threshold.into()),
            callee: Body { not_viable, ..body(facts.callee) },
        }
    }
}

fn role(caller: Function<'_>) -> Role {
    if caller.is_kernel() {
        Role::Kernel
    } else if caller.is_imported() {
        Role::Imported
    } else if caller.linkage().is_local() {
        Role::Private
    } else {
        Role::Exported
    }
}

fn marshalling(facts: &CallFacts<'_>) -> Marshalling {
    let cost = parameter_sizes::of_call(facts.call, facts.callee.global());
    let bytes = [cost.argument_bytes, cost.parameter_bytes, cost.return_bytes];
    Marshalling {
        bytes: bytes.into_iter().map(u64::from).sum(),
        coerced: cost.coerced_arguments,
        coerced_fields: parameter_sizes::coerced_fields(facts.call, facts.callee),
    }
}

pub(super) fn body(callee: Function<'_>) -> Body {
    let mut body = Body {
        name: callee.name(),
        linkage: Some(callee.linkage()),
        is_protected: callee.visibility() == Visibility::Protected,
        is_declaration: callee.is_declaration(),
        no_inline: callee.has_attribute("noinline"),
        no_optimize: callee.has_attribute("optnone"),
        ..Body::default()
    };
    callee.instructions().for_each(|instruction| count(&mut body, instruction));
    body
}

fn count(body: &mut Body, instruction: Instruction<'_>) {
    match instruction.operation() {
        Operation::Load { .. } => body.loads += 1,
        Operation::Store { .. } => body.stores += 1,
        Operation::Switch { cases } => {
            body.switches += 1;
            body.cases = body.cases.saturating_add(cases);
            body.largest_switch = body.largest_switch.max(cases);
        }
        Operation::Call(call) => {
            if let Callee::Intrinsic(intrinsic) = call.callee() {
                let class = class_of(&intrinsic.name());
                let is_special = matches!(class, IntrinsicClass::Warp | IntrinsicClass::Tensor);
                body.special_operations += u32::from(is_special);
            }
        }
        Operation::Other => {}
    }
}
