//! The modules of one file, with the names and paths in them.

use std::collections::BTreeSet;

use super::tokens::{Token, without_tests};

/// Words before the name of an item.
const ITEM_WORDS: &[&str] = &["enum", "fn", "static", "struct", "trait", "type", "union"];
/// Words that stand between `const` and the name of a constant or function.
const QUALIFIERS: &[&str] = &["async", "const", "extern", "mut", "unsafe"];

/// Keywords that may stand before a path of another crate, which starts with `::`.
const KEYWORDS: &[&str] = &["as", "dyn", "for", "if", "impl", "in", "match", "return", "while"];

/// A module, or the part of it that is written in one place.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Name of the module; empty for the file's own.
    pub(crate) name: String,
    /// Names of child modules that have files of their own.
    pub(crate) files: Vec<String>,
    /// Child modules that are written inside this one.
    pub(crate) inline: Vec<Scope>,
    /// Names of the items that are defined here.
    pub(crate) items: BTreeSet<String>,
    /// Leaves of the `use` declarations, those inside of functions included.
    pub(crate) imports: Vec<Import>,
    /// Paths of at least two segments outside of `use` declarations.
    pub(crate) paths: Vec<Path>,
}

/// A leaf of a `use` declaration.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// Name that the leaf has here; `*` for a glob.
    pub(crate) name: String,
    pub(crate) path: Path,
}

/// A path, with the line that it starts at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) segments: Vec<String>,
    pub(crate) line: usize,
}

/// Reads the modules of a file from its blanked code, without its tests.
pub(crate) fn read(code: &str) -> Scope {
    let tokens = without_tests(code);
    let mut reader = Reader { tokens: &tokens, at: 0 };
    let mut scope = Scope::default();
    reader.read_scope(&mut scope);
    scope
}

struct Reader<'tokens> {
    tokens: &'tokens [Token<'tokens>],
    at: usize,
}

impl<'tokens> Reader<'tokens> {
    /// Reads up to the bracket that closes the module, or to the end.
    fn read_scope(&mut self, scope: &mut Scope) {
        let mut depth = 0_usize;
        while let Some(token) = self.tokens.get(self.at).copied() {
            match token.text {
                "{" => depth += 1,
                "}" if depth == 0 => {
                    self.at += 1;
                    return;
                }
                "}" => depth -= 1,
                "use" if !self.is(1, "<") => {
                    self.at += 1;
                    self.read_use(&mut Vec::new(), &mut scope.imports);
                    continue;
                }
                "mod" if depth == 0 && self.is_name(1) => {
                    self.read_module(scope);
                    continue;
                }
                "macro_rules" if self.is(1, "!") => self.define(scope, 2, depth),
                "const" => {
                    let skipped = (1..4).find(|ahead| !self.is_any(*ahead, QUALIFIERS));
                    if let Some(ahead) = skipped.filter(|ahead| !self.is(*ahead, "fn")) {
                        self.define(scope, ahead, depth);
                    }
                }
                word if ITEM_WORDS.contains(&word) => {
                    let ahead = if self.is(1, "mut") { 2 } else { 1 };
                    self.define(scope, ahead, depth);
                }
                _ if token.is_word() && !KEYWORDS.contains(&token.text) => {
                    self.read_path(scope);
                    continue;
                }
                "::" => {
                    // What follows is a path of another crate, or the rest of one after a type.
                    self.at += 1;
                    while self.is_name(0) && self.is(1, "::") {
                        self.at += 2;
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    fn define(&self, scope: &mut Scope, ahead: usize, depth: usize) {
        if let Some(token) = self.token(ahead).filter(|_| depth == 0 && self.is_name(ahead)) {
            scope.items.insert(token.text.to_owned());
        }
    }

    /// Reads `mod name;` or `mod name { ... }`.
    fn read_module(&mut self, scope: &mut Scope) {
        let name = self.token(1).map_or("", |token| token.text).to_owned();
        let is_inline = self.is(2, "{");
        self.at += 3;
        if is_inline {
            let mut child = Scope { name, ..Scope::default() };
            self.read_scope(&mut child);
            scope.inline.push(child);
        } else {
            scope.files.push(name);
        }
    }

    /// Reads a tree of a `use` declaration, whose segments so far are `prefix`.
    fn read_use(&mut self, prefix: &mut Vec<String>, imports: &mut Vec<Import>) {
        let length = prefix.len();
        let Some(line) = self.token(0).map(|token| token.line) else { return };
        while let Some(token) = self.token(0).copied() {
            match token.text {
                "{" => {
                    self.at += 1;
                    while self.token(0).is_some() && !self.is(0, "}") {
                        self.read_use(prefix, imports);
                        if self.is(0, ",") {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    prefix.truncate(length);
                    return;
                }
                "::" => self.at += 1,
                "*" => {
                    self.at += 1;
                    imports.push(leaf("*", prefix, line));
                    prefix.truncate(length);
                    return;
                }
                _ if token.is_word() && !self.is(1, "::") => {
                    self.at += 1;
                    if token.text != "self" || prefix.is_empty() {
                        prefix.push(token.text.to_owned());
                    }
                    let mut name = prefix.last().map_or("_", String::as_str);
                    if self.is(0, "as") {
                        name = self.token(1).map_or("_", |token| token.text);
                        self.at += 2;
                    }
                    imports.push(leaf(name, prefix, line));
                    prefix.truncate(length);
                    return;
                }
                _ if token.is_word() => {
                    prefix.push(token.text.to_owned());
                    self.at += 1;
                }
                _ => break,
            }
        }
        prefix.truncate(length);
        // Something that is no `use` tree: passing over it keeps the callers' loops finite.
        self.at += 1;
    }

    /// Reads the path that starts here; a single word is none.
    fn read_path(&mut self, scope: &mut Scope) {
        let start = self.at;
        let mut segments = Vec::new();
        while self.is_name(0) {
            segments.extend(self.token(0).map(|token| token.text.to_owned()));
            self.at += 1;
            if !(self.is(0, "::") && self.is_name(1)) {
                break;
            }
            self.at += 1;
        }
        self.at = self.at.max(start + 1);
        let before = |back: usize| start.checked_sub(back).map(|at| self.tokens[at].text);
        let is_visibility = before(1) == Some("in") && before(2) == Some("(");
        if segments.len() > 1 && !is_visibility {
            scope.paths.push(Path { segments, line: self.tokens[start].line });
        }
    }

    fn token(&self, ahead: usize) -> Option<&'tokens Token<'tokens>> {
        self.tokens.get(self.at + ahead)
    }

    fn is(&self, ahead: usize, text: &str) -> bool {
        self.token(ahead).is_some_and(|token| token.text == text)
    }

    fn is_any(&self, ahead: usize, texts: &[&str]) -> bool {
        self.token(ahead).is_some_and(|token| texts.contains(&token.text))
    }

    fn is_name(&self, ahead: usize) -> bool {
        let starts_name = |token: &Token<'_>| {
            token.is_word() && !token.text.starts_with(|c: char| c.is_ascii_digit())
        };
        self.token(ahead).is_some_and(starts_name)
    }
}

fn leaf(name: &str, segments: &[String], line: usize) -> Import {
    Import { name: name.to_owned(), path: Path { segments: segments.to_vec(), line } }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn leaves_of_use_declarations_are_read() {
        let code = "use a::{self, b::{C as D, e}, f::*};\nfn x() -> impl Y + use<'a, Z> {\n\
                    use super::g;\n}\npub(crate) use crate::h as _;\nuse ::i::j;\n";
        let imports: Vec<String> = read(code)
            .imports
            .iter()
            .map(|import| {
                let path = import.path.segments.join("::");
                format!("{}: {path} as {}", import.path.line, import.name)
            })
            .collect();
        assert_eq!(
            imports,
            [
                "1: a as a",
                "1: a::b::C as D",
                "1: a::b::e as e",
                "1: a::f as *",
                "3: super::g as g",
                "5: crate::h as _",
                "6: i::j as j",
            ]
        );
    }

    #[test]
    fn items_and_modules_are_read() {
        let code = "mod a;\npub mod b { fn c() {} mod d; }\nconst fn e() {}\nconst F: u8 = 1;\n\
                    static mut G: u8 = 1;\nimpl H { fn not() {} }\nmacro_rules! i { () => {} }\n\
                    pub unsafe extern \"C\" fn j() {}\nstruct K<'a>;\n";
        let scope = read(code);
        assert_eq!(scope.files, ["a"]);
        assert_eq!(scope.inline[0].name, "b");
        assert_eq!(scope.inline[0].files, ["d"]);
        assert_eq!(Vec::from_iter(&scope.items), ["F", "G", "K", "e", "i", "j"]);
    }

    #[test]
    fn inline_paths_are_read() {
        let code = "pub(in crate::a) fn b(c: super::d::E) { f::g::<h::I>(j.k()); $crate::l!() }\n\
                    impl ::m::n::O for <P as q::R>::s {}\n";
        let paths: Vec<String> =
            read(code).paths.iter().map(|path| path.segments.join("::")).collect();
        assert_eq!(paths, ["super::d::E", "f::g", "h::I", "crate::l", "q::R"]);
    }
}
