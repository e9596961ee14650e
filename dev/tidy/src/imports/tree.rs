//! The tree of modules of a target.

use std::collections::{BTreeMap, BTreeSet};

use super::syntax::{self, Import, Path, Scope};
use crate::checkout::File;

/// Modules of one target; the first is its root.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) modules: Vec<Module>,
}

/// A module, wherever it is written.
#[derive(Debug)]
pub(crate) struct Module {
    /// Path of the file, relative to the root of the checkout.
    pub(crate) file: String,
    /// Names of the modules from the root of the crate to this one.
    pub(crate) names: Vec<String>,
    pub(crate) parent: Option<usize>,
    pub(crate) children: BTreeMap<String, usize>,
    pub(crate) items: BTreeSet<String>,
    pub(crate) imports: Vec<Import>,
    pub(crate) paths: Vec<Path>,
}

impl Tree {
    /// Reads the target whose root is the file at `root`.
    pub(crate) fn read(files: &BTreeMap<&str, &File>, root: &str) -> Self {
        let mut tree = Self::default();
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        tree.add_file(files, root, folder, None, &[]);
        tree
    }

    /// Returns the name of the top-level module that a module belongs to; the root belongs to none.
    pub(crate) fn room(&self, module: usize) -> Option<&str> {
        self.modules[module].names.first().map(String::as_str)
    }

    /// Adds the module of a file, whose children's files are in `folder`, and all below it.
    fn add_file(
        &mut self,
        files: &BTreeMap<&str, &File>,
        path: &str,
        folder: &str,
        parent: Option<usize>,
        names: &[String],
    ) -> Option<usize> {
        let scope = syntax::read(&files.get(path)?.text);
        Some(self.add_scope(files, path, folder, parent, names, scope))
    }

    fn add_scope(
        &mut self,
        files: &BTreeMap<&str, &File>,
        path: &str,
        folder: &str,
        parent: Option<usize>,
        names: &[String],
        scope: Scope,
    ) -> usize {
        let index = self.modules.len();
        self.modules.push(Module {
            file: path.to_owned(),
            names: names.to_vec(),
            parent,
            children: BTreeMap::new(),
            items: scope.items,
            imports: scope.imports,
            paths: scope.paths,
        });
        let with = |name: &str| [names, &[name.to_owned()]].concat();
        for name in scope.files {
            let below = format!("{folder}/{name}");
            let (plain, nested) = (format!("{below}.rs"), format!("{below}/mod.rs"));
            let file = if files.contains_key(plain.as_str()) { plain } else { nested };
            if let Some(child) = self.add_file(files, &file, &below, Some(index), &with(&name)) {
                self.modules[index].children.insert(name, child);
            }
        }
        for inner in scope.inline {
            let name = inner.name.clone();
            let below = format!("{folder}/{name}");
            let child = self.add_scope(files, path, &below, Some(index), &with(&name), inner);
            self.modules[index].children.insert(name, child);
        }
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_in_their_files() {
        let texts = [
            ("a/src/lib.rs", "mod b;\nmod c { mod d; }\n#[cfg(test)] mod tests;\n"),
            ("a/src/b/mod.rs", "mod e;\n"),
            ("a/src/b/e.rs", "mod f;\n"),
            ("a/src/b/e/f.rs", ""),
            ("a/src/c/d.rs", ""),
            ("a/src/tests.rs", ""),
        ];
        let files = texts.map(|(path, text)| File { path: path.to_owned(), text: text.to_owned() });
        let by_path = files.iter().map(|file| (file.path.as_str(), file)).collect();
        let tree = Tree::read(&by_path, "a/src/lib.rs");
        let found: Vec<String> = tree
            .modules
            .iter()
            .map(|module| format!("{} {}", module.names.join("::"), module.file))
            .collect();
        assert_eq!(
            found,
            [
                " a/src/lib.rs",
                "b a/src/b/mod.rs",
                "b::e a/src/b/e.rs",
                "b::e::f a/src/b/e/f.rs",
                "c a/src/lib.rs",
                "c::d a/src/c/d.rs",
            ]
        );
    }
}
