//! Removal of non-prevailing definitions and of aliases from a program's PTX.
//!
//! nvlink 13.5 merges definitions itself and gets it wrong where pointers are initial values:
//! pointers to a weak function stay null in the constant data of a unit whose definition does not
//! prevail. So nvlink is given one definition of each symbol: the strong one, or else the first one
//! in link order, as nvlink's own rule is. Some links of units that define an alias of a function
//! end with the internal error "reference to deleted symbol", so references to the alias name the
//! function instead.

use std::collections::BTreeMap;

/// The prevailing definition of each symbol: the number of its file, and whether the definition is
/// weak.
type Prevailing<'text> = BTreeMap<&'text str, (usize, bool)>;

/// Returns the texts without their non-prevailing definitions. `texts` are in link order.
pub(super) fn prevailing_only(texts: &[String]) -> Vec<String> {
    let mut kept = Prevailing::new();
    for (number, text) in texts.iter().enumerate() {
        for (name, is_weak) in definitions(text) {
            let first = kept.entry(name).or_insert((number, is_weak));
            if first.1 && !is_weak {
                *first = (number, is_weak);
            }
        }
    }
    let texts = texts.iter().enumerate();
    texts
        .map(|(number, text)| {
            without_definitions(text, |name| {
                kept.get(name).is_some_and(|prevailing| prevailing.0 != number)
            })
        })
        .collect()
}

/// Returns the texts without aliases of functions. References to an alias name the function
/// instead.
pub(super) fn without_aliases(texts: &[String]) -> Vec<String> {
    let lines = texts.iter().flat_map(|text| text.lines());
    let aliases: BTreeMap<&str, &str> = lines
        .filter_map(|line| line.strip_prefix(".alias ")?.trim_end_matches(';').split_once(", "))
        .collect();
    if aliases.is_empty() {
        return texts.to_vec();
    }
    texts.iter().map(|text| renamed(text, &aliases)).collect()
}

fn renamed(text: &str, aliases: &BTreeMap<&str, &str>) -> String {
    let is_of_name =
        |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '$';
    let mut result = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !line.starts_with(".alias ")) {
        let mut rest = line;
        while !rest.is_empty() {
            let (word, after) =
                rest.split_at(rest.find(|character| !is_of_name(character)).unwrap_or(rest.len()));
            result.push_str(aliases.get(word).copied().unwrap_or(word));
            let end = after.find(is_of_name).unwrap_or(after.len());
            result.push_str(&after[..end]);
            rest = &after[end..];
        }
        result.push('\n');
    }
    result
}

/// Returns the visible definitions of functions and variables, and whether they are weak.
fn definitions(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut function = None;
    for line in text.lines() {
        if let Some((name, is_weak)) = head(line) {
            match kind(line) {
                Some(Kind::Function) => function = Some((name, is_weak)),
                _ => found.push((name, is_weak)),
            }
        }
        // A declaration of a function ends with a semicolon, and a definition has a body.
        match line {
            ";" => function = None,
            "{" => found.extend(function.take()),
            _ => {}
        }
    }
    found
}

/// The kind of declaration that a line at the outermost level begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Function,
    Variable,
}

fn kind(line: &str) -> Option<Kind> {
    let words = line.split_whitespace().nth(1)?;
    match words {
        ".func" | ".entry" => Some(Kind::Function),
        ".global" | ".const" => Some(Kind::Variable),
        _ => None,
    }
}

/// Returns the name that a line declares or defines for other files to see, and whether it is weak.
fn head(line: &str) -> Option<(&str, bool)> {
    let is_weak = line.starts_with(".weak ");
    if !is_weak && !line.starts_with(".visible ") {
        return None;
    }
    let name = match kind(line)? {
        // The line is `.weak .func  (.param .b32 func_retval0) NAME(`, where the result and the
        // last parenthesis may be missing.
        Kind::Function => {
            let rest = line.split_once(" .func").or(line.split_once(" .entry"))?.1.trim_start();
            let rest = if rest.starts_with('(') { rest.split_once(')')?.1 } else { rest };
            rest.split(['(', '/']).next()?.trim()
        }
        Kind::Variable => {
            let declaration = line.split_once(" = ").map_or(line, |(before, _)| before);
            let name = declaration.trim_end_matches(';').split_whitespace().last()?;
            name.split('[').next()?
        }
    };
    Some((name, is_weak))
}

/// Turns weak definitions into declarations where `is_dropped` accepts their names.
fn without_definitions(text: &str, is_dropped: impl Fn(&str) -> bool) -> String {
    let mut result = String::with_capacity(text.len());
    let (mut is_head, mut is_body) = (false, false);
    for line in text.lines() {
        if is_body {
            is_body = line != "}";
            continue;
        }
        let copy = head(line).filter(|(name, is_weak)| *is_weak && is_dropped(name));
        if copy.is_some() && kind(line) == Some(Kind::Variable) {
            let declaration = line.split_once(" = ").map_or(line, |(before, _)| before);
            let declaration = declaration.trim_end_matches(';').replacen(".weak", ".extern", 1);
            result.extend([&declaration, ";\n"]);
            continue;
        }
        if copy.is_some() {
            is_head = true;
            result.extend([&line.replacen(".weak", ".extern", 1), "\n"]);
            continue;
        }
        if is_head && line == "{" {
            (is_head, is_body) = (false, true);
            result.push_str(";\n");
            continue;
        }
        is_head &= line != ";";
        // The bounds of a kernel belong to its definition. nvcc does not indent parameters.
        if is_head && line.starts_with('.') && !line.starts_with(".param") {
            continue;
        }
        result.extend([line, "\n"]);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(function: &str, body: &str, value: u32) -> String {
        format!(
            "{function} .func  (.param .b32 r) f\n(\n\t.param .b32 f_0\n)\n;\n\
             .weak .global .align 4 .u32 v = {value};\n\
             .visible .const .align 8 .u64 own{value}[1] = {{f}};\n\
             {function} .func  (.param .b32 r) f(\n\t.param .b32 f_0\n)\n\
             {{\n\t{{\n\t}}\n\t{body};\n}}\n"
        )
    }

    #[test]
    fn parameters_of_a_dropped_definition_stay() {
        let of_nvcc = unit(".weak", "one", 1).replace("\t.param", ".param");
        let [_, two] = prevailing_only(&[of_nvcc.clone(), of_nvcc]).try_into().unwrap();
        assert!(
            two.ends_with(".extern .func  (.param .b32 r) f(\n.param .b32 f_0\n)\n;\n"),
            "{two}"
        );
    }

    #[test]
    fn references_to_an_alias_become_references_to_the_function() {
        let texts =
            [".alias l1, f2;\n{l1, f1};\n", "call l1, (l1_param, f2);\n"].map(str::to_owned);
        let expected = ["{f2, f1};\n", "call f2, (l1_param, f2);\n"];
        assert_eq!(without_aliases(&texts), expected);
    }

    #[test]
    fn a_strong_definition_stays_and_else_the_first() {
        let texts =
            [unit(".weak", "one", 1), unit(".weak", "two", 2), unit(".visible", "three", 3)];
        let [one, two, three] = prevailing_only(&texts).try_into().unwrap();
        assert!(one.contains(".u32 v = 1;") && one.contains("own1[1] = {f};"), "{one}");
        assert!(
            !one.contains("one;") && one.contains(".extern .func  (.param .b32 r) f("),
            "{one}"
        );
        assert!(!two.contains("two;") && two.contains(".extern .global .align 4 .u32 v;"), "{two}");
        assert!(three.contains("\tthree;\n}\n") && three.contains(".u32 v;"), "{three}");
        let [one, two] = prevailing_only(&texts[..2]).try_into().unwrap();
        assert_eq!(one, texts[0]);
        assert!(!two.contains("two;"), "{two}");
    }
}
