//! Packages of Weft for users, made of the executables of this build: each is installed, and builds
//! a program from there.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod contents;
mod installed;
mod packed;
