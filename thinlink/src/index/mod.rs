//! All units merged: who defines what, and which definition each reference binds to.
//!
//! Every symbol of every module with device code is a *node*, numbered through in module-id order,
//! so facts about symbols are plain arrays. Symbols that other modules can see and that have one name
//! have one *leader* among them: the prevailing definition, or else the first definition, or else
//! the first declaration. A local leads itself. Whatever is bound to a name is bound to its leader, and
//! bodies name leaders at once, so that a step along an edge is one look into an array.
//!
//! The prevailing definition of a name is the strong one. Among merged definitions that must be
//! equal it is the first in module-id order, as the order of arguments must not affect the result.
//! Among merged definitions that may differ (`weak`, `linkonce`) it is the first in the link order
//! that the build states, as for linkers; where the build states none and the definitions do
//! differ, the program is refused.
//!
//! Cost: a hash of each visible name and one parallel sort of the hashes, then one pass over symbols
//! and one over edges.

mod names;
mod prevailing;
mod ranks;
mod traits;

use std::hint::black_box;
use std::ops::Range;

use rayon::prelude::*;
use weft_artifact::{Definition, Linkage, ModuleId, SymbolIndex};

use crate::LinkError;
use crate::clashes::Clash;
use crate::link_order::LinkOrder;
use crate::program::{Body, Code, Device, Function, Kind, Symbol, Unit};
use ranks::Ranks;
use traits::Traits;

/// Position of a symbol among all modules' symbols.
pub(crate) type Node = usize;

/// Position of a module among those with device code.
pub(crate) type Module = usize;

/// No node.
const NONE: u32 = u32::MAX;

/// What a definition is to the linked program. It does not depend on what is live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Seen by its module only.
    Local,
    /// The one that references from other modules bind to.
    Prevailing,
    /// A copy whose body stays for inspection, while another module emits the symbol.
    Copy,
    /// A copy that has to stay as it is, since an alias of its module stands for it, and LLVM takes
    /// no alias of a definition that is not emitted.
    Untouched,
    /// A copy that must not be looked at, since the prevailing one may mean something else.
    Dropped,
}

/// The merged units.
pub(crate) struct Index<'units> {
    /// Units with device code in module-id order.
    pub(crate) units: Vec<(&'units Unit, &'units Device)>,
    /// The place of each module in the link, if the build states an order.
    link_places: Option<Vec<u32>>,
    code: Code,
    /// First node of each module, and the number of nodes at the end.
    starts: Vec<Node>,
    modules: Vec<u32>,
    traits: Vec<Traits>,
    /// Of each node: the one that stands for its name.
    leaders: Vec<u32>,
    /// Names with several definitions: their number, and then those, in module-id order.
    copies: Vec<u32>,
    /// Of leaders of such names: where they start.
    copies_start: Vec<u32>,
    /// Of nodes: how many definitions are before them.
    ranks: Ranks,
    /// Nodes for which an alias of the same module stands, sorted.
    aliased: Vec<Node>,
    /// What the user should hear of definitions that differ, sorted.
    pub(crate) disagreements: Vec<String>,
}

/// Resolved names: the fields of [`Index`] with the same names, and messages about the names.
struct Resolved {
    leaders: Vec<u32>,
    traits: Vec<Traits>,
    copies: Vec<u32>,
    copies_start: Vec<u32>,
    /// Warnings about names whose first definition in link order was taken though others differ.
    warnings: Vec<String>,
}

/// Arrays that list symbols for the compiler. That a symbol is listed is a flag of the symbol, and
/// being in the array is no use of it.
pub(crate) fn is_listing(name: &str) -> bool {
    matches!(name, "llvm.used" | "llvm.compiler.used") || name == HOST_LISTING
}

/// Where clang lists what the unit's host code names in other units, so that archive members get
/// linked. It is a plain internal variable and would end up in the image.
pub(crate) const HOST_LISTING: &str = "__clang_gpu_used_external";

impl<'units> Index<'units> {
    /// Merges `units`, which are sorted by module id, with their code, which is in `parts`. The
    /// build links them in `link_order`, if it states one.
    pub(crate) fn new(
        units: &[&'units Unit],
        parts: Vec<Code>,
        link_order: Option<&LinkOrder>,
    ) -> Result<Self, LinkError> {
        let places = link_order.map(|order| order.places(units)).transpose()?;
        let with_device = |(place, unit): (u32, &&Unit)| unit.device.is_some().then_some(place);
        let link_places =
            places.map(|places| places.into_iter().zip(units).filter_map(with_device).collect());
        let units: Vec<_> =
            units.iter().filter_map(|unit| Some((*unit, unit.device.as_ref()?))).collect();
        let places: Vec<_> =
            units.iter().map(|(_, device)| (device.part, device.symbols.clone())).collect();
        let code = Code::gather(parts, &places)?;
        let mut starts = vec![0];
        let mut modules = Vec::with_capacity(code.len());
        for (module, (_, symbols)) in (0..).zip(places) {
            modules.resize(modules.len() + symbols.len(), module);
            starts.push(modules.len());
        }
        let kinds = code.kinds();
        let traits: Vec<_> = kinds.map(|(linkage, kind)| Traits::local(linkage, kind)).collect();
        let leaders = (0..code.len()).map(position).collect();
        let ranks = Ranks::new(&traits, |it: &Traits| it.is_definition());
        let mut index = Self {
            units,
            link_places,
            code,
            starts,
            modules,
            traits,
            leaders,
            copies: Vec::new(),
            copies_start: Vec::new(),
            ranks,
            aliased: Vec::new(),
            disagreements: Vec::new(),
        };
        index.aliased = index.find_aliased();
        index.resolve_names()?;
        let standings: Vec<Standing> =
            (0..index.len()).into_par_iter().map(|node| index.find_standing(node)).collect();
        for (traits, standing) in index.traits.iter_mut().zip(standings) {
            traits.standing = standing;
        }
        let Self { code, leaders, traits, starts, .. } = &mut index;
        code.bind(starts, |node| {
            let leader = leaders[node];
            // Where nothing prevails, what the module itself says of the symbol counts.
            if traits[leader as usize].prevails() { leader } else { position(node) }
        });
        code.keep_names(|node| leaders[node] as usize == node);
        let repeats: Vec<bool> =
            (0..index.len()).into_par_iter().map(|node| index.is_like_first(node)).collect();
        for (traits, repeats) in index.traits.iter_mut().zip(repeats) {
            if repeats {
                traits.repeat();
            }
        }
        Ok(index)
    }

    /// Whether the definition at `node`, of which all is bound, is a later copy like the first of its
    /// name, which counts. No other copy is looked at, so that a name costs no more than it has copies.
    fn is_like_first(&self, node: Node) -> bool {
        let copies = self.copies(self.leader(node)).unwrap_or_default();
        copies.first().map(|&copy| copy as usize).is_some_and(|first| {
            first < node && self.counts(first) && self.code.is_alike(first, node)
        })
    }

    fn find_aliased(&self) -> Vec<Node> {
        let mut targets: Vec<Node> = (0..self.len())
            .filter(|&node| self.is_alias(node))
            .filter_map(|node| match self.body(node) {
                Body::Alias(target) => Some(target),
                _ => None,
            })
            .collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    fn resolve_names(&mut self) -> Result<(), LinkError> {
        let sorted = names::Groups::new(self);
        let ((disagreements, clash), (resolved, other)) =
            rayon::join(|| sorted.disagreements(self), || self.resolve(&sorted));
        let Resolved { leaders, traits, copies, copies_start, mut warnings } = resolved;
        (self.leaders, self.traits) = (leaders, traits);
        (self.copies, self.copies_start) = (copies, copies_start);
        warnings.extend(disagreements);
        warnings.sort_unstable();
        self.disagreements = warnings;
        Clash::first(clash, other).map_or(Ok(()), |clash| Err(*clash.error))
    }

    /// What each name stands for, and the first name of which two definitions cannot give way.
    fn resolve(&self, sorted: &names::Groups) -> (Resolved, Option<Clash>) {
        // Each leads itself so far.
        let (mut leaders, mut traits) = (self.leaders.clone(), self.traits.clone());
        let (mut copies, mut copies_start) = (Vec::new(), Vec::new());
        copies_start.resize(self.len(), NONE);
        let (mut clash, mut warnings) = (None, Vec::new());
        let mut definitions = Vec::new();
        for group in sorted.iter() {
            definitions.clear();
            definitions.extend(group.clone().filter(|&node| self.is_definition(node as usize)));
            let choice = self.choose_prevailing(&definitions);
            let prevailing = choice.prevailing;
            clash = Clash::first(clash, choice.clash);
            warnings.extend(choice.warning);
            let leader = prevailing.or_else(|| definitions.first().copied());
            let Some(leader) = leader.or_else(|| group.clone().next()) else { continue };
            for node in group {
                leaders[node as usize] = leader;
                traits[node as usize].follow();
            }
            let has_copies = definitions.len() > 1;
            traits[leader as usize].lead(prevailing.is_some(), has_copies);
            if has_copies {
                copies_start[leader as usize] = position(copies.len());
                copies.push(position(definitions.len()));
                copies.extend_from_slice(&definitions);
            }
        }
        (Resolved { leaders, traits, copies, copies_start, warnings }, clash)
    }

    /// The declarations of dynamic shared memory, in order, each with its alignment in bytes.
    pub(crate) fn dynamic_shared(&self) -> impl Iterator<Item = (Node, u32)> + '_ {
        self.code.dynamic_shared()
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.modules.len()
    }

    /// The name of the symbol at `node`.
    #[inline]
    pub(crate) fn name(&self, node: Node) -> &str {
        self.code.name(self.leaders[node] as usize)
    }

    /// The symbol at `node`.
    pub(crate) fn symbol(&self, node: Node) -> Symbol<'_> {
        self.code.symbol(node, self.leader(node))
    }

    /// The body of the symbol at `node`.
    #[inline]
    pub(crate) fn body(&self, node: Node) -> Body<'_> {
        self.code.body(node)
    }

    /// Brings the bodies at `nodes` and their kinds, which are asked for first, from memory: all at a
    /// time, which takes little longer than one.
    #[inline]
    pub(crate) fn fetch(&self, nodes: &[u32]) {
        let mut seen = 0;
        for &node in nodes {
            let kind = self.traits[node as usize].kind as usize;
            seen ^= self.code.calls(node as usize).len() ^ kind;
        }
        for &node in nodes {
            seen ^= self.code.calls(node as usize).first().map_or(0, |call| call.callee());
        }
        black_box(seen);
    }

    /// The linkage of the symbol at `node`.
    pub(crate) fn linkage(&self, node: Node) -> Linkage {
        self.traits[node].linkage
    }

    /// The number of the address space of the symbol at `node`.
    pub(crate) fn address_space(&self, node: Node) -> u32 {
        self.code.address_space(node)
    }

    /// Whether the module of `node` defines it.
    #[inline]
    pub(crate) fn is_definition(&self, node: Node) -> bool {
        self.traits[node].is_definition()
    }

    /// The number of definitions before `node`: of a definition, its number in the record.
    pub(crate) fn number(&self, node: Node) -> Definition {
        self.ranks.of(node)
    }

    /// The module that `node` belongs to.
    #[inline]
    pub(crate) fn module(&self, node: Node) -> Module {
        self.modules[node] as usize
    }

    /// The unit of `module`.
    pub(crate) fn unit(&self, module: Module) -> &'units Unit {
        self.units[module].0
    }

    /// The id of `module`.
    pub(crate) fn module_id(&self, module: Module) -> &'units ModuleId {
        &self.unit(module).module_id
    }

    /// The nodes of `module`, in order of their symbols' names.
    pub(crate) fn nodes(&self, module: Module) -> Range<Node> {
        self.nodes_of(module..module + 1)
    }

    /// The nodes of several modules.
    pub(crate) fn nodes_of(&self, modules: Range<Module>) -> Range<Node> {
        self.starts[modules.start]..self.starts[modules.end]
    }

    /// The node of `module` called `name`.
    pub(crate) fn find(&self, module: Module, name: &str) -> Option<Node> {
        let nodes = self.nodes(module);
        let (mut low, mut high) = (nodes.start, nodes.end);
        while low < high {
            let middle = low.midpoint(high);
            match self.name(middle).cmp(name) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The node that `index` means in the module of `node`.
    pub(crate) fn sibling(&self, node: Node, index: SymbolIndex) -> Node {
        self.starts[self.module(node)] + index.0 as usize
    }

    /// Calls `each` with what the body at `node` names: calls, references, alias target.
    #[inline]
    pub(crate) fn for_each_edge(&self, node: Node, mut each: impl FnMut(Node)) {
        for call in self.code.calls(node) {
            each(call.callee());
        }
        self.for_each_reference(node, each);
    }

    /// Calls `each` with what the body at `node` names other than as a callee: references, alias target.
    #[inline]
    pub(crate) fn for_each_reference(&self, node: Node, mut each: impl FnMut(Node)) {
        if self.is_alias(node) {
            if let Body::Alias(target) = self.body(node) {
                each(target);
            }
            return;
        }
        for &reference in self.code.references(node) {
            each(reference as usize);
        }
    }

    /// Whether the body at `node` names one for which `test` holds.
    pub(crate) fn any_edge(&self, node: Node, test: impl Fn(Node) -> bool) -> bool {
        if let Body::Alias(target) = self.body(node) {
            return test(target);
        }
        self.code.calls(node).iter().any(|call| test(call.callee()))
            || self.code.references(node).iter().any(|&it| test(it as usize))
    }

    /// The node that stands for the name of `node`.
    #[inline]
    pub(crate) fn leader(&self, node: Node) -> Node {
        self.leaders[node] as usize
    }

    /// Whether only its own module sees `node`.
    #[inline]
    pub(crate) fn is_local(&self, node: Node) -> bool {
        self.traits[node].is_local()
    }

    /// Every definition that a reference to the symbol at `node` could mean: all copies of its name in
    /// module-id order, or the local itself.
    #[inline]
    pub(crate) fn definitions(&self, node: Node) -> &[u32] {
        let leader = &self.leaders[node];
        let at = *leader as usize;
        if let Some(copies) = self.copies(at) {
            copies
        } else if self.is_definition(at) || self.is_local(at) {
            std::slice::from_ref(leader)
        } else {
            &[]
        }
    }

    /// The definitions of the name that `leader` leads, if there are several.
    #[inline]
    pub(crate) fn copies(&self, leader: Node) -> Option<&[u32]> {
        self.has_copies(leader).then(|| {
            let start = self.copies_start[leader] as usize;
            let count = self.copies[start] as usize;
            &self.copies[start + 1..=start + count]
        })
    }

    /// Whether the name that `leader` leads has several definitions.
    #[inline]
    pub(crate) fn has_copies(&self, leader: Node) -> bool {
        self.traits[leader].has_copies()
    }

    /// The definition that a reference to the symbol at `node` binds to in the linked program.
    /// `None` where no module defines it: it is the device runtime's or an opaque object's.
    #[inline]
    pub(crate) fn provider(&self, node: Node) -> Option<Node> {
        // What bodies name is a provider, but for a few.
        if self.traits[node].prevails() {
            return Some(node);
        }
        let leader = self.leaders[node] as usize;
        self.traits[leader].prevails().then_some(leader)
    }

    /// Whether references to the name of `node` bind to it.
    #[inline]
    pub(crate) fn prevails(&self, node: Node) -> bool {
        self.traits[node].prevails()
    }

    /// Whether an alias of its module stands for `node`.
    pub(crate) fn is_aliased(&self, node: Node) -> bool {
        self.aliased.binary_search(&node).is_ok()
    }

    /// What the definition at `node` is to the linked program.
    pub(crate) fn standing(&self, node: Node) -> Standing {
        self.traits[node].standing
    }

    /// Whether the definition at `node` serves inlining in its module, while another module has the
    /// program's definition, which does the same.
    pub(crate) fn is_inspected(&self, node: Node) -> bool {
        self.standing(node) == Standing::Copy
    }

    /// Whether the body at `node` can end up in the program: emitted, or inlined somewhere. What
    /// another body names does not count.
    #[inline]
    pub(crate) fn counts(&self, node: Node) -> bool {
        self.traits[node].standing != Standing::Dropped
    }

    /// Whether an earlier copy of its name, which counts, names and does the same as the definition at
    /// `node`. Who asks about the copies of a name together can pass over it.
    #[inline]
    pub(crate) fn is_repeated(&self, node: Node) -> bool {
        self.traits[node].repeats()
    }

    fn find_standing(&self, node: Node) -> Standing {
        if self.is_local(node) {
            return Standing::Local;
        }
        if self.prevails(node) {
            return Standing::Prevailing;
        }
        let linkage = self.linkage(node);
        if linkage == Linkage::AvailableExternally {
            Standing::Copy
        } else if self.is_kernel(node) {
            Standing::Dropped
        } else if self.is_aliased(node) {
            Standing::Untouched
        } else if linkage.is_interposable() || self.is_alias(node) {
            Standing::Dropped
        } else {
            Standing::Copy
        }
    }

    /// Whether importers take a copy of the variable at `node` in place of a reference.
    #[inline]
    pub(crate) fn is_copyable(&self, node: Node) -> bool {
        let traits = self.traits[node];
        traits.kind == Kind::Copyable && traits.is_local()
    }

    /// Whether `node` is one of LLVM's own, which each module has under the same name.
    pub(crate) fn is_special(&self, node: Node) -> bool {
        self.code.is_special(node)
    }

    /// Whether `node` is another name of a symbol of its module.
    pub(crate) fn is_alias(&self, node: Node) -> bool {
        self.traits[node].kind == Kind::Alias
    }

    /// Whether `node` is a function with a body.
    #[inline]
    pub(crate) fn is_function(&self, node: Node) -> bool {
        self.traits[node].kind == Kind::Function
    }

    /// The facts of the function at `node`, if it has a body.
    #[inline]
    pub(crate) fn function(&self, node: Node) -> Option<Function<'_>> {
        self.is_function(node).then(|| self.code.function(node))
    }

    /// Whether `node` is one of the arrays that list symbols.
    pub(crate) fn is_listing(&self, node: Node) -> bool {
        self.traits[node].is_variable() && self.is_local(node) && is_listing(self.name(node))
    }

    /// Whether `node` is a kernel with a body.
    pub(crate) fn is_kernel(&self, node: Node) -> bool {
        self.function(node).is_some_and(|function| function.flags().kernel)
    }
}

/// A position among nodes or modules, of which there are fewer than 2^32.
pub(crate) fn position(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(NONE)
}
