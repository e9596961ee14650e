//! Modules get copies of all functions that their kernels reach.
//!
//! On a GPU all execution starts at a kernel. A call that leaves the kernel's module costs a stack
//! and the registers of the worst possible callee; and functions that a module compiles for others
//! have mostly been inlined by all of them already. So a module *closes* a kernel: each function
//! that the kernel reaches by calls (direct ones, and virtual ones whose targets are known) becomes
//! a local function of the kernel's module. It may be inlined or, if it is `noinline` or large,
//! stay a function. A body that only closed kernels need is not compiled where it was defined.
//! Functions that have to stay where they are defined, because their address is taken or because
//! they cannot be copied, are closed in the same way, so their callees need not be visible to
//! others either.
//!
//! *Copies.* Only the code of a function is copied, never an identity. Variables are not copied, so
//! static locals and virtual tables stay unique. Calls go to the copy, while the function's
//! address, in comparisons and in tables, stays that of the program's function, which its own
//! module then emits because the address is taken. Three kinds of functions are not copied:
//! interposable ones, those whose body cannot move (assembly with labels, locals that must keep
//! their names), and kernels. A kernel that calls one of them is *open*, though all other functions
//! that it reaches are still copied.
//!
//! *Limits.* A kernel that reaches more instructions than `--closure-limit` stays as it was: it
//! imports the bodies that its inliner can use, and calls the other functions where they are
//! defined ([`closure`]). Where copies that will not be inlined would make the program larger than
//! `--closure-growth` allows, the functions that cost most stay shared ([`sharing`]). A module gets
//! at most as many copies as `--import-cutoff` says, so bisecting that number finds the function
//! whose copy breaks a program.
//!
//! *Emission.* The definitions that are still compiled in their own modules follow from the kernels
//! and other roots ([`emission`]).
//!
//! Decisions are made about definitions in order, so they depend on neither the order of arguments
//! nor the number of threads.
//!
//! Cost: for each live kernel, or function that is closed like one, at most as many functions as
//! fit into its limit, with their calls, in parallel by module; then the edges of each body once
//! for every module that has it.

mod bodies;
mod closure;
mod decide;
mod emission;
mod program_view;
mod result;
mod sharing;
mod speculation;

pub(crate) use closure::{End, KernelClosure};
pub(crate) use decide::{close, is_wanted};
pub(crate) use result::Closing;
