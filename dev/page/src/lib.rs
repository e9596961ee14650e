//! The page of a report in a real browser: a client for the browser, the report of a large program
//! that exists as data alone, the bench of the page, and the pictures of it in the README.
//!
//! Tests use the client and the data, and `cargo xtask` runs the program of this crate, as it has
//! dependencies from outside of the workspace.

pub mod bench;
mod browser;
mod example;
pub mod generated;
mod picture;
pub mod pictures;

pub use browser::Browser;
pub use example::Example;
pub use picture::Picture;
