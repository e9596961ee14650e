//! Positions, signed numbers and enums as the numbers that files hold.

use crate::record::error::RecordError;

/// Converts ascending positions to steps, the first one from 0.
pub(super) fn steps(positions: impl IntoIterator<Item = u32>) -> impl Iterator<Item = u32> {
    let mut last = 0_u32;
    positions.into_iter().map(move |position| {
        let step = position.wrapping_sub(last);
        last = position;
        step
    })
}

/// Decodes a zigzag as a signed number: 0, -1, 1, -2, as bincode and the record of decisions write
/// them.
#[inline]
pub(crate) fn of_zigzag(zigzag: u64) -> i64 {
    (zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed()
}

/// Returns the number of a value in a list of all values.
pub(crate) fn number_in<T: PartialEq + Copy>(list: &[T], value: T) -> u8 {
    let number = list.iter().position(|known| *known == value);
    // A value that is missing in the list gets a number that no reader accepts.
    number.and_then(|number| u8::try_from(number).ok()).unwrap_or(u8::MAX)
}

/// Inverts [`number_in`]. `kind` names the values in the error.
pub(crate) fn value_of<T: Copy>(list: &[T], number: u8, kind: &str) -> Result<T, RecordError> {
    let value = list.get(usize::from(number)).copied();
    value.ok_or_else(|| no_value(number, kind))
}

/// Returns 0 for `None`, and 1 plus [`number_in`] for a value.
pub(crate) fn optional_number_in<T: PartialEq + Copy>(list: &[T], value: Option<T>) -> u8 {
    value.map_or(0, |value| number_in(list, value).saturating_add(1))
}

/// Inverts [`optional_number_in`].
pub(crate) fn optional_value_of<T: Copy>(
    list: &[T],
    number: u8,
    kind: &str,
) -> Result<Option<T>, RecordError> {
    let Some(position) = number.checked_sub(1) else { return Ok(None) };
    let value = list.get(usize::from(position)).copied();
    value.map(Some).ok_or_else(|| no_value(number, kind))
}

fn no_value(number: u8, kind: &str) -> RecordError {
    format!("there is no {kind} with the number {number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_their_places_in_a_list() {
        let list = ['a', 'b'];
        for (number, value) in [(0, 'a'), (1, 'b')] {
            assert_eq!(number_in(&list, value), number);
            assert_eq!(value_of(&list, number, "letter"), Ok(value));
        }
        for (number, value) in [(0, None), (1, Some('a')), (2, Some('b'))] {
            assert_eq!(optional_number_in(&list, value), number);
            assert_eq!(optional_value_of(&list, number, "letter"), Ok(value));
        }
        let wrong = optional_value_of(&list, 3, "letter").unwrap_err();
        assert_eq!(wrong, "there is no letter with the number 3");
        assert_eq!(
            value_of(&list, 2, "letter").unwrap_err(),
            "there is no letter with the number 2"
        );
    }
}
