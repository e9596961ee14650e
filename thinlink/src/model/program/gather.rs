//! The code of all modules as one, in the order of modules.

use std::mem::take;
use std::ops::Range;

use rayon::prelude::*;

use super::code::{Code, Content, DynamicShared, Kind, PackedSymbol, RareFacts, Table, position};
use crate::model::error::LinkError;
use crate::model::ids::{NodeId, NodeRange};

/// Extents of a module's code in the arrays of a part.
struct Extents {
    part: usize,
    symbols: Range<usize>,
    names: Range<usize>,
    calls: Range<usize>,
    references: Range<usize>,
}

impl Code {
    /// Joins the code of modules that lie somewhere in `parts`, in the order of `modules`, which
    /// say the part and the symbols in it. It joins one array after the other, so little is in
    /// memory twice at a time.
    pub(crate) fn gather(
        mut parts: Vec<Self>,
        modules: &[(usize, Range<usize>)],
    ) -> Result<Self, LinkError> {
        // A module without symbols adds nothing, wherever it is.
        let places: Vec<Extents> = modules
            .iter()
            .filter(|(_, symbols)| !symbols.is_empty())
            .map(|(part, symbols)| parts[*part].extents(*part, symbols.clone()))
            .collect();
        too_much(&places)?;
        let (mut code, places) = Self::first_part(&mut parts, &places);
        code.symbols.reserve_exact(total(places, |extents| extents.symbols.len()));
        for (place, part) in places.iter().map(|place| (place, &parts[place.part])) {
            let first = code.symbols.len();
            let at = |symbol: u32| moved(symbol, place.symbols.start, first);
            let (calls, references) = code
                .symbols
                .last()
                .map_or((0, 0), |last| (last.calls_end as usize, last.references_end as usize));
            code.symbols.extend(part.symbols[place.symbols.clone()].iter().map(|symbol| {
                let is_alias = symbol.kind == Kind::Alias;
                PackedSymbol {
                    calls_end: moved(symbol.calls_end, place.calls.start, calls),
                    references_end: moved(
                        symbol.references_end,
                        place.references.start,
                        references,
                    ),
                    body: if is_alias { at(symbol.body) } else { symbol.body },
                    ..*symbol
                }
            }));
            let rare_facts = within(&part.rare_facts, &place.symbols, |facts| facts.symbol).iter();
            code.rare_facts.extend(
                rare_facts.map(|facts| RareFacts { symbol: at(facts.symbol), ..facts.clone() }),
            );
            let tables = within(&part.tables, &place.symbols, |table| table.symbol).iter();
            code.tables
                .extend(tables.map(|table| Table { symbol: at(table.symbol), ..table.clone() }));
            let arrays = within(&part.dynamic_shared, &place.symbols, |array| array.symbol).iter();
            code.dynamic_shared
                .extend(arrays.map(|array| DynamicShared { symbol: at(array.symbol), ..*array }));
            let contents = within(&part.contents, &place.symbols, |content| content.symbol).iter();
            code.contents
                .extend(contents.map(|content| Content { symbol: at(content.symbol), ..*content }));
        }
        for part in &mut parts {
            drop(take(&mut part.symbols));
        }
        code.prototypes.reserve_exact(total(places, |extents| extents.symbols.len()));
        for place in places {
            let prototypes = &parts[place.part].prototypes[place.symbols.clone()];
            code.prototypes.extend_from_slice(prototypes);
        }
        for part in &mut parts {
            drop(take(&mut part.prototypes));
        }
        code.calls.reserve_exact(total(places, |extents| extents.calls.len()));
        for place in places {
            code.calls.extend_from_slice(&parts[place.part].calls[place.calls.clone()]);
        }
        for part in &mut parts {
            drop(take(&mut part.calls));
        }
        code.references.reserve_exact(total(places, |extents| extents.references.len()));
        for place in places {
            let references = &parts[place.part].references[place.references.clone()];
            code.references.extend_from_slice(references);
        }
        for part in &mut parts {
            drop(take(&mut part.references));
        }
        code.name_ends.reserve_exact(total(places, |extents| extents.symbols.len()));
        code.names.reserve_exact(total(places, |extents| extents.names.len()));
        for (place, part) in places.iter().map(|place| (place, &parts[place.part])) {
            let start = code.names.len();
            code.names.push_str(&part.names[place.names.clone()]);
            let ends = part.name_ends[place.symbols.clone()].iter();
            code.name_ends.extend(ends.map(|&end| moved(end, place.names.start, start)));
        }
        Ok(code)
    }

    /// Returns the part that the others are joined to, and the modules that are left to join. Files
    /// are mostly read in the order of modules, and then the first modules are one part, which can
    /// stay where it is.
    fn first_part<'p>(parts: &mut [Self], places: &'p [Extents]) -> (Self, &'p [Extents]) {
        let mut end = 0;
        let mut follows = |place: &&Extents| {
            let follows = place.part == places[0].part && place.symbols.start == end;
            end = place.symbols.end;
            follows
        };
        let count = places.iter().take_while(&mut follows).count();
        let (first, others) = places.split_at(count);
        match first.last() {
            Some(last) if last.symbols.end == parts[last.part].len() => {
                (take(&mut parts[last.part]), others)
            }
            _ => (Self::default(), places),
        }
    }

    fn extents(&self, part: usize, symbols: Range<usize>) -> Extents {
        let list = |end: &dyn Fn(usize) -> u32| {
            let at = |position: usize| position.checked_sub(1).map_or(0, |last| end(last) as usize);
            at(symbols.start)..at(symbols.end)
        };
        Extents {
            part,
            names: list(&|symbol| self.name_ends[symbol]),
            calls: list(&|symbol| self.symbols[symbol].calls_end),
            references: list(&|symbol| self.symbols[symbol].references_end),
            symbols,
        }
    }

    /// Lets every call and reference name the node that `bound` returns for the node of the symbol
    /// that its own module names. `starts` are the first nodes of the modules, and the end of the
    /// last one.
    pub(crate) fn bind(&mut self, starts: &[u32], bound: impl Fn(NodeId) -> NodeId + Sync) {
        let (mut calls, mut references) = (&mut self.calls[..], &mut self.references[..]);
        let (mut calls_start, mut references_start) = (0, 0);
        let mut modules = Vec::with_capacity(starts.len());
        for [start, end] in starts.array_windows() {
            let nodes = NodeRange::new(*start, *end);
            let Some(last) = self.symbols[*start as usize..*end as usize].last() else { continue };
            let (own, more) = calls.split_at_mut(last.calls_end as usize - calls_start);
            let (named, rest) =
                references.split_at_mut(last.references_end as usize - references_start);
            (calls_start, references_start) =
                (last.calls_end as usize, last.references_end as usize);
            (calls, references) = (more, rest);
            modules.push((nodes, own, named));
        }
        modules.into_par_iter().with_min_len(16).for_each(|(nodes, calls, references)| {
            for call in calls {
                call.bind(bound(nodes.at(call.callee().number())));
            }
            for reference in references {
                *reference = bound(nodes.at(reference.number()));
            }
        });
    }

    /// Forgets the prototypes of all symbols.
    pub(crate) fn forget_prototypes(&mut self) {
        self.prototypes = Vec::new();
    }

    /// Forgets the names of all symbols for which `keeps` does not hold.
    pub(crate) fn keep_names(&mut self, keeps: impl Fn(NodeId) -> bool) {
        let mut names = String::new();
        let mut start = 0;
        let length = (0..).map(NodeId::new).zip(&self.name_ends).map(|(node, &end)| {
            let length = end - std::mem::replace(&mut start, end);
            if keeps(node) { length as usize } else { 0 }
        });
        names.reserve_exact(length.sum());
        start = 0;
        for (node, end) in (0..).map(NodeId::new).zip(&mut self.name_ends) {
            let name = start as usize..*end as usize;
            start = *end;
            if keeps(node) {
                names.push_str(&self.names[name]);
            }
            *end = position(names.len());
        }
        self.names = names;
    }
}

/// Returns the number of items of one kind in all modules.
fn total(places: &[Extents], count: fn(&Extents) -> usize) -> usize {
    places.iter().map(count).sum()
}

/// Refuses more items than positions of 32 bits can tell apart.
fn too_much(places: &[Extents]) -> Result<(), LinkError> {
    for (what, count) in [
        ("symbols", total(places, |extents| extents.symbols.len())),
        ("bytes of names", total(places, |extents| extents.names.len())),
        ("calls", total(places, |extents| extents.calls.len())),
        ("references", total(places, |extents| extents.references.len())),
    ] {
        if u32::try_from(count).is_err() {
            return Err(LinkError::TooMuch { what, count });
        }
    }
    Ok(())
}

/// Returns the items of a sorted list that are about `symbols`.
fn within<'a, T>(list: &'a [T], symbols: &Range<usize>, symbol: impl Fn(&T) -> u32) -> &'a [T] {
    let before = |end: usize| list.partition_point(|item| (symbol(item) as usize) < end);
    &list[before(symbols.start)..before(symbols.end)]
}

/// Moves a position from an array that starts at `from` to one that starts at `to`.
fn moved(at: u32, from: usize, to: usize) -> u32 {
    position(at as usize - from + to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many modules take more memory than a test may use, so only their sizes exist.
    #[test]
    fn more_than_positions_can_tell_apart_is_refused() {
        let most = usize::try_from(u32::MAX).unwrap();
        let extents = |symbols: usize, calls: usize| Extents {
            part: 0,
            symbols: 0..symbols,
            names: 0..0,
            calls: 0..calls,
            references: 0..0,
        };
        assert_eq!(too_much(&[extents(most, most)]), Ok(()));
        let message = |places: &[Extents]| too_much(places).unwrap_err().to_string();
        assert_eq!(
            message(&[extents(most, 0), extents(1, 0)]),
            "all modules together have 4294967296 symbols, and 4294967295 are the most"
        );
        let calls = message(&[extents(1, most), extents(1, 2)]);
        assert!(calls.starts_with("all modules together have 4294967297 calls"), "{calls}");
    }
}
