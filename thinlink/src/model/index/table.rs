//! The merged units, as arrays that are looked into by node.

use std::hint::black_box;
use std::ops::Range;

use weft_artifact::{Definition, Linkage, ModuleId, SymbolIndex};

use super::ranks::Ranks;
use super::role::{Role, Traits};
use crate::model::program::{Body, Code, Device, Function, Kind, PackedUnit, Symbol};

/// Position of a symbol among all modules' symbols.
pub(crate) type Node = usize;

/// Position of a module among those with device code.
pub(crate) type Module = usize;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// The merged units.
pub(crate) struct Index<'units> {
    /// Units with device code in module-id order.
    pub(crate) units: Vec<(&'units PackedUnit, &'units Device)>,
    /// The place of each module in the link, if the build states an order.
    pub(super) link_places: Option<Vec<u32>>,
    pub(super) code: Code,
    /// First node of each module, and the number of nodes at the end.
    pub(super) starts: Vec<Node>,
    pub(super) modules: Vec<u32>,
    pub(super) traits: Vec<Traits>,
    /// Of each node: the one that stands for its name.
    pub(super) leaders: Vec<u32>,
    /// Names with several definitions: their number, and then those, in module-id order.
    pub(super) copies: Vec<u32>,
    /// Of leaders of such names: where they start.
    pub(super) copies_start: Vec<u32>,
    /// Of nodes: how many definitions are before them.
    pub(super) ranks: Ranks,
    /// Nodes for which an alias of the same module stands, sorted.
    pub(super) aliased: Vec<Node>,
    /// What the user should hear of definitions that differ, sorted.
    pub(crate) disagreements: Vec<String>,
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
    pub(crate) fn unit(&self, module: Module) -> &'units PackedUnit {
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
    pub(crate) fn role(&self, node: Node) -> Role {
        self.traits[node].role
    }

    /// Whether the definition at `node` serves inlining in its module, while another module has the
    /// program's definition, which does the same.
    pub(crate) fn is_inspected(&self, node: Node) -> bool {
        self.role(node) == Role::Copy
    }

    /// Whether the body at `node` can end up in the program: emitted, or inlined somewhere. What
    /// another body names does not count.
    #[inline]
    pub(crate) fn counts(&self, node: Node) -> bool {
        self.traits[node].role != Role::Dropped
    }

    /// Whether an earlier copy of its name, which counts, names and does the same as the definition at
    /// `node`. Who asks about the copies of a name together can pass over it.
    #[inline]
    pub(crate) fn is_repeated(&self, node: Node) -> bool {
        self.traits[node].repeats()
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
