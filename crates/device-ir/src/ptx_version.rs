//! Versions of PTX.

use std::fmt;
use std::str::FromStr;

/// The newest version that LLVM 22 writes, times ten.
const NEWEST: u32 = 90;

/// A version of PTX, such as 8.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PtxVersion(u32);

impl PtxVersion {
    /// Whether code is written otherwise because a ptxas takes no newer version than this.
    pub fn limits(self) -> bool {
        self.0 < NEWEST
    }

    /// The version that PTX states in its first directive.
    pub fn of_text(ptx: &str) -> Option<Self> {
        ptx.lines().find_map(|line| line.strip_prefix(".version"))?.trim().parse().ok()
    }

    /// The version times ten, as LLVM's names of versions have it.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

impl FromStr for PtxVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('.').and_then(|(major, minor)| {
            Some((
                major.parse::<u32>().ok()?,
                minor.parse::<u32>().ok().filter(|minor| *minor < 10)?,
            ))
        });
        let version = numbers.and_then(|(major, minor)| major.checked_mul(10)?.checked_add(minor));
        version.map(Self).ok_or_else(|| "expected a version such as 8.5".to_owned())
    }
}

impl fmt::Display for PtxVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_written() {
        let version: Result<PtxVersion, _> = "8.5".parse();
        assert_eq!(version.as_ref().map(ToString::to_string), Ok("8.5".to_owned()));
        assert!(version.is_ok_and(PtxVersion::limits));
        assert!("13.5".parse().is_ok_and(|version: PtxVersion| !version.limits()));
        for text in ["", "8", "8.", ".5", "8.5.1", "8.50", "8.x", "-8.5", "99999999999.1"] {
            assert!(text.parse::<PtxVersion>().is_err(), "{text}");
        }
        assert_eq!(PtxVersion::of_text("//\n.version 8.5\n.target sm_90\n"), "8.5".parse().ok());
        assert_eq!(PtxVersion::of_text(".target sm_90\n"), None);
    }
}
