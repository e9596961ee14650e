//! Checks objects of host code.

use object::read::{Object as _, ObjectSection as _};
use thiserror::Error;

/// The error of a file that is no whole object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it is no whole object: {0}")]
pub struct ObjectError(#[from] object::Error);

/// Checks that `content` is an object whose sections are all within it.
pub fn check_object(content: &[u8]) -> Result<(), ObjectError> {
    let object = object::File::parse(content).map_err(ObjectError)?;
    object.sections().try_for_each(|section| section.data().map(drop)).map_err(ObjectError)
}
