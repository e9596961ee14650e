//! The modules of one file, with the names and paths in them.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, Item, Meta, UseName, UseRename, UseTree};

/// A module, or the part of it that is written in one place.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Name of the module; empty for the file's own.
    pub(crate) name: String,
    /// Names of child modules that are in separate files.
    pub(crate) files: Vec<String>,
    /// Child modules that are written inside this one.
    pub(crate) inline: Vec<Scope>,
    /// Names of the items that are defined here.
    pub(crate) items: BTreeSet<String>,
    /// Leaves of the `use` declarations, those inside of functions included.
    pub(crate) imports: Vec<Import>,
    /// Paths of at least two segments outside of `use` declarations.
    pub(crate) paths: Vec<Path>,
    /// Number of blocks of unsafe code.
    pub(crate) unsafe_blocks: usize,
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

/// Reads the modules of a file without its tests. The result is empty for code that the compiler
/// would reject.
pub(crate) fn read(source: &str) -> Scope {
    let mut reader = Reader::default();
    if let Ok(file) = syn::parse_file(source)
        && !are_for_tests(&file.attrs)
    {
        reader.visit_file(&file);
    }
    reader.scope
}

#[derive(Default)]
struct Reader {
    scope: Scope,
    /// Number of blocks around the place: what they define is no item of the module.
    depth: usize,
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        if are_for_tests(attributes(item)) {
            return;
        }
        let name = match item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Macro(item) => item.ident.as_ref(),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            Item::Union(item) => Some(&item.ident),
            _ => None,
        };
        self.scope.items.extend(name.filter(|_| self.depth == 0).map(ToString::to_string));
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let name = module.ident.to_string();
        let Some((_, items)) = &module.content else { return self.scope.files.push(name) };
        let outer = std::mem::replace(&mut self.scope, Scope { name, ..Scope::default() });
        for item in items {
            self.visit_item(item);
        }
        let inner = std::mem::replace(&mut self.scope, outer);
        self.scope.unsafe_blocks += inner.unsafe_blocks;
        self.scope.inline.push(inner);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_leaves(&item.tree, &mut Vec::new());
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let is_for_tests =
            matches!(item, syn::ImplItem::Fn(method) if are_for_tests(&method.attrs));
        if !is_for_tests {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.depth += 1;
        visit::visit_block(self, block);
        self.depth -= 1;
    }

    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        self.scope.unsafe_blocks += 1;
        visit::visit_expr_unsafe(self, block);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        // A path that starts with `::` belongs to another crate.
        if path.leading_colon.is_none() {
            let names = path.segments.iter().map(|segment| segment.ident.to_string());
            let line = path.segments.first().map_or(0, |first| line(&first.ident));
            self.add(names.collect(), line);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, macros: &'ast syn::Macro) {
        self.visit_path(&macros.path);
        self.add_paths_of(macros.tokens.clone());
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}

impl Reader {
    fn add(&mut self, segments: Vec<String>, line: usize) {
        if segments.len() > 1 {
            self.scope.paths.push(Path { segments, line });
        }
    }

    /// Adds the leaves of a tree of a `use` declaration, whose segments so far are `prefix`.
    fn add_leaves(&mut self, tree: &UseTree, prefix: &mut Vec<String>) {
        let mut leaf = |name: String, line: usize, prefix: &[String]| {
            let path = Path { segments: prefix.to_vec(), line };
            self.scope.imports.push(Import { name, path });
        };
        let length = prefix.len();
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.add_leaves(&path.tree, prefix);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_leaves(tree, prefix);
                }
            }
            UseTree::Glob(glob) => {
                leaf("*".to_owned(), glob.star_token.span.start().line, prefix);
            }
            UseTree::Name(UseName { ident, .. }) | UseTree::Rename(UseRename { ident, .. }) => {
                if ident != "self" || prefix.is_empty() {
                    prefix.push(ident.to_string());
                }
                let name = match tree {
                    UseTree::Rename(renamed) => renamed.rename.to_string(),
                    _ => prefix.last().cloned().unwrap_or_default(),
                };
                leaf(name, line(ident), prefix);
            }
        }
        prefix.truncate(length);
    }

    /// Adds the paths in the tokens that a macro gets or makes.
    fn add_paths_of(&mut self, tokens: TokenStream) {
        let (mut segments, mut line, mut colons) = (Vec::new(), 0, 0);
        for token in tokens {
            match token {
                TokenTree::Ident(name) if colons == 2 || segments.is_empty() => {
                    if segments.is_empty() {
                        line = self::line(&name);
                    }
                    // A path that starts with `::` belongs to another crate.
                    let is_foreign = colons == 2 && segments.is_empty();
                    segments.push(if is_foreign { String::new() } else { name.to_string() });
                    colons = 0;
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' && colons < 2 => colons += 1,
                other => {
                    self.end_path(&mut segments, line);
                    colons = 0;
                    match other {
                        TokenTree::Group(group) => self.add_paths_of(group.stream()),
                        TokenTree::Ident(name) => {
                            line = self::line(&name);
                            segments.push(name.to_string());
                        }
                        TokenTree::Punct(_) | TokenTree::Literal(_) => {}
                    }
                }
            }
        }
        self.end_path(&mut segments, line);
    }

    fn end_path(&mut self, segments: &mut Vec<String>, line: usize) {
        let segments = std::mem::take(segments);
        if segments.first().is_some_and(|first| !first.is_empty()) {
            self.add(segments, line);
        }
    }
}

/// Tells whether attributes have `cfg(test)`, alone or with more conditions that must hold.
fn are_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).any(|attribute| {
        attribute.parse_args().is_ok_and(|condition: Meta| match condition {
            Meta::Path(path) => path.is_ident("test"),
            Meta::List(list) => {
                list.path.is_ident("all") && list.tokens.to_string().starts_with("test")
            }
            Meta::NameValue(_) => false,
        })
    })
}

fn line(name: &Ident) -> usize {
    name.span().start().line
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
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
        let code = "mod a;\npub mod b { fn c() {} mod d; }\nconst fn e() { fn no() {} }\n\
                    const F: u8 = 1;\nstatic mut G: u8 = 1;\nimpl H { fn not() {} }\n\
                    macro_rules! i { () => {} }\npub unsafe extern \"C\" fn j() {}\n\
                    struct K<'a>;\n#[cfg(test)]\nmod tests;\n#[cfg(all(test, unix))]\nfn l() {}\n";
        let scope = read(code);
        assert_eq!(scope.files, ["a"]);
        assert_eq!(scope.inline[0].name, "b");
        assert_eq!(scope.inline[0].files, ["d"]);
        assert_eq!(Vec::from_iter(&scope.items), ["F", "G", "K", "e", "i", "j"]);
        assert!(read(&format!("#![cfg(test)]\n{code}")).items.is_empty());
    }

    #[test]
    fn inline_paths_are_read() {
        let code = "pub(in crate::a) fn b(c: super::d::E) { f::g::<h::I>(j.k()); }\n\
                    impl ::m::n::O for <P as q::R>::S {}\n\
                    fn t() { u!(v::w(\"x\", ::y::z, [crate::a::b]), c d::e) }\n\
                    macro_rules! f { () => { $crate::g::h() }; }\n";
        let paths: Vec<String> =
            read(code).paths.iter().map(|path| path.segments.join("::")).collect();
        let of_code = ["super::d::E", "f::g", "h::I", "q::R::S"];
        assert_eq!(paths[..4], of_code);
        assert_eq!(paths[4..], ["v::w", "crate::a::b", "d::e", "crate::g::h"]);
    }

    #[test]
    fn unsafe_blocks_are_counted_without_tests() {
        let code = "unsafe fn a() { unsafe { b() } }\n// unsafe {\nmod c { fn d() { unsafe {} } }\n\
                    #[cfg(test)] mod t { fn e() { unsafe {} } }\n";
        assert_eq!(read(code).unsafe_blocks, 2);
    }
}
