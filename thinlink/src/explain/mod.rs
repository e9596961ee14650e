//! Answers questions about a link that was done, from its outputs.

mod closures;
mod imports;
mod plans;
mod query;
mod record;
mod symbols;

pub(crate) use query::Query;

/// Returns the text of the answer.
pub(crate) fn answer(query: &Query) -> anyhow::Result<String> {
    match query {
        Query::WhyLive(query) => symbols::why_live(query),
        Query::WhyDead(query) => symbols::why_dead(query),
        Query::WhyImported(query) => imports::why(query, true),
        Query::WhyNotImported(query) => imports::why(query, false),
        Query::WhyClosed(query) => closures::why(query, true),
        Query::WhyNotClosed(query) => closures::why(query, false),
        Query::Plan(query) => plans::answer(query),
    }
}
