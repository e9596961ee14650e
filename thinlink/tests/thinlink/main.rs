//! The rules of the thin link, each a scenario in words, on summaries written by hand; the
//! executable's answers to wrong input; and laws that must hold for any program, on pseudo-random
//! ones.

mod attributes;
mod command_line;
mod consensus;
mod declarations;
mod drafts;
mod errors;
mod explain;
mod extremes;
mod import_laws;
mod imports;
mod link_order;
mod links;
mod outputs;
mod random_programs;
mod rules;
mod support;
