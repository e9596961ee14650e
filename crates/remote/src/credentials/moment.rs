//! Times as texts, in the form of RFC 3339.

use std::time::{Duration, SystemTime};

/// Reads a time such as `2026-01-31T23:59:59.5+02:00`; `None` if it is none, or before 1970.
/// Fractions of a second are left out.
pub(crate) fn parse(text: &str) -> Option<SystemTime> {
    let (day, rest) = text.split_at_checked(10)?;
    let (time, rest) = rest.strip_prefix(['T', 't', ' '])?.split_at_checked(8)?;
    let [year, month, date] = numbers(day, '-')?;
    let [hour, minute, second] = numbers(time, ':')?;
    let is_possible = (1..=12).contains(&month) && (1..=31).contains(&date);
    if !is_possible || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let zone = rest
        .strip_prefix('.')
        .map_or(rest, |rest| rest.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    let seconds = days(year, month, date) * 86_400 + hour * 3_600 + minute * 60 + second;
    let seconds = u64::try_from(seconds - seconds_east(zone)?).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

fn seconds_east(zone: &str) -> Option<i64> {
    let (sign, offset) = match zone.split_at_checked(1)? {
        ("Z" | "z", "") => return Some(0),
        ("+", offset) => (1, offset),
        ("-", offset) => (-1, offset),
        _ => return None,
    };
    let [hours, minutes] = numbers(offset, ':')?;
    Some(sign * (hours * 3_600 + minutes * 60))
}

fn numbers<const COUNT: usize>(text: &str, separator: char) -> Option<[i64; COUNT]> {
    let number = |part: &str| part.parse::<u16>().ok().map(i64::from);
    let numbers: Vec<i64> = text.split(separator).map(number).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// Returns the number of days from 1970 on. The year begins in March here, so that the day which
/// some years have more is the last one.
fn days(year: i64, month: i64, date: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + (153 * month + 2) / 5 + date - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-03-01T00:00:00Z", 951_868_800),
            ("2024-02-29T12:34:56.789Z", 1_709_210_096),
            ("2024-02-29T12:34:56+02:00", 1_709_202_896),
            ("2024-02-29t12:34:56-00:30", 1_709_211_896),
        ] {
            let expected = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(parse(text), Some(expected), "{text}");
        }
        for text in ["", "2024-02-29", "2024-13-01T00:00:00Z", "2024-02-29T12:34:56", "1969-12-31"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
