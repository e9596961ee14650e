//! The error of reading a record.

/// The reason why a record that can be read means nothing.
pub(crate) type RecordError = String;
