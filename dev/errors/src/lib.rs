//! The page of all errors, made from the code.
//!
//! The texts are read from the sources: those of the types of errors, and those of the places that
//! give an error its exit code. A table states the common cause and the remedy for each type and
//! each file, and a test counts as reaching an error if it holds a part of the error's text. So an
//! error cannot be added without a row, and the page cannot be out of date.

mod literals;
mod messages;
mod page;
mod proof;
mod sources;
mod table;

use std::path::Path;

use dev_process::{Error, Result, while_trying};

/// Path of the page in the checkout.
pub const PAGE: &str = "docs/errors.md";

/// Compares the page with the code of the checkout at `root`, or writes it. Returns the numbers of
/// errors and of those that a test reaches.
pub fn check(root: &Path, writes: bool) -> Result<(usize, usize)> {
    let product = sources::product(root)?;
    let messages = messages::messages(&product);
    let table = table::read(root)?;
    let tests = proof::tests(root)?;
    let rows: Vec<_> = messages.into_iter().map(|message| tests.row(message)).collect();
    let mut faults = table.faults(&rows);
    let text = page::page(&table, &rows);
    let path = root.join(PAGE);
    if writes {
        std::fs::write(&path, &text).map_err(while_trying("write", &path))?;
    } else if std::fs::read_to_string(&path).is_ok_and(|present| present != text) || !path.exists()
    {
        faults.push(format!("{PAGE} is behind the code: cargo xtask errors --write"));
    }
    if !faults.is_empty() {
        return Err(Error::new(faults.join("\n")));
    }
    let tested = rows.iter().filter(|row| row.test.is_some()).count();
    Ok((rows.len(), tested))
}
