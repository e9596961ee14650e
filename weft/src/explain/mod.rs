//! Answers questions about a link that was done, from its outputs.

mod plans;
mod query;
mod symbols;

use weft_cli::files;

pub(crate) use query::Query;

/// Prints the answer.
pub(crate) fn explain(query: &Query) -> anyhow::Result<()> {
    let answer = match query.question() {
        Ok((question, about)) => symbols::answer(question, about),
        Err(query) => plans::answer(query),
    };
    files::print(answer?.as_bytes())
}
