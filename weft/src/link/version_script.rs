//! Version scripts, by which a host linker hides symbols of a shared library.
//!
//! A symbol is taken as hidden only where the linker hides it for sure: one that both a pattern of
//! `global:` and one of `local:` match counts as exported, though an exact name goes before a
//! wildcard, and so does one whose C++ name a pattern of `extern "C++"` may match.

use std::iter::Peekable;
use std::vec::IntoIter;

use glob::Pattern;
use weft_report::{DEMANGLED_BYTES, demangled};

/// Characters at which the part of a C++ pattern ends that every match has. Demanglers differ in
/// how they write arguments.
const WILD: &str = "*?[\\(< ";

/// The patterns of a version script.
#[derive(Debug, Default)]
pub(super) struct VersionScript {
    global: Vec<Pattern>,
    local: Vec<Pattern>,
    /// Parts of the C++ names that are exported.
    global_parts: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Quoted(String),
    /// A brace, colon or semicolon.
    Sign(char),
}

/// The list that a pattern belongs to.
#[derive(Clone, Copy)]
struct Scope {
    is_local: bool,
    is_cpp: bool,
}

impl VersionScript {
    /// Reads a script; `None` if it is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut tokens = tokens(text)?.into_iter().peekable();
        let mut script = Self::default();
        while let Some(token) = tokens.next() {
            // A node may have a name.
            if token != Token::Sign('{') && tokens.next()? != Token::Sign('{') {
                return None;
            }
            script.patterns(&mut tokens, Scope { is_local: false, is_cpp: false })?;
            // The names of the nodes that it depends on.
            while tokens.next()? != Token::Sign(';') {}
        }
        Some(script)
    }

    /// Adds the patterns of another script of the link.
    pub(super) fn join(&mut self, other: Self) {
        self.global.extend(other.global);
        self.local.extend(other.local);
        self.global_parts.extend(other.global_parts);
    }

    /// Reads patterns up to the closing brace.
    fn patterns(&mut self, tokens: &mut Peekable<IntoIter<Token>>, mut scope: Scope) -> Option<()> {
        loop {
            match tokens.next()? {
                Token::Sign('}') => return Some(()),
                Token::Sign(_) => {}
                Token::Quoted(name) => self.add(scope, &Pattern::escape(&name), &name)?,
                Token::Word(word) => {
                    let is_label = tokens.peek() == Some(&Token::Sign(':'));
                    match (word.as_str(), tokens.peek()) {
                        ("global" | "local", _) if is_label => scope.is_local = word == "local",
                        ("extern", Some(Token::Quoted(language))) => {
                            let is_cpp = language != "C";
                            tokens.next();
                            if tokens.next()? != Token::Sign('{') {
                                return None;
                            }
                            self.patterns(tokens, Scope { is_cpp, ..scope })?;
                        }
                        _ => self.add(scope, &word, &word)?,
                    }
                }
            }
        }
    }

    fn add(&mut self, scope: Scope, pattern: &str, name: &str) -> Option<()> {
        match scope {
            Scope { is_local: false, is_cpp: true } => {
                let end = name.find(|c| WILD.contains(c)).unwrap_or(name.len());
                self.global_parts.push(name[..end].to_owned());
            }
            // What it hides may be exported by its C++ name's other forms.
            Scope { is_local: true, is_cpp: true } => {}
            Scope { is_local, .. } => {
                let list = if is_local { &mut self.local } else { &mut self.global };
                list.push(Pattern::new(pattern).ok()?);
            }
        }
        Some(())
    }

    /// Whether the linker hides the symbol.
    pub(super) fn hides(&self, symbol: &str) -> bool {
        let any = |list: &[Pattern]| list.iter().any(|pattern| pattern.matches(symbol));
        any(&self.local) && !any(&self.global) && !self.may_export_by_cpp_name(symbol)
    }

    fn may_export_by_cpp_name(&self, symbol: &str) -> bool {
        if self.global_parts.is_empty() {
            return false;
        }
        let name = demangled(symbol).unwrap_or_else(|| symbol.to_owned());
        // A long name is cut.
        name.len() >= DEMANGLED_BYTES || self.global_parts.iter().any(|part| name.contains(part))
    }
}

/// Divides a script into its parts; `None` if a comment or a text in quotes has no end.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        rest = if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/")?.1
        } else if first == '#' {
            rest.split_once('\n').map_or("", |(_, rest)| rest)
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let (quoted, rest) = quoted.split_once('"')?;
            tokens.push(Token::Quoted(quoted.to_owned()));
            rest
        } else if "{};:".contains(first) {
            tokens.push(Token::Sign(first));
            &rest[1..]
        } else {
            let end = word_end(rest);
            tokens.push(Token::Word(rest[..end].to_owned()));
            &rest[end..]
        }
        .trim_start();
    }
    Some(tokens)
}

/// Returns the length of the word at the start of a text. Two colons are a part of a C++ name.
fn word_end(text: &str) -> usize {
    let is_end = |(at, c): (usize, char)| {
        c.is_whitespace()
            || "{};\"#".contains(c)
            || (c == ':' && !text[at..].starts_with("::") && !text[..at].ends_with(':'))
    };
    text.char_indices().find(|&at| is_end(at)).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUB: &str = "_ZN3app24__device_stub__transportEPf";

    #[test]
    fn what_a_script_hides() {
        for (script, exported, hidden) in [
            ("{ global: init; local: *; };", &["init"][..], &["other", STUB][..]),
            ("V1 { init; open_?; local: *; };", &["init", "open_2"], &["open_12"]),
            ("{ local: _Z*; };", &["init"], &[STUB]),
            ("V1 { global: init; };\nV2 { global: open; } V1;", &["init", "other"], &[]),
            ("V1 { init; local: *; };\nV2 { open; } V1;", &["init", "open"], &["other"]),
            ("# all\n{ global: *; /* local: *; */ };", &["init"], &[]),
            ("{ global: [ab]*; local: *; };", &["area", "bound"], &["count"]),
            ("{ global: \"odd*\"; local: *; };", &["odd*"], &["odder"]),
            // A name in both lists is not hidden for sure.
            ("{ global: i*; local: init; };", &["init"], &[]),
            ("{ extern \"C\" { init; }; local: *; };", &["init"], &[STUB]),
            ("{ extern \"C++\" { app::*; \"app::f(int)\" }; local: *; };", &[STUB], &["init"]),
            ("{ global: extern \"C++\" { other::*; }; local: *; };", &[], &[STUB]),
            ("{ extern \"C++\" { *; }; local: *; };", &[STUB, "init"], &[]),
            ("{ local: extern \"C++\" { app::*; }; };", &[STUB], &[]),
        ] {
            let read = VersionScript::read(script).expect(script);
            for name in exported {
                assert!(!read.hides(name), "{script}: {name}");
            }
            for name in hidden {
                assert!(read.hides(name), "{script}: {name}");
            }
        }
    }

    #[test]
    fn what_is_no_script_is_not_read() {
        for text in
            ["{ local: *;", "{ local: *; }", "local: *;", "{ \"open }; ", "/* {};", "a b {};"]
        {
            assert!(VersionScript::read(text).is_none(), "{text}");
        }
    }
}
