//! Parser of the text of LLVM's module summary.

use std::collections::{BTreeMap, BTreeSet};

use weft_tests::Workbench;

use super::facts::{Facts, FunctionFacts};

/// Returns LLVM's facts about the bitcode `file` by name, without intrinsics.
pub(crate) fn summary(bench: &Workbench, file: &str) -> BTreeMap<String, Facts> {
    bench.llvm("opt").args(["-module-summary", file, "-o", "with-summary.bc"]).succeed();
    let text = bench.text_of("with-summary.bc");
    let values: Vec<_> = text.lines().filter_map(Value::parse).collect();
    let names = values.iter().map(|value| (value.number, value.name.to_owned()));
    let names: BTreeMap<_, _> = names.chain(text.lines().filter_map(undeclared)).collect();
    values
        .iter()
        .filter(|value| !value.name.starts_with("llvm.") || value.has_summary())
        .map(|value| (value.name.to_owned(), value.facts(&names)))
        .collect()
}

/// Returns the number of a value that the module does not declare, and its GUID as text.
fn undeclared(line: &str) -> Option<(u32, String)> {
    let (number, rest) = line.strip_prefix('^')?.split_once(" = gv: (guid: ")?;
    Some((number.parse().ok()?, rest.split(')').next()?.to_owned()))
}

/// A line `^NUMBER = gv: (name: "NAME", summaries: (…)) ; guid = GUID`.
struct Value<'text> {
    number: u32,
    name: &'text str,
    guid: u64,
    rest: &'text str,
}

impl<'text> Value<'text> {
    fn parse(line: &'text str) -> Option<Self> {
        let (number, rest) = line.strip_prefix('^')?.split_once(" = gv: (name: \"")?;
        let (name, rest) = rest.split_once('"')?;
        let (rest, guid) = rest.rsplit_once(" ; guid = ")?;
        Some(Self { number: number.parse().ok()?, name, guid: guid.trim().parse().ok()?, rest })
    }

    fn has_summary(&self) -> bool {
        self.rest.contains("summaries: (")
    }

    fn facts(&self, names: &BTreeMap<u32, String>) -> Facts {
        let name = |number: u32| names.get(&number).cloned().unwrap_or_default();
        let is_function = self.rest.contains("(function: (");
        let calls =
            self.list("calls: (").into_iter().flat_map(|list| list.split("(callee: ").skip(1));
        let references = self.list("refs: (").into_iter().flat_map(|list| list.split(", "));
        Facts {
            guid: self.guid,
            linkage: self.word("linkage: ").unwrap_or_default().to_owned(),
            visibility: self.word("visibility: ").unwrap_or_default().to_owned(),
            dso_local: self.flag("dsoLocal: "),
            function: is_function.then(|| FunctionFacts {
                instructions: self.word("insts: ").and_then(|word| word.parse().ok()).unwrap_or(0),
                read_none: self.flag("readNone: ").unwrap_or(false),
                no_inline: self.flag("noInline: ").unwrap_or(false),
                always_inline: self.flag("alwaysInline: ").unwrap_or(false),
                no_unwind: self.flag("noUnwind: ").unwrap_or(false),
                calls: calls
                    .filter_map(|text| {
                        Some((name(reference(text)?), text.contains("hotness: critical")))
                    })
                    .collect(),
            }),
            constant: self.flag("constant: "),
            references: references
                .filter_map(|text| Some(name(reference(text)?)))
                .collect::<BTreeSet<_>>(),
            aliasee: self.word("aliasee: ").and_then(reference).map(name),
        }
    }

    /// Returns the word after a key.
    fn word(&self, key: &str) -> Option<&'text str> {
        let (_, rest) = self.rest.split_once(key)?;
        rest.split([',', ')']).next()
    }

    fn flag(&self, key: &str) -> Option<bool> {
        self.word(key).map(|word| word == "1")
    }

    /// Returns the text between a key's parenthesis and the matching closing parenthesis.
    fn list(&self, key: &str) -> Option<&'text str> {
        let (_, rest) = self.rest.split_once(key)?;
        let mut depth = 1;
        let end = rest.find(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        Some(&rest[..end])
    }
}

/// Returns the number in `readonly ^12`.
fn reference(text: &str) -> Option<u32> {
    let (_, number) = text.split_once('^')?;
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
