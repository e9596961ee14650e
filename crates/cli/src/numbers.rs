//! Numbers on the command line, whose errors say what is accepted.

use std::num::NonZeroUsize;

use clap::Command;

/// Maximum number of threads per processor. More than one hides the latency of network file
/// systems; many more only cost memory and time.
const MOST_PER_PROCESSOR: usize = 4;

/// Reads a number of threads, where 0 means one per processor. The result does not exceed the
/// number that this machine can use.
pub fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().map_err(|_| "expected a number from 0 on".to_owned())?;
    Ok(most_threads().min(threads))
}

/// Reads a number of threads, limited to the number that this machine can use.
pub fn some_threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = count(text)?;
    Ok(NonZeroUsize::new(most_threads()).map_or(threads, |most| most.min(threads)))
}

/// Reads a number of things, of which there is at least one.
pub fn count(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a number from 1 on".to_owned())
}

fn most_threads() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    processors.saturating_mul(MOST_PER_PROCESSOR)
}

/// Lets every option take a value such as `-1`, so that the option's own error tells what it
/// accepts. Without this, the value would be taken for an option that does not exist.
pub(crate) fn take_negative_numbers(command: Command) -> Command {
    let takes_value =
        |argument: &clap::Arg| !argument.is_positional() && argument.get_action().takes_values();
    command
        .mut_args(|argument| {
            if takes_value(&argument) { argument.allow_negative_numbers(true) } else { argument }
        })
        .mut_subcommands(take_negative_numbers)
}

#[cfg(test)]
mod tests {
    use clap::{Arg, value_parser};

    use super::*;

    /// Returns the message about a command line, or nothing if it is right.
    fn error(arguments: &[&str]) -> String {
        let threads = Arg::new("threads").long("threads").value_parser(some_threads);
        let size = Arg::new("size").long("size").value_parser(value_parser!(u32));
        let work = Command::new("work").arg(size).arg(Arg::new("file"));
        let program = Command::new("program").arg(threads).subcommand(work);
        let arguments = std::iter::once(&"program").chain(arguments);
        let matches = take_negative_numbers(program).try_get_matches_from(arguments);
        matches.err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn negative_numbers_are_told_what_is_accepted() {
        assert!(error(&["--threads", "-1"]).contains("'-1'"));
        assert!(error(&["--threads", "-1"]).contains("expected a number from 1 on"));
        assert!(error(&["--threads=x"]).contains("expected a number from 1 on"));
        assert!(error(&["work", "--size", "-1"]).contains("-1 is not in 0..=4294967295"));
        assert!(error(&["work", "-1"]).contains("unexpected argument"));
        assert_eq!(error(&["work", "--size", "1", "file"]), "");
    }

    #[test]
    fn threads_are_as_many_as_processors_have_use_for() {
        let most = most_threads();
        assert_eq!(threads("20000"), Ok(most));
        assert_eq!((threads("0"), threads("1")), (Ok(0), Ok(1)));
        assert_eq!(some_threads("20000").map(NonZeroUsize::get), Ok(most));
        assert!(some_threads("0").is_err());
    }
}
