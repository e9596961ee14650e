//! The local cache: a folder of results, each named by the key of its action.
//!
//! | below `v1/` of the folder | holds |
//! |---|---|
//! | `entries/AB/<key>` | one result, whole: fields, outputs, messages ([`entry`]) |
//! | `history/AB/<digest>` | the fields of the last runs of one phase of one subject ([`history`]) |
//! | `tools/<digest>` | digest of a program, by its inode, size and times, and by who noted it |
//! | `size` | what the entries hold together, about (`room.rs`) |
//! | `stats` | what happened, line by line ([`crate::stats`]) |
//!
//! A result is one file, and not a list of blobs that others share, so that it is there or not: to
//! write it is a rename, to drop it an unlink, and no crash or concurrent clean-up can leave half of
//! one. What sharing would save is little: equal PTX of two keys.
//!
//! Any number of processes use a folder at once. Files appear by rename, so readers see them whole.
//! Nothing is flushed to disk: after a power failure a file may be empty or torn, and every read
//! checks a digest, so such a file is dropped like one that was tampered with. Locks guard the two
//! counters alone and are the kernel's, which lets go of them when a process dies.
//!
//! Users may share a folder; `files.rs` says how. Files in it that no cache has put there stay.

pub mod entry;
pub(crate) mod files;
pub mod history;
mod results;
mod room;
mod upkeep;

pub use results::{Found, Store};
pub use upkeep::{Census, Verified};
