//! Numbers of bytes as people write them.

use std::fmt;
use std::str::FromStr;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub u64);

impl Size {
    /// Default maximum size of the cache.
    pub const DEFAULT: Self = Self(10 << 30);
}

const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];

impl FromStr for Size {
    type Err = String;

    /// Reads a number and a unit: `500M`, `10G`, `10GiB`. Units are powers of 1024.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no size such as 500M or 10G");
        let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let matches = |name: &str| unit == name || (unit.len() == 1 && name.starts_with(unit));
        let power =
            if unit.is_empty() { Some(0) } else { UNITS.iter().position(|name| matches(name)) };
        let factor = 1_u64 << (10 * power.ok_or_else(wrong)?);
        match number.checked_mul(factor) {
            Some(0) => Err("a cache of no size holds nothing: turn it off instead".to_owned()),
            Some(bytes) => Ok(Self(bytes)),
            None => Err(wrong()),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut power = 0;
        while power + 1 < UNITS.len() && self.0 >> (10 * (power + 1)) > 0 {
            power += 1;
        }
        if power == 0 {
            return write!(formatter, "{} B", self.0);
        }
        let tenths = u128::from(self.0) * 10 / (1_u128 << (10 * power));
        write!(formatter, "{}.{} {}", tenths / 10, tenths % 10, UNITS[power])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_shown() {
        for (text, bytes) in
            [("1", 1), ("7B", 7), ("500M", 500 << 20), ("10G", 10 << 30), ("2TiB", 2 << 40)]
        {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for text in ["", "G", "1.5G", "-1", "10 G", "10g", "1iB", "99999999999T", "0", "0G"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
        let shown = [Size(0), Size(1023), Size(1536), Size::DEFAULT].map(|size| size.to_string());
        assert_eq!(shown, ["0 B", "1023 B", "1.5 KiB", "10.0 GiB"]);
        assert_eq!(Size(u64::MAX).to_string(), "16777215.9 TiB");
    }
}
