//! The local cache: a folder of results, each named by the key of its action.
//!
//! | below `v1/` of the folder | holds |
//! |---|---|
//! | `entries/AB/<key>` | one result, whole: fields, outputs, messages ([`entry`]) |
//! | `history/AB/<digest>` | the fields of the last runs of a phase of a subject ([`history`]) |
//! | `damaged/AB/<key>` | nothing: the result was damaged and is removed |
//! | `tools/<digest>` | digest of a program, by its inode, size and times, and by the user |
//! | `servers-<user>/` | what processes of a user tell each other about servers (`crates/remote`) |
//! | `size` | the total size of the entries, about (`room.rs`) |
//! | `stats` | the sources of results, line by line ([`crate::stats`]) |
//!
//! A result is one file, and not a list of blobs that results share, so that it exists or not: a
//! rename writes it, an unlink drops it, and no crash or concurrent clean-up can leave half of one.
//! Sharing would save little: equal PTX of two keys.
//!
//! Any number of processes use a folder at once. Files appear by rename, so readers see them whole.
//! Nothing is flushed to disk: after a power failure a file may be empty or torn, and every read
//! checks a digest, so such a file is dropped like one that was tampered with. Locks guard the two
//! counters alone and are the kernel's, which lets go of them when a process dies. A process that
//! is suspended keeps them, so others stop waiting after some seconds (`lock.rs`).
//!
//! Users may share a folder; `files.rs` says how. Files in it that no cache has put there stay.

pub mod entry;
pub(crate) mod files;
pub mod history;
pub(crate) mod lock;
mod results;
mod room;
mod upkeep;

pub use results::{Found, Store};
pub use upkeep::{Census, Verified};
