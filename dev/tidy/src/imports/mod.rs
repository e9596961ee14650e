//! The imports between the files of a crate, found without a compiler.
//!
//! Each layer builds on the one below it: `graph` holds the imports and their cycles, `resolution`
//! finds the file that defines the item a path names, `tree` is the tree of modules of one target,
//! and `syntax` reads the modules, items and paths of one file. It knows `use` in all its forms,
//! re-exports, globs and inline paths, also those in the tokens of macros. Macros that write items
//! are invisible to it, and methods import nothing.

pub(crate) mod graph;
mod resolution;
pub(crate) mod syntax;
pub(crate) mod tree;
