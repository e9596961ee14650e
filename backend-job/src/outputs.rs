//! Output names that represent several files, and the division of a module into partitions.
//!
//! In a name, `{part}` is the number of a partition, from 0, and `{arch}` the architecture of a
//! plan. A module is split only if its outputs' names allow it, since ptxas makes one cubin of one
//! PTX: two cannot be merged without a linker, and backend-job starts none.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use weft_cli::{Fault, failure};
use weft_device_ir::Partitions;

const PART: &str = "{part}";
const ARCHITECTURE: &str = "{arch}";

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Partitions")]
pub(crate) struct SplitChoices {
    /// Split the module into so many partitions, which are compiled in parallel
    ///
    /// The names of outputs hold `{part}` for the partition's number, from 0. [default: one for
    /// each 20,000 instructions where the output's name holds `{part}`, and else the whole module]
    #[arg(long, value_name = "N", value_parser = weft_cli::numbers::count)]
    split: Option<NonZeroUsize>,
    /// Also write the names of the outputs, one in a line
    #[arg(long, value_name = "FILE")]
    pub(crate) list: Option<PathBuf>,
    /// Threads to use without make's jobserver, at most four for each processor [default: one for
    /// each processor]
    #[arg(long, value_name = "N", value_parser = weft_cli::numbers::some_threads)]
    pub(crate) threads: Option<NonZeroUsize>,
}

impl SplitChoices {
    /// Returns the partitions of a module with the output `output`; `None` if it is not split.
    pub(crate) fn partitions(&self, output: &Path) -> anyhow::Result<Option<Partitions>> {
        match (self.split, holds(output, PART)) {
            (Some(count), true) => Ok(Some(Partitions::Exactly(count.get()))),
            (None, true) => Ok(Some(Partitions::Automatic)),
            (Some(count), false) if count.get() > 1 => {
                let message = format!(
                    "--split {count} makes several files: put {PART} into the name '{}'",
                    output.display()
                );
                Err(failure(Fault::Usage, message))
            }
            (_, false) => Ok(None),
        }
    }
}

/// Returns the name of the file of partition `part`.
pub(crate) fn of_part(pattern: &Path, part: usize) -> PathBuf {
    replaced(pattern, PART, &part.to_string())
}

/// Returns the name of the file of an architecture.
pub(crate) fn of_architecture(pattern: &Path, architecture: &str) -> PathBuf {
    replaced(pattern, ARCHITECTURE, architecture)
}

/// Whether the name differs between architectures.
pub(crate) fn names_architecture(pattern: &Path) -> bool {
    holds(pattern, ARCHITECTURE)
}

/// Whether the name differs between partitions.
pub(crate) fn names_part(pattern: &Path) -> bool {
    holds(pattern, PART)
}

fn holds(path: &Path, what: &str) -> bool {
    path.to_str().is_some_and(|text| text.contains(what))
}

/// Replaces a placeholder. A name that is not text has none.
fn replaced(path: &Path, what: &str, by: &str) -> PathBuf {
    path.to_str().map_or_else(|| path.to_owned(), |text| text.replace(what, by).into())
}
