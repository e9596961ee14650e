//! Tables of aligned columns.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::Writer;
use crate::names::Form;

/// Number of blanks between columns.
const GAP: usize = 2;
/// Minimum number of characters of a name in a table.
const LEAST: usize = 18;

/// A column of a table.
pub(super) struct Column {
    head: &'static str,
    kind: Kind,
    /// Rank among the columns that can be left out: the highest goes first, and 0 never.
    spare: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Numbers, which are right-aligned.
    Number,
    /// Short words.
    Word,
    /// Names, which are cut where the table is too wide.
    Name,
}

impl Column {
    pub(super) fn number(head: &'static str) -> Self {
        Self { head, kind: Kind::Number, spare: 0 }
    }

    pub(super) fn word(head: &'static str) -> Self {
        Self { head, kind: Kind::Word, spare: 0 }
    }

    pub(super) fn name(head: &'static str) -> Self {
        Self { head, kind: Kind::Name, spare: 0 }
    }

    /// Returns the column as one that is left out where the table is too wide, the sooner the
    /// higher its rank.
    pub(super) fn spare(self, rank: u8) -> Self {
        Self { spare: rank, ..self }
    }
}

/// A row of a table, and lines below it that say more.
pub(super) struct Row {
    pub(super) cells: Vec<String>,
    pub(super) below: String,
}

impl Writer<'_> {
    /// Returns the lines of a table. Columns without any content are left out, and where the width
    /// leaves too little room for names, columns that can be spared are, too.
    pub(super) fn table(&self, columns: &[Column], rows: &[Row]) -> String {
        fn cell(row: &Row, at: usize) -> &str {
            row.cells.get(at).map_or("", String::as_str)
        }
        let mut shown: Vec<usize> = (0..columns.len())
            .filter(|at| rows.iter().any(|row| !cell(row, *at).is_empty()))
            .collect();
        let natural = |at: &usize| {
            let cells = rows.iter().map(|row| cell(row, *at).chars().count());
            cells.max().unwrap_or(0).max(columns[*at].head.len())
        };
        let room = if self.form == Form::Mangled { usize::MAX } else { self.width };
        // The first column of names is the one that the table is about.
        let first = shown.iter().copied().find(|at| columns[*at].kind == Kind::Name);
        let least = |at: &usize| match columns[*at].kind {
            Kind::Name if Some(*at) == first => natural(at).min(LEAST.max(self.width / 4)),
            Kind::Name => natural(at).min(LEAST),
            Kind::Number | Kind::Word => natural(at),
        };
        while shown.iter().map(|at| least(at) + GAP).sum::<usize>() > room.saturating_add(GAP) {
            let spare = shown.iter().copied().filter(|at| columns[*at].spare > 0);
            let Some(spare) = spare.max_by_key(|at| columns[*at].spare) else { break };
            shown.retain(|at| *at != spare);
        }
        let mut widths: Vec<usize> = shown.iter().map(natural).collect();
        let is_name = |at: usize| columns[shown[at]].kind == Kind::Name;
        // The longest names give way first.
        let gaps = GAP * shown.len().saturating_sub(1);
        let mut excess = (widths.iter().sum::<usize>() + gaps).saturating_sub(room);
        while excess > 0 {
            let names = (0..widths.len()).filter(|at| is_name(*at) && widths[*at] > LEAST);
            let weight = |at: usize| if Some(shown[at]) == first { 1 } else { 2 };
            let Some(widest) = names.max_by_key(|at| widths[*at] * weight(*at)) else { break };
            widths[widest] -= 1;
            excess -= 1;
        }
        let line = |cells: &[&str]| {
            let mut line = String::new();
            for (at, (column, width)) in shown.iter().zip(&widths).enumerate() {
                let text = cells[*column];
                let text = if is_name(at) { self.cut(text, *width) } else { Cow::Borrowed(text) };
                let gap = if at == 0 { 0 } else { GAP };
                line.push_str(&" ".repeat(gap));
                // Writing to a String cannot fail.
                let _ = match columns[*column].kind {
                    Kind::Number => write!(line, "{text:>width$}"),
                    Kind::Word | Kind::Name => write!(line, "{text:<width$}"),
                };
            }
            line.trim_end().to_owned() + "\n"
        };
        let heads: Vec<_> = columns.iter().map(|column| column.head).collect();
        let mut text = line(&heads);
        for row in rows {
            let cells: Vec<_> = (0..columns.len()).map(|at| cell(row, at)).collect();
            text.push_str(&line(&cells));
            text.push_str(&row.below);
        }
        text
    }
}
