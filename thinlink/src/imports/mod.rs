//! Decides which bodies each module takes from others, and which definitions of others it therefore
//! needs.
//!
//! Each module is decided separately, in three passes, so a budget goes to the best candidates
//! first:
//!
//! 1. *direct*: callees of the module's own live code;
//! 2. *transitive*: callees of imported bodies, with the limit multiplied by the evolution factor
//!    and truncated at each level;
//! 3. *speculative*: functions that a body with indirect calls refers to, and functions in constant
//!    tables that any body of the module names, if some body has indirect calls: an object is made
//!    in one function and its virtual methods are called in another. They are the likely callees.
//!
//! By Weft's own model, a body is imported only if the inliner will have room for it in some
//! function of the module ([`prediction`]).
//!
//! A candidate that is met at several calls counts with the highest threshold ([`threshold`]).
//! [`crate::candidates`] defines its cost, which depends on the model, and the reasons why a
//! definition must not be imported, regardless of cost. Read-only variables are imported as well,
//! so loads fold and calls through tables become direct; symbols in their initializers count as
//! named by the module.
//!
//! Levels are processed in order, and the order within a level does not matter, so the index
//! determines the result. LLVM's model goes depth first instead, as LLVM does; where call classes
//! are mixed, a candidate can then miss a limit that it would get in another order, just as in
//! LLVM.
//!
//! A symbol that a body in the module names and another module provides is *needed*: its owner must
//! make it visible, which for a local means a global name. An imported symbol is itself needed, as
//! the importer's copy serves inlining only. Functions that are copied to the module
//! ([`crate::closing`]) are imported regardless of cost, and calls do not make them needed. Small
//! constants with an insignificant address are copied instead, and symbols in their initializers
//! are needed.
//!
//! Cost per module: its own edges and the edges of imported bodies, as often as their threshold
//! rises, and a sort of the result. Nothing here grows with the number of other modules. Sizes in
//! the GPU model take each symbol and each edge once, for all modules together.

mod budget;
mod decide;
mod decision;
mod describe;
mod distant;
mod ledger;
mod offers;
mod prediction;
mod record;
mod result;
mod scratch;
mod shared;
mod threshold;
mod walk;
mod work;
mod workload;

pub(crate) use decide::decide;
pub(crate) use result::Imports;
