//! Contract of `shim/optimize.cpp`, and the structures that it shares with Rust.

use std::ffi::{c_char, c_void};
use std::marker::PhantomData;

use llvm_sys::target_machine::LLVMTargetMachineRef;

use super::options::LlvmRules;
use crate::handles::{Call, Function};
use crate::layout::layout;
use crate::module::Exclusive;
use crate::text::ShimText;

unsafe extern "C" {
    /// Runs the pipeline of a level, 0 to 3, on the module for the machine, with an inliner that
    /// asks `asker` about each call of a known function, callees before callers. No text, or the
    /// reason for the failure. When LLVM crashed, neither the context nor the machine must be used
    /// or disposed of any more.
    pub(super) fn weft_optimize(
        module: Exclusive<'_>,
        machine: LLVMTargetMachineRef,
        level: u32,
        order: &Order,
        asker: &Asker<'_>,
        has_crashed: &mut bool,
    ) -> ShimText;
}

/// Choices that determine the pipeline.
#[repr(C)]
pub(super) struct Order {
    pub(super) thresholds: Thresholds,
    /// Whether LLVM counts a call's cost to the end where it is above the limit already.
    pub(super) counts_full_cost: bool,
    /// Whether LLVM leaves calls to the callers of their caller.
    pub(super) defers: bool,
    /// Whether no two arrays on the stack share their place.
    pub(super) keeps_allocas_apart: bool,
    /// Whether loops are unrolled by LLVM's limits.
    pub(super) unrolls_loops: bool,
    /// Bytes of the largest local constant that may be in constant memory.
    pub(super) largest_constant: u64,
}

layout! {
    Order: thresholds, counts_full_cost, defers, keeps_allocas_apart, unrolls_loops,
        largest_constant;
    constexpr size_t OrderLayout[] = {40, 0, 24, 25, 26, 27, 32};
}

/// LLVM's own thresholds.
#[repr(C)]
pub(super) struct Thresholds {
    general: i32,
    hint: i32,
    cold: i32,
    cold_call: i32,
    hot_call: i32,
    /// Negative where the general one applies.
    locally_hot_call: i32,
}

layout! {
    Thresholds: general, hint, cold, cold_call, hot_call, locally_hot_call;
    constexpr size_t ThresholdsLayout[] = {24, 0, 4, 8, 12, 16, 20};
}

impl Thresholds {
    pub(super) fn of(rules: &LlvmRules) -> Self {
        // LLVM multiplies a threshold by eleven, and adds half of that, without a look at overflow.
        let number =
            |threshold: u32| i32::try_from(threshold).unwrap_or(i32::MAX).min(i32::MAX / 17);
        Self {
            general: number(rules.threshold),
            hint: number(rules.hint_threshold),
            cold: number(rules.cold_threshold),
            cold_call: number(rules.cold_call_threshold),
            hot_call: number(rules.hot_call_threshold),
            locally_hot_call: rules.locally_hot_call_threshold.map_or(-1, number),
        }
    }
}

/// Answers whether to inline a call. The first argument is the asker's data.
pub(super) type Advise = unsafe extern "C" fn(data: *mut c_void, facts: &CallFacts<'_>) -> bool;

/// Ends each question with the call where it stays, or none where it was inlined. The first
/// argument is the asker's data.
pub(super) type Conclude = unsafe extern "C" fn(data: *mut c_void, kept: Option<&Call<'_>>);

/// Returns how much LLVM's cost of a call of the function is lowered.
pub(super) type Bonus = extern "C" fn(callee: Function<'_>) -> i32;

/// The functions that the pipeline asks, with data that it borrows.
#[repr(C)]
pub(super) struct Asker<'session> {
    /// Data that both functions get.
    data: *mut c_void,
    /// Whether LLVM's own decision is wanted, too.
    asks_llvm: bool,
    advise: Advise,
    conclude: Conclude,
    bonus: Bonus,
    session: PhantomData<&'session mut ()>,
}

layout! {
    Asker<'_>: data, asks_llvm, advise, conclude, bonus;
    constexpr size_t AskerLayout[] = {40, 0, 8, 16, 24, 32};
}

impl Asker<'_> {
    pub(super) fn new(
        data: *mut c_void,
        asks_llvm: bool,
        advise: Advise,
        conclude: Conclude,
        bonus: Bonus,
    ) -> Self {
        Self { data, asks_llvm, advise, conclude, bonus, session: PhantomData }
    }
}

/// One call, as LLVM sees it.
#[repr(C)]
pub(super) struct CallFacts<'m> {
    pub(super) call: Call<'m>,
    pub(super) caller: Function<'m>,
    pub(super) callee: Function<'m>,
    /// Decision of attributes before any cost: 0 none, 1 always, 2 never.
    pub(super) demand: u32,
    /// Reason for never, a text of LLVM's, or null.
    pub(super) demand_reason: *const c_char,
    /// Reason why the body cannot be inlined at all, a text of LLVM's, or null.
    pub(super) not_viable: *const c_char,
    pub(super) has_growth: bool,
    /// Growth of the caller, 5 for each instruction, in LLVM's estimate, which knows the call's
    /// constants.
    pub(super) growth: i32,
    /// LLVM's own decision, with its numbers.
    pub(super) llvm_inlines: bool,
    pub(super) llvm_cost: i32,
    pub(super) llvm_threshold: i32,
    /// Number of loops around the call.
    pub(super) loop_depth: u32,
    /// Number of arguments that are constants.
    pub(super) constant_arguments: u32,
    /// Number of arguments that point to the caller's stack.
    pub(super) stack_arguments: u32,
    /// Whether the callee can reach the caller by calls.
    pub(super) is_recursive: bool,
    /// Whether nothing else refers to the callee, which is local: its body moves.
    pub(super) is_only_call: bool,
}

layout! {
    CallFacts<'_>: call, caller, callee, demand, demand_reason, not_viable, has_growth, growth,
        llvm_inlines, llvm_cost, llvm_threshold, loop_depth, constant_arguments, stack_arguments,
        is_recursive, is_only_call;
    constexpr size_t CallFactsLayout[] = {88,0,8,16,24,32,40,48,52,56,60,64,68,72,76,80,81};
}
