//! Pseudo-random choices that are the same on every machine.

pub use dev_random::Choices as Random;
