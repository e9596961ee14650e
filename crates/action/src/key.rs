//! The fields that an action's result depends on, and the key made of them.
//!
//! The fields are stored with each result: a miss is explained by comparing them with the fields of
//! an earlier run, and `cache verify` recomputes the key from them. A path of the machine, a time
//! and the environment are in no field, so they cannot be in a key.

use std::collections::BTreeMap;
use std::fmt;

use weft_artifact::Digest;
use wincode::{SchemaRead, SchemaWrite};

use crate::action::Action;

/// Digest of an action's fields, which names its result in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(pub Digest);

/// One fact that a result depends on.
#[derive(Clone, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct Field {
    /// Kind of the fact.
    pub kind: FieldKind,
    /// Name of the file in the action's folder; empty for arguments.
    pub name: String,
    /// The argument itself, or the digest of the file's content in hexadecimal.
    pub value: String,
}

/// The kinds of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, SchemaRead, SchemaWrite)]
pub enum FieldKind {
    /// The phase.
    Phase,
    /// The program, or a tool that the program needs.
    Program,
    /// An argument; the order counts.
    Argument,
    /// A file that is read.
    Input,
    /// A file that is written.
    Output,
}

impl FieldKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Phase => "phase",
            Self::Program => "program",
            Self::Argument => "argument",
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

/// Returns the fields of `action`. `tools` are the digests of its program and its tools, in order.
pub fn fields(action: &Action<'_>, tools: &[Digest]) -> Vec<Field> {
    let field = |kind, name: &str, value: &str| Field {
        kind,
        name: name.to_owned(),
        value: value.to_owned(),
    };
    let mut fields = vec![field(FieldKind::Phase, "", action.phase.name())];
    let programs = std::iter::once(&action.program).chain(&action.tools);
    for (tool, digest) in programs.zip(tools) {
        fields.push(field(FieldKind::Program, &tool.name, &digest.to_hex()));
    }
    fields.extend(action.arguments.iter().map(|argument| field(FieldKind::Argument, "", argument)));
    for input in &action.inputs {
        let digest = weft_artifact::digest(input.content);
        fields.push(field(FieldKind::Input, &input.name, &digest.to_hex()));
    }
    fields.extend(action.outputs.iter().map(|output| field(FieldKind::Output, output, "")));
    fields
}

/// Returns the key of `fields`. The key covers the lengths, so that no two lists give the same
/// bytes.
pub fn key(fields: &[Field]) -> Key {
    let mut hasher = blake3::Hasher::new_derive_key("Weft: key of an action, version 1");
    for field in fields {
        for text in [field.kind.name(), &field.name, &field.value] {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
    }
    Key(hasher.finalize())
}

/// One difference between two actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Kind of the fields.
    pub kind: FieldKind,
    /// Name of the file or option.
    pub name: String,
    /// Value in the earlier action; `None` if the field was absent.
    pub before: Option<String>,
    /// Value in this action; `None` if the field is absent.
    pub now: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.kind == FieldKind::Argument { "option" } else { self.kind.name() };
        let short = |value: &String| match self.kind {
            FieldKind::Program | FieldKind::Input => value.chars().take(12).collect(),
            _ if value.is_empty() => "given".to_owned(),
            _ => value.clone(),
        };
        let absent = || "not given".to_owned();
        let before = self.before.as_ref().map_or_else(absent, short);
        let now = self.now.as_ref().map_or_else(absent, short);
        write!(formatter, "{kind} {} (was {before}, is {now})", self.name)
    }
}

/// Returns the differences between the fields of an action and those of an earlier one.
pub fn differences(before: &[Field], now: &[Field]) -> Vec<Difference> {
    let mut counts: BTreeMap<(FieldKind, String, String), isize> = BTreeMap::new();
    for (fields, step) in [(before, 1), (now, -1)] {
        for field in fields {
            *counts.entry(named(field)).or_default() += step;
        }
    }
    let mut differences: Vec<Difference> = Vec::new();
    for ((kind, name, value), count) in counts {
        // The same name with another value is its neighbor in the map, with a count of another
        // sign.
        let same = |known: &&mut Difference| known.kind == kind;
        let value = (count != 0).then_some(value);
        match differences.iter_mut().rev().take_while(|known| known.name == name).find(same) {
            _ if count == 0 => {}
            Some(known) if count > 0 && known.before.is_none() => known.before = value,
            Some(known) if count < 0 && known.now.is_none() => known.now = value,
            _ if count > 0 => differences.push(Difference { kind, name, before: value, now: None }),
            _ => differences.push(Difference { kind, name, before: None, now: value }),
        }
    }
    if differences.is_empty() && before != now {
        let (kind, name) = (FieldKind::Argument, "order".to_owned());
        let (before, now) = (Some("another".to_owned()), Some("this".to_owned()));
        differences.push(Difference { kind, name, before, now });
    }
    differences
}

/// Returns kind, name and value of a field. An argument `--name=value` is divided at the sign.
fn named(field: &Field) -> (FieldKind, String, String) {
    if field.kind != FieldKind::Argument {
        return (field.kind, field.name.clone(), field.value.clone());
    }
    let text = &field.value;
    let is_short = text.starts_with('-') && !text.starts_with("--") && text.len() > 2;
    let (name, value) = match text.split_once('=') {
        Some(parts) => parts,
        None if is_short && text.is_char_boundary(2) => text.split_at(2),
        None => (text.as_str(), ""),
    };
    (field.kind, name.to_owned(), value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Input, Phase};
    use crate::tool::Tool;

    fn action(arguments: &[&str]) -> Action<'static> {
        Action {
            phase: Phase::Codegen,
            subject: "a".to_owned(),
            program: Tool { name: "tool".to_owned(), path: "/somewhere".into() },
            arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
            tools: Vec::new(),
            inputs: vec![Input::new("in", b"content")],
            outputs: vec!["out".to_owned()],
            time_limit: None,
            check: |_| Ok(()),
        }
    }

    fn key_of(action: &Action<'_>, tool: &[u8]) -> Key {
        key(&fields(action, &[weft_artifact::digest(tool)]))
    }

    #[test]
    fn everything_that_matters_changes_the_key_and_nothing_else_does() {
        let plain = action(&["-O3"]);
        let before = key_of(&plain, b"tool");
        let elsewhere = Action {
            subject: "b".to_owned(),
            program: Tool { name: "tool".to_owned(), path: "/elsewhere".into() },
            ..plain.clone()
        };
        assert_eq!(key_of(&elsewhere, b"tool"), before);
        assert_ne!(key_of(&plain, b"another tool"), before);
        let others = [
            Action { phase: Phase::Assemble, ..plain.clone() },
            action(&["-O2"]),
            action(&["-O3", ""]),
            action(&["-O", "3"]),
            Action { inputs: vec![Input::new("in", b"another")], ..plain.clone() },
            Action { inputs: vec![Input::new("input", b"content")], ..plain.clone() },
            Action { inputs: vec![], ..plain.clone() },
            Action { outputs: vec!["other".to_owned()], ..plain.clone() },
            Action { outputs: vec!["out".to_owned(), "more".to_owned()], ..plain },
        ];
        let mut keys: Vec<_> =
            others.iter().map(|action| key_of(action, b"tool").0.to_hex()).collect();
        keys.push(before.0.to_hex());
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), others.len() + 1);
    }

    #[test]
    fn differences_are_named_with_both_values() {
        let tool = [weft_artifact::digest(b"tool")];
        let explain = |before: &[&str], now: &[&str]| {
            let [before, now] = [before, now].map(|arguments| fields(&action(arguments), &tool));
            let found = differences(&before, &now);
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(explain(&["-O3"], &["-O3"]), [""; 0]);
        assert_eq!(explain(&["--n=1", "-O3"], &["--n=2", "-O3"]), ["option --n (was 1, is 2)"]);
        assert_eq!(explain(&["-O3"], &["-O2"]), ["option -O (was 3, is 2)"]);
        assert_eq!(explain(&["-x"], &["-x", "-y"]), ["option -y (was not given, is given)"]);
        assert_eq!(explain(&["-x", "-y"], &["-x"]), ["option -y (was given, is not given)"]);
        assert_eq!(explain(&["-x", "-y"], &["-y", "-x"]), ["option order (was another, is this)"]);
        // A value more than once, and two values of one name.
        assert_eq!(explain(&["-x", "-x"], &["-x"]), ["option -x (was given, is not given)"]);
        assert_eq!(
            explain(&["-Ia", "-Ib"], &["-Ic"]),
            ["option -I (was a, is not given)", "option -I (was b, is c)"]
        );
        assert_eq!(
            explain(&["-Ic"], &["-Ia", "-Ib"]),
            ["option -I (was not given, is a)", "option -I (was c, is b)"]
        );
        assert_eq!(
            explain(&["-Ia", "-Ib"], &[]),
            ["option -I (was a, is not given)", "option -I (was b, is not given)"]
        );
        assert_eq!(
            explain(&["file", "--fast"], &[]),
            ["option --fast (was given, is not given)", "option file (was given, is not given)"]
        );
        assert_eq!(explain(&[], &["-\u{e9}"]), ["option -\u{e9} (was not given, is given)"]);
        assert_eq!(
            explain(&["-"], &["--"]),
            ["option - (was given, is not given)", "option -- (was not given, is given)"]
        );
        let changed = Action { inputs: vec![Input::new("in", b"x")], ..action(&[]) };
        let found = differences(&fields(&action(&[]), &tool), &fields(&changed, &tool));
        assert_eq!(
            (found.len(), found[0].kind, found[0].name.as_str()),
            (1, FieldKind::Input, "in")
        );
        // The first 12 digits tell contents apart.
        let [before, now] = [&b"content"[..], b"x"].map(|content| blake3::hash(content).to_hex());
        let expected = format!("input in (was {}, is {})", &before[..12], &now[..12]);
        assert_eq!(found[0].to_string(), expected);
    }
}
