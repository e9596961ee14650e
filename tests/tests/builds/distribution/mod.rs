//! Packages of Weft for users, made of the executables of this build: each is installed, and builds
//! a program from there.

mod contents;
mod installed;
mod packed;
