//! Options that the thin link settles for the phases after it.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use wincode::{SchemaRead, SchemaWrite};

use crate::TrackedOption;

/// The options that follow from all modules and from the thin link's command line.
///
/// The import phase writes them into the linked module, and the codegen phase copies them into the
/// PTX, so each phase finds its options in its one input. The text form is words `NAME=VALUE`, in
/// the order of the fields and of [`TrackedOption::NAMES`].
#[derive(Clone, Debug, Default, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct PhaseOptions {
    /// Level of the optimizer, from 0 to 3.
    pub optimization_level: Option<u32>,
    /// Level of a fast compilation, which excludes a level of the optimizer.
    pub fast_compile: Option<FastCompile>,
    /// Whether the code is for a debugger.
    pub debug: bool,
    /// Bytes of the largest local constant that may be in constant memory; larger ones move to
    /// global memory.
    pub largest_constant: Option<u32>,
    /// Whether NVIDIA's optimizer has made the PTX, from LTO IR.
    pub lto_ir: bool,
    /// Tracked options that have a value, sorted by option.
    pub settings: Vec<(TrackedOption, u32)>,
}

/// Level of a compilation that gives up speed of the code for its own, in the words of ptxas.
///
/// As a number of the text form it is 1, 2 or 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub enum FastCompile {
    /// Little.
    Min,
    /// A balance of both.
    Mid,
    /// All that makes compilation faster.
    Max,
}

impl FastCompile {
    /// All values with their names, in the order of their numbers.
    pub const NAMES: [(Self, &'static str); 3] =
        [(Self::Min, "min"), (Self::Mid, "mid"), (Self::Max, "max")];

    /// Returns the name that ptxas knows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Mid => "mid",
            Self::Max => "max",
        }
    }

    fn number(self) -> u32 {
        match self {
            Self::Min => 1,
            Self::Mid => 2,
            Self::Max => 3,
        }
    }
}

const LEVEL: &str = "opt-level";
const FAST_COMPILE: &str = "Ofast-compile";
const DEBUG: &str = "debug";
const LARGEST_CONSTANT: &str = "largest-constant";
const LTO_IR: &str = "lto-ir";

impl PhaseOptions {
    /// Returns the value of a tracked option.
    pub fn setting(&self, option: TrackedOption) -> Option<u32> {
        self.settings.iter().find(|(known, _)| *known == option).map(|(_, value)| *value)
    }

    /// Returns the name and value of every option that is set.
    pub fn named(&self) -> Vec<(&'static str, u32)> {
        // The pattern names all fields, so that a new one cannot be forgotten in the text, the JSON
        // and the listing.
        let Self {
            optimization_level: level,
            fast_compile: fast,
            debug,
            largest_constant: largest,
            lto_ir,
            // Each setting has its own name.
            settings: _,
        } = self;
        let level = level.map(|level| (LEVEL, level));
        let largest = largest.map(|bytes| (LARGEST_CONSTANT, bytes));
        let fast = fast.map(|fast| (FAST_COMPILE, fast.number()));
        let settings = TrackedOption::NAMES
            .into_iter()
            .filter_map(|(option, name)| Some((name, self.setting(option)?)));
        let debug = debug.then_some((DEBUG, 1));
        let lto_ir = lto_ir.then_some((LTO_IR, 1));
        let words = level.into_iter().chain(fast).chain(debug).chain(largest).chain(lto_ir);
        words.chain(settings).collect()
    }
}

impl fmt::Display for PhaseOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, (name, value)) in self.named().into_iter().enumerate() {
            let space = if position == 0 { "" } else { " " };
            write!(formatter, "{space}{name}={value}")?;
        }
        Ok(())
    }
}

impl FromStr for PhaseOptions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut options = Self::default();
        for word in text.split_whitespace() {
            let unknown = || format!("'{word}' is no option of a phase");
            let (name, value) = word.split_once('=').ok_or_else(unknown)?;
            let value: u32 = value.parse().map_err(|_| unknown())?;
            let tracked = TrackedOption::NAMES.into_iter().find(|(_, known)| *known == name);
            match (name, tracked) {
                (LEVEL, _) => options.optimization_level = Some(value),
                (FAST_COMPILE, _) => {
                    let mut all = FastCompile::NAMES.into_iter().map(|(fast, _)| fast);
                    let fast = all.find(|fast| fast.number() == value);
                    options.fast_compile = Some(fast.ok_or_else(unknown)?);
                }
                (DEBUG, _) => options.debug = value != 0,
                (LARGEST_CONSTANT, _) => options.largest_constant = Some(value),
                (LTO_IR, _) => options.lto_ir = value != 0,
                (_, Some((option, _))) => options.settings.push((option, value)),
                (_, None) => return Err(unknown()),
            }
        }
        options.settings.sort_unstable();
        Ok(options)
    }
}

impl Serialize for PhaseOptions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.named())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_form_reads_back() -> Result<(), String> {
        let options = PhaseOptions {
            optimization_level: Some(2),
            fast_compile: Some(FastCompile::Mid),
            debug: true,
            largest_constant: Some(256),
            lto_ir: true,
            settings: vec![(TrackedOption::Ftz, 0), (TrackedOption::MaxrregCount, 64)],
        };
        assert_eq!(
            options.to_string(),
            "opt-level=2 Ofast-compile=2 debug=1 largest-constant=256 lto-ir=1 ftz=0 \
             maxrregcount=64"
        );
        assert_eq!(options.to_string().parse::<PhaseOptions>()?, options);
        assert_eq!("".parse::<PhaseOptions>()?, PhaseOptions::default());
        for wrong in ["ftz", "ftz=x", "speed=1", "Ofast-compile=0", "Ofast-compile=4"] {
            assert!(wrong.parse::<PhaseOptions>().is_err(), "{wrong}");
        }
        Ok(())
    }
}
