//! Chooses the modules that one job compiles as one.
//!
//! A job costs three processes, however small its module is, and ptxas generates its best code for
//! kernels that it sees together. So `--pack` groups modules with consecutive ids into bundles up
//! to a size, and `--full` puts all of them into one bundle or into a given number. A build that
//! must know its jobs before the thin link runs gives that number: then bundles follow from the
//! module ids alone.
//!
//! Some modules cannot be in one bundle:
//!
//! - variables of the two modules point to each other: LLVM's code generator for NVIDIA writes a
//!   variable after those that its initializer names, and refuses a cycle within a module, as
//!   NVIDIA's own does;
//! - a local has to keep its name, since assembly or the host uses it, and the other module has a
//!   symbol of that name, too;
//! - an alias refers to a non-prevailing definition, which has to stay, and the other module also
//!   defines that name.
//!
//! Modules of NVIDIA's LTO IR are linked by nvlink. It takes units of one arithmetic at a time, and
//! renames one of two locals of the same name, after which nothing could tell them apart. That
//! matters for a variable that is written, and for a function whose address is taken.
//!
//! The next bundle begins with such a module, unless the number of bundles is given. Then it is an
//! error, since the build would not run the job of an additional bundle.
//!
//! Sizes are rounded up to powers of two, so few edits move a module to another bundle, but by no
//! more than a sixteenth of the limit, which is the most that stays unused per module.
//!
//! Cost: symbols once, and for each module the initializers that its variables reach in the bundle.

use std::collections::BTreeMap;

use crate::analyses::lasting_memory::{LASTING, SMALL_CONSTANT};
use crate::analyses::liveness::Liveness;
use crate::model::error::LinkError;
use crate::model::ids::{Id as _, ModuleIndex, NodeId, NodeRange, PerNode, number_of};
use crate::model::index::{Index, Role};
use crate::model::policy::Packing;

/// Number of steps in which sizes near the limit are rounded up.
const STEPS: u64 = 16;

/// The bundles of a program.
#[derive(Default)]
pub(crate) struct Bundles {
    /// The first member of each bundle; `None` if each module has a separate job.
    pub(crate) firsts: Option<Vec<ModuleIndex>>,
    /// A line about each module that could not join the one before it, and about their number.
    pub(crate) log: Vec<String>,
}

/// Chooses bundles as `packing` asks for them.
pub(crate) fn choose(
    index: &Index<'_>,
    liveness: &Liveness,
    packing: Packing,
) -> Result<Bundles, LinkError> {
    if packing == Packing::Alone {
        return Ok(Bundles::default());
    }
    let program = Program { index, liveness, facts: &LtoIrFacts::new(index, liveness) };
    let count = number_of(index.units.len());
    let mut bundle = Bundle::default();
    let mut log = Vec::new();
    for module in index.modules() {
        let pinned = program.pinned(module);
        let size = program.rounded_size(module, packing);
        let is_next = bundle.end > bundle.first
            && match packing {
                Packing::Alone => true,
                Packing::Whole => false,
                Packing::Number(number) => begins_bundle(module, count, number),
                Packing::Size(limit) => bundle.size.saturating_add(size) > u64::from(limit),
            };
        let obstacle = if is_next { None } else { program.obstacle(&bundle, module, &pinned) };
        if let Some(obstacle) = &obstacle {
            if matches!(packing, Packing::Number(_)) {
                return Err(program.error(obstacle, module));
            }
            log.push(format!(
                "packing: {} begins another job, as {}",
                index.unit(module).path.display(),
                program.reason(obstacle)
            ));
        }
        if is_next || obstacle.is_some() || bundle.firsts.is_empty() {
            bundle.begin(module);
        }
        bundle.join(module, pinned, size);
    }
    log.push(format!("packing: {count} modules in {} jobs", bundle.firsts.len()));
    Ok(Bundles { firsts: Some(bundle.firsts), log })
}

/// Whether `module` is the first of a bundle, if `count` modules are divided equally among `number`
/// bundles.
fn begins_bundle(module: ModuleIndex, count: u32, number: u32) -> bool {
    let number = u64::from(number.min(count));
    let bundle = |module: u64| module * number / u64::from(count);
    let position = u64::from(number_of(module.index()));
    position > 0 && bundle(position) != bundle(position - 1)
}

/// The current bundle, and the first members of all so far.
#[derive(Default)]
struct Bundle {
    firsts: Vec<ModuleIndex>,
    /// Positions of the first member, and behind the last one.
    first: u32,
    end: u32,
    /// Rounded sizes of all members.
    size: u64,
    pinned: Pinned,
}

/// Symbols whose names bind them to their modules.
#[derive(Default)]
struct Pinned {
    /// Locals that keep their names.
    locals: Vec<NodeId>,
    /// Non-prevailing definitions that are aliased.
    untouched: Vec<NodeId>,
}

impl Bundle {
    fn begin(&mut self, module: ModuleIndex) {
        self.firsts.push(module);
        self.first = number_of(module.index());
        self.size = 0;
        self.pinned = Pinned::default();
    }

    fn join(&mut self, module: ModuleIndex, pinned: Pinned, size: u64) {
        self.end = number_of(module.index()) + 1;
        self.size = self.size.saturating_add(size);
        self.pinned.locals.extend(pinned.locals);
        self.pinned.untouched.extend(pinned.untouched);
    }

    fn members(&self) -> impl Iterator<Item = ModuleIndex> + use<> {
        (self.first..self.end).map(ModuleIndex::new)
    }

    fn contains(&self, module: ModuleIndex) -> bool {
        (self.first..self.end).contains(&number_of(module.index()))
    }
}

/// Facts about the symbols of units of LTO IR.
struct LtoIrFacts {
    /// Whether live code takes the function's address, or an initializer holds it.
    addressed: PerNode<bool>,
    /// Whether code of the unit may write the variable.
    written: PerNode<bool>,
}

impl LtoIrFacts {
    fn new(index: &Index<'_>, liveness: &Liveness) -> Self {
        let none = || PerNode::filled(false, index.len());
        let (mut addressed, mut written) = (none(), none());
        for module in index.modules() {
            let Some(unit) = &index.units[module].1.lto_ir else { continue };
            let nodes = index.own_nodes(module);
            for symbol in &unit.written {
                written[nodes.at(symbol.0)] = true;
            }
            for node in nodes.filter(|&node| liveness.live[node]) {
                index.for_each_reference(node, |target| addressed[target] = true);
            }
        }
        Self { addressed, written }
    }
}

/// Reason for which a module cannot be in a bundle with another one.
enum Obstacle {
    /// Initializers of both form a cycle through these variables.
    Circle { own: NodeId, other: NodeId },
    /// A local of one has to keep its name, which the other module uses, too.
    Name { other: NodeId },
    /// An alias in one refers to a definition of a name that the other defines, too.
    Alias { other: NodeId },
    /// One is LTO IR, the other is not.
    Compiler { other: ModuleIndex },
    /// Both are LTO IR, and compute in different ways.
    Arithmetic { other: ModuleIndex },
}

#[derive(Clone, Copy)]
struct Program<'a, 'units> {
    index: &'a Index<'units>,
    liveness: &'a Liveness,
    facts: &'a LtoIrFacts,
}

impl Program<'_, '_> {
    fn pinned(self, module: ModuleIndex) -> Pinned {
        let Self { index, liveness, .. } = self;
        let mut pinned = Pinned::default();
        for node in index.own_nodes(module).filter(|&node| index.is_definition(node)) {
            if index.is_local(node) {
                let stays = if index.is_lto_ir(module) {
                    liveness.live[node] && !self.each_may_have_its_own(node)
                } else {
                    liveness.fixed[node] && !index.is_special(node)
                };
                pinned.locals.extend((stays && !index.is_listing(node)).then_some(node));
            } else if index.role(node) == Role::Untouched {
                pinned.untouched.push(node);
            }
        }
        pinned
    }

    /// Whether no job has to distinguish the LTO IR local at `node` from others of its name: the
    /// function is only called, or the small constant is never written.
    fn each_may_have_its_own(self, node: NodeId) -> bool {
        let Self { index, liveness, facts } = self;
        if liveness.fixed[node] || liveness.reasons[node].is_some() {
            return false;
        }
        match index.variable(node) {
            Some(variable) => {
                LASTING.contains(&index.address_space(node))
                    && variable.size() <= SMALL_CONSTANT
                    && !facts.written[node]
            }
            None => index.is_function(node) && !index.is_kernel(node) && !facts.addressed[node],
        }
    }

    /// Returns the IR instructions of the live functions of `module`, rounded up to a power of two
    /// or to a multiple of a sixteenth of the limit.
    fn rounded_size(self, module: ModuleIndex, packing: Packing) -> u64 {
        let Self { index, liveness, .. } = self;
        let live = index.own_nodes(module).filter(|&node| liveness.live[node]);
        let functions = live.filter_map(|node| index.function(node));
        let size: u64 = functions.map(|function| u64::from(function.instruction_count())).sum();
        let limit = if let Packing::Size(limit) = packing { u64::from(limit) } else { 0 };
        size.next_power_of_two().min(size.next_multiple_of((limit / STEPS).max(1)))
    }

    /// Returns the reason for which `module`, which has `pinned` symbols, cannot join `bundle`.
    fn obstacle(self, bundle: &Bundle, module: ModuleIndex, pinned: &Pinned) -> Option<Obstacle> {
        let index = self.index;
        let other = bundle.members().next()?;
        if index.is_lto_ir(other) != index.is_lto_ir(module) {
            return Some(Obstacle::Compiler { other });
        }
        if index.is_lto_ir(module) && index.arithmetic(other) != index.arithmetic(module) {
            return Some(Obstacle::Arithmetic { other });
        }
        for &own in &pinned.locals {
            let name = index.name(own);
            if let Some(other) = bundle.members().find_map(|member| index.find(member, name)) {
                return Some(Obstacle::Name { other });
            }
        }
        for &other in &bundle.pinned.locals {
            if index.find(module, index.name(other)).is_some() {
                return Some(Obstacle::Name { other });
            }
        }
        for &own in &pinned.untouched {
            let mut others = index.definitions(own).iter().copied();
            if let Some(other) = others.find(|&other| bundle.contains(index.member(other))) {
                return Some(Obstacle::Alias { other });
            }
        }
        for &other in &bundle.pinned.untouched {
            let mut owns = index.definitions(other).iter().copied();
            if owns.any(|own| index.member(own) == module) {
                return Some(Obstacle::Alias { other });
            }
        }
        self.circle(bundle, module)
    }

    /// Finds a cycle of initializers through variables of `module` and of `bundle`: follows the
    /// initializers depth first, where a variable met again on the current path closes a cycle.
    fn circle(self, bundle: &Bundle, module: ModuleIndex) -> Option<Obstacle> {
        let index = self.index;
        let start = index.own_nodes(ModuleIndex::new(bundle.first)).start();
        let own = index.own_nodes(module);
        let within = NodeRange::new(start.number(), own.end().number());
        // Whether each variable that was met is still on the path.
        let mut met: BTreeMap<NodeId, bool> = BTreeMap::new();
        for root in own.clone() {
            if !self.is_emitted_variable(root) || met.contains_key(&root) {
                continue;
            }
            let mut way = vec![(root, self.named_variables(root, &within))];
            met.insert(root, true);
            while let Some((node, named)) = way.last_mut() {
                let Some(next) = named.pop() else {
                    met.insert(*node, false);
                    way.pop();
                    continue;
                };
                match met.get(&next) {
                    Some(false) => {}
                    Some(true) => {
                        let on_circle = way.iter().map(|(node, _)| *node);
                        let on_circle = on_circle.skip_while(|&node| node != next);
                        let other = on_circle.clone().find(|&node| !own.contains(node));
                        let own = on_circle.clone().find(|&node| own.contains(node));
                        if let (Some(own), Some(other)) = (own, other) {
                            return Some(Obstacle::Circle { own, other });
                        }
                    }
                    None => {
                        met.insert(next, true);
                        let named = self.named_variables(next, &within);
                        way.push((next, named));
                    }
                }
            }
        }
        None
    }

    fn is_emitted_variable(self, node: NodeId) -> bool {
        let Self { index, liveness, .. } = self;
        index.kind(node).is_variable()
            && liveness.live[node]
            && index.prevails(node)
            && !index.is_special(node)
            && !index.is_listing(node)
    }

    /// Returns the variables `within` these nodes that the initializer at `node` names.
    fn named_variables(self, node: NodeId, within: &NodeRange) -> Vec<NodeId> {
        let mut named = Vec::new();
        self.index.for_each_reference(node, |target| {
            let provider = self.index.provider(target).filter(|&node| within.contains(node));
            named.extend(provider.filter(|&node| self.is_emitted_variable(node)));
        });
        named
    }

    /// Describes an obstacle between a module and one before it.
    fn reason(self, obstacle: &Obstacle) -> String {
        let index = self.index;
        let path = |node| index.unit(index.member(node)).path.display();
        match *obstacle {
            Obstacle::Circle { own, other } => format!(
                "the initializers of '{}' and of '{}' in {} lead to each other",
                index.name(own),
                index.name(other),
                path(other)
            ),
            Obstacle::Name { other } => format!(
                "{} has a symbol '{}', too, and one of the two is local and has to keep its name",
                path(other),
                index.name(other)
            ),
            Obstacle::Alias { other } => format!(
                "{} defines '{}', too, and an alias stands for one of the two",
                path(other),
                index.name(other)
            ),
            Obstacle::Compiler { other } => {
                let path = index.unit(other).path.display();
                if index.is_lto_ir(other) {
                    format!("{path} is LTO IR of nvcc, and this is bitcode")
                } else {
                    format!("{path} is bitcode, and this is LTO IR of nvcc")
                }
            }
            Obstacle::Arithmetic { other } => format!(
                "{} was compiled with other options of arithmetic (-ftz, -prec-div, -prec-sqrt, \
                 -fmad)",
                index.unit(other).path.display()
            ),
        }
    }

    fn error(self, obstacle: &Obstacle, module: ModuleIndex) -> LinkError {
        LinkError::Bundle {
            path: self.index.unit(module).path.clone(),
            reason: self.reason(obstacle),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_divided_equally() {
        let bundles = |count: u32, number: u32| {
            let firsts = (0..count).filter(|&module| {
                module == 0 || begins_bundle(ModuleIndex::new(module), count, number)
            });
            firsts.collect::<Vec<u32>>()
        };
        assert_eq!(bundles(7, 1), [0]);
        assert_eq!(bundles(7, 2), [0, 4]);
        assert_eq!(bundles(7, 3), [0, 3, 5]);
        assert_eq!(bundles(3, 9), [0, 1, 2]);
        for number in 1..40 {
            assert_eq!(bundles(40, number).len(), number as usize);
        }
    }
}
