//! Which modules hold all that their kernels reach, as copies of their own.
//!
//! On a GPU all that runs starts at a kernel. A call that leaves the kernel's module costs the registers
//! of the worst function that could be behind it, and a stack; and what exporters compile for others has
//! mostly been inlined by everyone already. So a module *closes* a kernel: each function that the kernel
//! reaches by calls (direct ones, and virtual ones whose targets are known) becomes a function of the
//! kernel's module that nobody else sees. It may be inlined or, being `noinline` or large, stay a local
//! function of that module. A body that only closed kernels need is not compiled where it was defined.
//! Functions that have to stay where they are defined, as something refers to their address or as they
//! cannot be copied, are closed in the same way: what they call need not be visible to others either.
//!
//! *What may be copied.* Only the code of a function, never an identity. Variables are not copied, so
//! static locals and virtual tables stay one. Calls go to the copy while the function's address, in
//! comparisons and in tables, stays the one of the program's function, which its own module then emits
//! for those who take the address. Functions that another definition may replace, whose body cannot
//! move (assembly with labels, locals that must keep their names) and kernels are not copied; a kernel
//! that calls one is *open*, though all else that it reaches is still copied.
//!
//! *What must stay small.* A kernel that reaches more instructions than `--closure-limit` stays as it
//! was: it imports what its inliner can use, and calls the rest where it is defined ([`closure`]).
//! Where copies that will not be inlined would make the program larger than `--closure-growth` allows,
//! the functions that cost most stay shared ([`sharing`]).
//!
//! *What is still compiled where it was defined* follows from the kernels and other roots ([`emission`]).
//!
//! Decisions are made about definitions in order, so they depend on neither the order of arguments nor
//! the number of threads.
//!
//! Cost: for each live kernel, or function that is closed like one, at most as many functions as fit into
//! its limit, with their calls, in parallel by module; then the edges of each body once for every module
//! that has it.

mod bodies;
mod closure;
mod decide;
mod emission;
mod result;
mod sharing;
mod speculation;
mod world;

pub(crate) use closure::{End, KernelClosure};
pub(crate) use decide::close;
pub(crate) use result::Closing;
