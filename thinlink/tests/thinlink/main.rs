//! The rules of the thin link, one test each, on summaries built by hand; the executable's answers
//! to wrong input; and laws that must hold for any program, on pseudo-random ones.

mod command_line;
mod copies;
mod errors;
mod import_laws;
mod import_models;
mod imports;
mod locals;
mod opaque;
mod outputs;
mod random_programs;
mod roots;
mod support;
