//! Mutants, as cargo-mutants lists them.

use std::cmp::Ordering;

use serde::Deserialize;

/// A place in a source, from 1.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) line: usize,
    /// In characters.
    pub(crate) column: usize,
}

/// Kind of change, by the names that cargo-mutants gives.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Genre {
    /// The function does nothing but return a value.
    FnValue,
    /// Another operator stands between two operands.
    BinaryOperator,
    /// An operator before an operand is missing.
    UnaryOperator,
    /// An arm is missing, and a wildcard takes its place.
    MatchArm,
    /// The condition of an arm always holds, or never.
    MatchArmGuard,
    /// A field has the value of the struct's base.
    StructField,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Span {
    pub(crate) start: Place,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Function {
    pub(crate) return_type: String,
}

/// One change of one place.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Mutant {
    /// Names the place and the change.
    pub(crate) name: String,
    pub(crate) package: String,
    /// Source, relative to the root of the workspace.
    pub(crate) file: String,
    pub(crate) genre: Genre,
    pub(crate) span: Span,
    /// Text that takes the place of the span.
    pub(crate) replacement: String,
    pub(crate) function: Option<Function>,
}

/// The end of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// A test fails, or does not end.
    Caught,
    /// All tests that reach the place pass.
    Missed,
    /// No test reaches the place.
    Unreached,
    /// The compiler refuses the change.
    Unviable,
    /// A switch cannot stand at that place, such as in a constant, so that the change needs a build
    /// of its own.
    Unswitchable,
}

/// All fates.
const FATES: [Fate; 5] =
    [Fate::Caught, Fate::Missed, Fate::Unreached, Fate::Unviable, Fate::Unswitchable];

impl Fate {
    /// The fate with this word.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        FATES.into_iter().find(|fate| fate.word() == word)
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::Missed => "missed",
            Self::Unreached => "unreached",
            Self::Unviable => "unviable",
            Self::Unswitchable => "unswitchable",
        }
    }
}

impl Mutant {
    /// Reads the list.
    pub(crate) fn read(list: &[u8]) -> serde_json::Result<Vec<Self>> {
        serde_json::from_slice(list)
    }

    /// Whether a failure to compile may come from the switch instead of the change: the type of
    /// what the function returns, or of the struct, is not written where the switch needs it.
    pub(crate) fn may_fail_by_switch(&self) -> bool {
        let returns = self.function.as_ref().map(|function| function.return_type.as_str());
        self.genre == Genre::StructField
            || self.genre == Genre::FnValue && returns.is_some_and(|kind| kind.contains("impl "))
    }

    /// Orders mutants by file and place.
    pub(crate) fn by_place(one: &Self, other: &Self) -> Ordering {
        let key = |mutant: &Self| (mutant.genre, mutant.span.start);
        one.file.cmp(&other.file).then_with(|| key(one).cmp(&key(other)))
    }
}
