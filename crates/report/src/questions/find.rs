//! Symbols by what people type: a name, its demangled form, a part of it, or a pattern.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::names::{Form, Names};

/// Number of candidates that a message lists.
const LISTED: usize = 20;

/// Finds the names that `text` means, among `known` ones.
///
/// The first of these rules that fits a name decides: `text` is the mangled name, or `is_match`
/// says that it is a pattern of it; it is the demangled name; it is that name without parameters,
/// or the last part of it; it is somewhere in the demangled name; it is somewhere in that name
/// without scopes, as `fold<Fast` is in `n::fold<n::Faster>`. Blanks do not count. Several names
/// are fine for a pattern alone: the error lists them otherwise.
pub(super) fn find(
    names: &Names,
    known: impl Iterator<Item = u32>,
    text: &str,
    is_match: &dyn Fn(&str) -> bool,
) -> Result<BTreeSet<u32>, String> {
    let known: BTreeSet<u32> = known.collect();
    let matching = |fits: &dyn Fn(u32) -> bool| -> BTreeSet<u32> {
        known.iter().copied().filter(|name| fits(*name)).collect()
    };
    let found = matching(&|name| names.mangled(name) == text);
    if !found.is_empty() {
        return Ok(found);
    }
    let found = matching(&|name| is_match(names.mangled(name)));
    if !found.is_empty() {
        return Ok(found);
    }
    let wanted = without_blanks(text);
    if wanted.is_empty() {
        return Err("no name is given".to_owned());
    }
    let rules: [&dyn Fn(&str) -> bool; 5] = [
        &|name| name == wanted,
        &|name| base(name) == wanted,
        &|name| base(name).strip_suffix(&wanted).is_some_and(|scope| scope.ends_with("::")),
        &|name| name.contains(&wanted),
        &|name| without_scopes(name).contains(&wanted),
    ];
    let forms: Vec<(u32, String)> =
        known.iter().map(|name| (*name, without_blanks(names.demangled(*name)))).collect();
    for rule in rules {
        let found: BTreeSet<u32> =
            forms.iter().filter(|(_, form)| rule(form)).map(|(name, _)| *name).collect();
        // The constructors of a class have one demangled name.
        let forms: BTreeSet<&str> = found.iter().map(|name| names.demangled(*name)).collect();
        match forms.len() {
            0 => {}
            1 => return Ok(found),
            _ => return Err(several(names, text, &found)),
        }
    }
    let wanted = wanted.to_lowercase();
    let found = forms.iter().filter(|(_, form)| form.to_lowercase().contains(&wanted));
    let found: BTreeSet<u32> = found.map(|(name, _)| *name).collect();
    if found.is_empty() {
        return Err(format!("no module defines '{text}'"));
    }
    let listed = listed(names, &found);
    Err(format!("no module defines '{text}', but with other capital letters there is{listed}"))
}

fn several(names: &Names, text: &str, found: &BTreeSet<u32>) -> String {
    let count = found.len();
    let listed = listed(names, found);
    format!("'{text}' is in the names of {count} symbols, so which one is it?{listed}")
}

/// Returns a line for each name, or for the first ones of many.
fn listed(names: &Names, found: &BTreeSet<u32>) -> String {
    let mut forms = Vec::new();
    for name in found {
        let form = names.in_form(*name, Form::Demangled);
        // The constructors of a class have one demangled name.
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    let mut lines = String::new();
    // Writing to a String cannot fail.
    for form in forms.iter().take(LISTED) {
        let _ = write!(lines, "\n  {form}");
    }
    if forms.len() > LISTED {
        let _ = write!(lines, "\n  and {} more", forms.len() - LISTED);
    }
    lines
}

/// Returns a demangled name without blanks, without the scopes in front of names in it.
fn without_scopes(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once("::") {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let scope = before.strip_suffix("(anonymousnamespace)");
        let left = scope.unwrap_or_else(|| before.trim_end_matches(is_part));
        kept.push_str(left);
        // A class with template arguments is no mere scope.
        if left.len() == before.len() {
            kept.push_str("::");
        }
        rest = after;
    }
    kept + rest
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

/// Returns a demangled name without blanks, without its parameters. A name inside of a function,
/// such as `kernel(int*)::tile`, is not the function's.
fn base(name: &str) -> &str {
    let (mut depth, mut end) = (0_usize, None);
    for (position, letter) in name.char_indices() {
        match letter {
            '<' | '(' if depth > 0 => depth += 1,
            '<' => depth = 1,
            '(' => {
                depth = 1;
                let is_scope = name[position..].starts_with("(anonymousnamespace)")
                    || name[..position].ends_with("operator");
                end = (position > 0 && !is_scope).then_some(position).or(end);
            }
            '>' | ')' => depth = depth.saturating_sub(1),
            // The parameters were those of a function around it.
            ':' if depth == 0 => end = None,
            _ => {}
        }
    }
    &name[..end.unwrap_or(name.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::NameTable;

    const MANGLED: [&str; 12] = [
        "_Z14CollisionEventP10MonteCarloR11MC_Particlej",
        "_Z13fold_responseI4FastEvPfi",
        "_Z13fold_responseI5ExactEvPfi",
        "_ZN5space4stepEv",
        "_ZN5space5otherEv",
        "_ZN5ClassC1Ev",
        "_ZN5ClassC2Ev",
        "plain",
        "_ZN5space7stepperEv",
        "_ZN5outer6nestedINS_5InnerEEEvi",
        "_Z2kbPi",
        "_ZZ2kbPiE4tile",
    ];

    fn found(text: &str) -> Result<Vec<&'static str>, String> {
        let mut table = NameTable::default();
        let known: Vec<u32> = MANGLED.iter().map(|name| table.number(name)).collect();
        let names = table.into_names();
        let is_match = |name: &str| text == "_Z13*" && name.starts_with("_Z13");
        let found = find(&names, known.into_iter(), text, &is_match)?;
        Ok(found.into_iter().map(|name| MANGLED[name as usize]).collect())
    }

    #[test]
    fn a_name_is_found_by_what_people_type() {
        for (text, expected) in [
            ("plain", 7),
            (MANGLED[0], 0),
            ("CollisionEvent", 0),
            ("CollisionEvent(MonteCarlo*,MC_Particle&,unsigned int)", 0),
            ("Collision", 0),
            ("MC_Particle", 0),
            ("fold_response<Fast", 1),
            ("fold_response<Exact>", 2),
            ("step", 3),
            ("space::step", 3),
            ("nested<Inner", 9),
            ("nested<Inner>(int)", 9),
            ("kb", 10),
            ("kb(int*)", 10),
            ("tile", 11),
            ("kb(int*)::tile", 11),
        ] {
            assert_eq!(found(text), Ok(vec![MANGLED[expected]]), "{text}");
        }
        assert_eq!(found("_Z13*"), Ok(MANGLED[1..3].to_vec()));
        assert_eq!(found("Class::Class()"), Ok(MANGLED[5..7].to_vec()));
    }

    #[test]
    fn several_names_are_listed() {
        let expected = "'fold_response' is in the names of 2 symbols, so which one is it?\n  \
                        void fold_response<Fast>(float*, int)\n  \
                        void fold_response<Exact>(float*, int)";
        assert_eq!(found("fold_response"), Err(expected.to_owned()));
        assert!(found("space").is_err_and(|message| message.lines().count() == 4));
        assert_eq!(found("nobody"), Err("no module defines 'nobody'".to_owned()));
        let expected = "no module defines 'class::CLASS', but with other capital letters there is\
                        \n  Class::Class()";
        assert_eq!(found("class::CLASS"), Err(expected.to_owned()));
        assert_eq!(without_scopes("a::b<c::d,(anonymousnamespace)::e>::f(g)"), "b<d,e>::f(g)");
        assert_eq!(found(" "), Err("no name is given".to_owned()));
    }
}
