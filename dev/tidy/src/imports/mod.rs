//! The imports between the files of a crate, found without a compiler.
//!
//! Each layer stands on the one below it: `graph` holds the imports and their cycles, `resolution`
//! finds the file that defines the item a path names, `tree` is the tree of modules of one target,
//! `syntax` reads the modules, items and paths of one file, and `tokens` splits a file into tokens.
//! A compiler would be exact, but is a dependency. This reader knows `use` in all its forms,
//! re-exports, globs and inline paths. Macros that write items are invisible to it, and methods
//! import nothing.

pub(crate) mod graph;
mod resolution;
mod syntax;
pub(crate) mod tokens;
pub(crate) mod tree;
