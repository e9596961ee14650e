//! The page of a report in a real browser: what it shows, that it can be used with a keyboard alone
//! and in both themes, that it asks the network for nothing, and that its answers are those of the
//! commands.

mod answers;
mod generated;
mod ggml;
mod hostile;
mod keyboard;
mod made;
mod transport;
mod walk;
