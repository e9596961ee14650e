//! Answers questions about a link that was done, from its outputs.

mod plans;
mod query;
mod symbols;

pub(crate) use query::Query;

/// Returns the text of the answer.
pub(crate) fn answer(query: &Query) -> anyhow::Result<String> {
    match query.question() {
        Ok((question, about)) => symbols::answer(question, about),
        Err(query) => plans::answer(query),
    }
}
