//! The house rules that no other tool knows, over every text file that git knows or would add.
//!
//! A rule is a function from a file, or from all files, to violations.

mod checkout;
mod imports;
mod report;
mod rules;
mod tokens;
mod violation;

use std::path::Path;

use checkout::Checkout;
use dev_process::Result;
pub use report::Report;

/// Applies every rule to the checkout at `root`.
///
/// # Errors
/// Fails if git cannot list the files of the checkout.
pub fn check(root: &Path) -> Result<Report> {
    Ok(rules::apply(&Checkout::read(root)?))
}

/// Lists the imports between the files of the package in the folder `package` of the checkout.
///
/// # Errors
/// Fails if git cannot list the files of the checkout.
pub fn imports(root: &Path, package: &str) -> Result<Vec<String>> {
    Ok(rules::imports::listing(&Checkout::read(root)?.files, package))
}
