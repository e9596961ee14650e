//! Fields that are left out.

/// Whether a field has the value that readers take for granted, so that it is left out.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
