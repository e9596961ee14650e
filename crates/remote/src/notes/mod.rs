//! Notes that the processes of one user leave for each other about servers: that one is down or
//! full, what one offers, and who sends a blob to one.
//!
//! A build starts a process for each step, and each would learn the same again. A note saves time
//! and decides nothing else: one that cannot be read or written, is damaged, too old or from the
//! future counts as missing, and what it says of a server is corrected by the server's answers.

mod down;
mod folder;
mod full;
mod turns;

pub(crate) use down::Attempt;
pub(crate) use folder::Notes;
pub(crate) use full::FULL_FOR;
