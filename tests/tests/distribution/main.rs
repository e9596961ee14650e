//! What users get of Weft, made of the executables of this build: each package is installed, and
//! builds a program from there.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod contents;
mod installed;
mod packed;
