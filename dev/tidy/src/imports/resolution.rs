//! Finds the file that defines the item that a path names.
//!
//! A name is looked up as the compiler does: among the children and items of the module, then its
//! `use` declarations, then its globs. A re-export leads on to the file of the item itself, so the
//! file that re-exports is not imported. Visibility is left to the compiler.

use super::syntax::Import;
use super::tree::Tree;

/// Meaning of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The path ends at a module.
    Module(usize),
    /// The path ends at, or passes through, an item that this module defines.
    ItemOf(usize),
}

/// Kind of name that is looked for first, as a module and a function may share a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Module,
    Item,
}

/// Names that are being looked up, each with its module: `use a::a` must not lead to itself.
type Pending = Vec<(usize, String)>;

impl Tree {
    /// Finds the meaning of a path that is written in `module`. There is none for paths of other
    /// crates, generic parameters and local names.
    pub(crate) fn resolve(&self, module: usize, segments: &[String]) -> Option<Target> {
        self.path(module, segments, Wanted::Item, &mut Pending::new())
    }

    fn path(
        &self,
        module: usize,
        segments: &[String],
        wanted: Wanted,
        pending: &mut Pending,
    ) -> Option<Target> {
        let mut at = module;
        let mut is_anchored = false;
        for (index, segment) in segments.iter().enumerate() {
            let is_last = index + 1 == segments.len();
            match segment.as_str() {
                "crate" => at = 0,
                "self" => {}
                "super" => at = self.modules[at].parent?,
                name => {
                    let wanted = if is_last { wanted } else { Wanted::Module };
                    match self.name(at, name, wanted, pending) {
                        Some(Target::Module(next)) => at = next,
                        // A macro may have defined a name that is not found in a known module.
                        None if is_anchored => return Some(Target::ItemOf(at)),
                        found => return found,
                    }
                }
            }
            is_anchored = true;
        }
        Some(Target::Module(at))
    }

    fn name(
        &self,
        module: usize,
        name: &str,
        wanted: Wanted,
        pending: &mut Pending,
    ) -> Option<Target> {
        let key = (module, name.to_owned());
        if pending.contains(&key) {
            return None;
        }
        pending.push(key);
        let place = &self.modules[module];
        let child = place.children.get(name).map(|child| Target::Module(*child));
        let item = place.items.contains(name).then_some(Target::ItemOf(module));
        let named = place.imports.iter().filter(|import| import.name == name);
        let globs = place.imports.iter().filter(|import| import.name == "*");
        let mut found: Vec<Target> = child.into_iter().chain(item).collect();
        found.extend(
            named.filter_map(|import| self.path(module, &import.path.segments, wanted, pending)),
        );
        if found.is_empty() {
            found.extend(globs.filter_map(|import| self.globbed(module, import, name, wanted)));
        }
        pending.pop();
        let is_wanted =
            |target: &&Target| matches!(target, Target::Module(_)) == (wanted == Wanted::Module);
        found.iter().find(is_wanted).or(found.first()).copied()
    }

    /// Finds a name among the items that a glob imports.
    fn globbed(
        &self,
        module: usize,
        import: &Import,
        name: &str,
        wanted: Wanted,
    ) -> Option<Target> {
        let mut pending = vec![(module, name.to_owned())];
        match self.path(module, &import.path.segments, Wanted::Module, &mut pending)? {
            Target::Module(glob) if glob != module => self.name(glob, name, wanted, &mut pending),
            _ => None,
        }
    }
}
