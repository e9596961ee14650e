//! The rules of the thin link, one test each, on summaries built by hand; the executable's answers
//! to wrong input; and laws that must hold for any program, on pseudo-random ones.

mod attributes;
mod command_line;
mod consensus;
mod copies;
mod devirtualisation;
mod errors;
mod explain;
mod import_laws;
mod import_models;
mod imports;
mod locals;
mod mode;
mod opaque;
mod outputs;
mod random_programs;
mod root_options;
mod roots;
mod rules;
mod support;
