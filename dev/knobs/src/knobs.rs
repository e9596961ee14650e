//! Options together with their rows.

use std::slice::from_ref;

use crate::definitions::Definition;
use crate::table::{Row, Table};

/// An option with its row. Commands that share the definition are one knob.
#[derive(Clone, Debug)]
pub struct Knob<'data> {
    /// The row.
    pub row: &'data Row,
    /// The option's definitions, at least one. They have the same default and help text.
    pub definitions: Vec<&'data Definition>,
}

impl Knob<'_> {
    /// Returns the option's default.
    pub fn default(&self) -> &str {
        self.definitions.first().map_or("", |definition| definition.default.as_str())
    }

    /// Returns the option's help text.
    pub fn help(&self) -> &str {
        self.definitions.first().map_or("", |definition| definition.help.as_str())
    }

    /// Returns whether the option's default is another one than that of its source.
    pub fn differs(&self) -> bool {
        let source = self.row.source.as_ref();
        source.is_some_and(|source| plain(&source.default) != plain(self.default()))
    }
}

/// Joins options and rows. An option without a row, a row without an option and a row that says
/// too little are faults.
pub fn knobs<'data>(
    definitions: &'data [Definition],
    table: &'data Table,
) -> (Vec<Knob<'data>>, Vec<String>) {
    let mut faults = Vec::new();
    let mut knobs: Vec<Knob<'_>> =
        table.rows.iter().map(|row| Knob { row, definitions: Vec::new() }).collect();
    for definition in definitions {
        let best = |rank| {
            let is_it =
                |row: &&Row| row.name == definition.name && rank_of(row, definition) == rank;
            table.rows.iter().filter(is_it).count()
        };
        let command = command(definition);
        let Some(rank) = (1..=3).rev().find(|rank| best(*rank) > 0) else {
            faults.push(format!("{command} {}: no row in dev/knobs/table", definition.name));
            continue;
        };
        if best(rank) > 1 {
            faults.push(format!("{command} {}: several rows", definition.name));
        }
        let knob = knobs
            .iter_mut()
            .find(|knob| knob.row.name == definition.name && rank_of(knob.row, definition) == rank);
        if let Some(knob) = knob {
            knob.definitions.push(definition);
        }
    }
    faults.extend(knobs.iter().flat_map(faults_of));
    (knobs, faults)
}

/// Returns how exactly a row names an option's command: 3 by subcommand, 2 by program, 1 as one of
/// all; 0 if it does not.
fn rank_of(row: &Row, definition: &Definition) -> u8 {
    if row.program == "all" {
        1
    } else if row.program != definition.program {
        0
    } else if row.subcommands.is_empty() {
        2
    } else if row.subcommands.contains(&definition.subcommand) {
        3
    } else {
        0
    }
}

fn faults_of(knob: &Knob<'_>) -> Vec<String> {
    let Knob { row, definitions } = knob;
    let head =
        [from_ref(&row.program), &row.subcommands[..], from_ref(&row.name)].concat().join(" ");
    let mut faults = Vec::new();
    let mut fault = |reason: &str| faults.push(format!("{head}: {reason}"));
    let Some(first) = definitions.first() else {
        return vec![format!("{head}: no program has this option")];
    };
    let is_other =
        |other: &&&Definition| (&other.default, &other.help) != (&first.default, &first.help);
    if let Some(other) = definitions.iter().find(is_other) {
        fault(&format!(
            "{} and {} define it differently: split the row",
            command(first),
            command(other)
        ));
    }
    for subcommand in &row.subcommands {
        if !definitions.iter().any(|definition| definition.subcommand == *subcommand) {
            fault(&format!("{subcommand} has no such option"));
        }
    }
    if row.acts.is_empty() {
        fault("the row does not say what it acts on");
    }
    match (knob.differs(), row.differs.is_empty()) {
        (true, true) => fault(&format!(
            "its default {:?} is not that of its source, and the row gives no reason",
            knob.default()
        )),
        (false, false) => fault("its default is that of its source, and the row says otherwise"),
        _ => {}
    }
    faults
}

/// Returns the words that start a command.
pub(crate) fn command(definition: &Definition) -> String {
    let Definition { program, subcommand, .. } = definition;
    format!("{program} {}", subcommand.replace('/', " ")).trim_end().to_owned()
}

/// Returns a default in one spelling. An option that is not given, off or 0 does nothing.
fn plain(default: &str) -> &str {
    let default = default.strip_suffix(".0").unwrap_or(default);
    match default {
        "" | "none" | "no limit" | "off" | "false" | "0" => "off",
        "on" | "true" => "on",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Proof, Source};

    fn definition(subcommand: &str, name: &str, default: &str) -> Definition {
        Definition {
            program: "p".to_owned(),
            subcommand: subcommand.to_owned(),
            name: name.to_owned(),
            default: default.to_owned(),
            help: "help".to_owned(),
            ..Definition::default()
        }
    }

    fn row(subcommands: &[&str], name: &str) -> Row {
        Row {
            program: "p".to_owned(),
            subcommands: subcommands.iter().map(|name| (*name).to_owned()).collect(),
            name: name.to_owned(),
            acts: "on all".to_owned(),
            proofs: vec![Proof::Scenario("s".to_owned())],
            ..Row::default()
        }
    }

    fn faults(definitions: &[Definition], rows: Vec<Row>) -> Vec<String> {
        knobs(definitions, &Table { rows }).1
    }

    #[test]
    fn every_option_needs_one_row_and_every_row_an_option() {
        let both = [definition("a", "-x", "1"), definition("b", "-x", "1")];
        assert!(faults(&both, vec![row(&[], "-x")]).is_empty());
        assert!(faults(&both, vec![row(&[], "-x"), row(&["b"], "-x")]).is_empty());
        assert_eq!(faults(&both, vec![row(&["a"], "-x")]), ["p b -x: no row in dev/knobs/table"]);
        assert_eq!(faults(&both, vec![row(&[], "-x"), row(&[], "-y")]).len(), 1);
        assert_eq!(faults(&both, vec![row(&[], "-x"), row(&[], "-x")]).len(), 3);
        assert_eq!(faults(&both, vec![row(&[], "-x"), row(&["c"], "-x")]).len(), 1);
        let unlike = [definition("a", "-x", "1"), definition("b", "-x", "2")];
        assert_eq!(
            faults(&unlike, vec![row(&[], "-x")]),
            ["p -x: p a and p b define it differently: split the row"]
        );
    }

    #[test]
    fn another_default_needs_a_reason_and_the_same_needs_none() {
        let with = |default: &str, differs: &str| Row {
            source: Some(Source {
                document: "001".to_owned(),
                name: "x".to_owned(),
                default: default.to_owned(),
            }),
            differs: differs.to_owned(),
            ..row(&[], "-x")
        };
        let one = [definition("", "-x", "1")];
        assert_eq!(faults(&one, vec![with("2", "")]).len(), 1);
        assert!(faults(&one, vec![with("2", "a reason")]).is_empty());
        assert!(faults(&one, vec![with("1.0", "")]).is_empty());
        assert_eq!(faults(&one, vec![with("1", "a reason")]).len(), 1);
        assert!(faults(&[definition("", "-x", "off")], vec![with("false", "")]).is_empty());
    }
}
