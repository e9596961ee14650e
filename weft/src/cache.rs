//! The commands about the local cache.

use std::io;

use clap::{Args, Subcommand};
use weft_action::store::{Store, Verified};
use weft_cli::{Blame as _, CacheArguments, Fault, files};

/// Look after the local cache
#[derive(Args, Debug)]
pub(crate) struct CacheCommand {
    #[command(subcommand)]
    request: Request,
}

#[derive(Subcommand, Debug)]
enum Request {
    /// Print what the cache holds, and what came from it since the start or the last `--zero`
    Stats(StatsArguments),
    /// Drop the least recently used results until the cache is below its size
    Gc(CacheArguments),
    /// Read every result and drop those that are damaged
    Verify(CacheArguments),
    /// Drop all results
    Clear(CacheArguments),
}

#[derive(Args, Debug)]
struct StatsArguments {
    #[command(flatten)]
    cache: CacheArguments,
    /// Then count from zero
    #[arg(long)]
    zero: bool,
}

impl CacheCommand {
    /// Carries out the command and prints its result.
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let (cache, work): (_, Work) = match &self.request {
            Request::Stats(StatsArguments { cache, zero: false }) => (cache, stats),
            Request::Stats(StatsArguments { cache, zero: true }) => (cache, stats_and_forget),
            Request::Gc(cache) => (cache, collect),
            Request::Verify(cache) => (cache, verify),
            Request::Clear(cache) => (cache, clear),
        };
        let store = cache.store()?;
        let folder = store.folder().display();
        let text = work(&store).blame(Fault::Environment, || format!("the cache in {folder}"))?;
        files::print(format!("{text}\n").as_bytes())
    }
}

/// An operation on a cache. It returns a text that describes the result.
type Work = fn(&Store) -> io::Result<String>;

fn stats(store: &Store) -> io::Result<String> {
    let census = store.census()?;
    let (folder, limit) = (store.folder().display(), store.limit());
    let head = format!("{folder}: {} results, {} of {limit}", census.entries, census.bytes);
    let totals = store.totals()?;
    Ok(if totals.is_empty() { head } else { format!("{head}\n{totals}") })
}

fn stats_and_forget(store: &Store) -> io::Result<String> {
    let text = stats(store)?;
    store.forget_totals()?;
    Ok(text)
}

fn collect(store: &Store) -> io::Result<String> {
    let dropped = store.make_room()?;
    let census = store.census()?;
    Ok(format!("dropped {dropped}, {} results are left, {}", census.entries, census.bytes))
}

fn verify(store: &Store) -> io::Result<String> {
    let verified = store.verify(weft_job::check_claim)?;
    let Verified { sound, damaged, left } = verified;
    let others = match left {
        0 => String::new(),
        left => format!(", {left} of other users are not sound or not readable, and stay"),
    };
    Ok(format!("{sound} results are sound, {damaged} were damaged and dropped{others}"))
}

fn clear(store: &Store) -> io::Result<String> {
    Ok(format!("dropped {}", store.clear()?))
}
