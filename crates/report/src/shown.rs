//! Numbers and long texts as people read them.

use std::borrow::Cow;

/// Sign at the place of text that was left out.
const LEFT_OUT: char = '\u{2026}';

/// Returns a number with commas between thousands.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number with its noun, which ends in `s` where it is more than one.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Returns a size in decimal units, as the page does.
pub(crate) fn bytes(number: u64) -> String {
    match number {
        0..1000 => format!("{number} B"),
        1000..1_000_000 => tenths(number, 1000, "kB"),
        _ => tenths(number, 1_000_000, "MB"),
    }
}

fn tenths(number: u64, unit: u64, name: &str) -> String {
    let tenths = u128::from(number) * 10 + u128::from(unit / 2);
    let tenths = tenths / u128::from(unit);
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

/// Returns a duration that is given in microseconds.
pub(crate) fn duration(microseconds: u64) -> String {
    match microseconds {
        0..1_000_000 => tenths(microseconds, 1000, "ms"),
        _ => tenths(microseconds, 1_000_000, "s"),
    }
}

/// Returns the difference of two values with its sign.
pub(crate) fn difference(before: u64, now: u64) -> String {
    let sign = if now < before { '-' } else { '+' };
    format!("{sign}{}", count(now.abs_diff(before)))
}

/// Returns the difference of two values in percent of the first; empty if that is zero.
pub(crate) fn percent(before: u64, now: u64) -> String {
    if before == 0 {
        return String::new();
    }
    let sign = if now < before { '-' } else { '+' };
    let tenths = u128::from(now.abs_diff(before)) * 1000;
    let tenths = (tenths + u128::from(before / 2)) / u128::from(before);
    format!("{sign}{}.{}%", tenths / 10, tenths % 10)
}

/// Returns `text`, with its middle left out if it has more than `most` characters.
pub(crate) fn cut_in_the_middle(text: &str, most: usize) -> Cow<'_, str> {
    let length = text.chars().count();
    if length <= most {
        return Cow::Borrowed(text);
    }
    let kept = most.saturating_sub(1);
    let tail = kept / 2;
    let head = text.chars().take(kept - tail);
    Cow::Owned(head.chain([LEFT_OUT]).chain(text.chars().skip(length - tail)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_texts_keep_both_ends() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([999, 1049, 1_950_000].map(bytes), ["999 B", "1.0 kB", "2.0 MB"]);
        assert_eq!([40, 999_000, 2_340_000].map(duration), ["0.0 ms", "999.0 ms", "2.3 s"]);
        assert_eq!((difference(7, 1007), difference(7, 6)), ("+1,000".into(), "-1".into()));
        assert_eq!(percent(200, 203), "+1.5%");
        assert_eq!((percent(3, 2), percent(0, 2)), ("-33.3%".into(), String::new()));
        assert_eq!((counted(1, "unit"), counted(2, "unit")), ("1 unit".into(), "2 units".into()));
        assert_eq!(cut_in_the_middle("abcdefgh", 8), "abcdefgh");
        assert_eq!(cut_in_the_middle("abcdefgh", 5), "ab…gh");
        assert_eq!(cut_in_the_middle("äbcdefgh", 4), "äb…h");
    }
}
