//! Jobs of modules of NVIDIA's LTO IR.
//!
//! nvlink compiles whole units: given kernels and units, it returns the kernels with all that they
//! reach in these units, optimized as if nothing else existed. So a module's job is its live
//! kernels with everything that they reach in modules of LTO IR, and reads the units that hold it
//! ([`reach`]). What such a job has to know of the rest of the program decides whether it is right
//! ([`sharing`]):
//!
//! - **Variables.** nvlink folds a variable that nothing in the job writes. Every variable that
//!   other code may write, the host's included, is *shared*: the job names it, so that nvlink
//!   leaves it alone, the module that defines it emits it, and all other jobs refer to it. A
//!   variable that is used only by the job of its module stays private, and one that nothing in the
//!   program writes is folded in each job, as in a link of the whole program. If a constant is
//!   large, one module emits what is left of it for all.
//! - **Functions.** A function that is only called becomes local in each job that reaches it, as a
//!   copy changes nothing. If its address is taken in several jobs, or code elsewhere calls it, one
//!   module emits it, so that its address is the same everywhere.
//! - **Shared memory.** A function's shared variable is one per block. A kernel sees two of them if
//!   it reaches the function both in its own job and through a function that another job emits, so
//!   such a variable is emitted by one job.
//! - **Kernels** that device code launches are referred to, never copied.
//! - **Arithmetic.** nvlink takes only units of one arithmetic (`-ftz`, `-prec-div`, `-prec-sqrt`,
//!   `-fmad`) at a time, so definitions in a unit of another one stay there, and the job refers to
//!   them.
//! - **Size.** With `--copy-limit`, a unit with a larger function is read by its own job alone, and
//!   others call its functions.
//!
//! Merged definitions (inline functions, templates, virtual tables) that are equal serve a job from
//! any of its units, so a job does not read the module of the prevailing definition for them,
//! except for functions with local static variables.
//!
//! Cost: the symbols that each job reaches, with their edges, twice or three times.

mod decide;
mod locals;
mod locals_reached;
mod program;
mod reach;
mod roots;
mod sharing;
mod units;

pub(crate) use decide::{Job, LtoIr, decide};
