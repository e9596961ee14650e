//! Finds the variables that code may write, by the addresses that it makes.
//!
//! In a job of a few kernels, nvlink treats a variable that these do not write as a constant, so
//! the thin link must know each variable that any code of the program may write. PTX shows that
//! without a memory analysis: an address starts at the variable's name, and moves through
//! registers. It may be read through. Any other use makes the variable count as written:
//!
//! | an address is | the variable is |
//! |---|---|
//! | the address of a load | not written |
//! | moved, added to, converted, chosen among others, compared | what the result is |
//! | an argument of a function with a known body | what the parameter is |
//! | the result of a local function that is only called by name | what the calls return |
//! | anything else: stored, stored to, passed elsewhere, returned, another operand | written |
//!
//! The order of instructions and control flow do not matter. Every register name is a node, and an
//! instruction is an edge from each operand to its result. One walk from the places where addresses
//! escape, against the edges, finds all variables in time linear in the text.
//!
//! The link may replace a function that several units define by another unit's definition. Its body
//! is trusted if it is a member function that cannot change its object (`_ZNK`), which only a class
//! can define.

use std::collections::BTreeMap;

use weft_container::PtxToken;

use super::statements::{names, operands};

/// A place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node(usize);

/// Parameters and results of a function that code calls by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Signature {
    /// Node of each parameter.
    pub(super) parameters: Vec<Node>,
    /// Nodes of the results.
    pub(super) results: Vec<Node>,
}

/// The flow of addresses in a module. The nodes of its symbols come first.
#[derive(Debug)]
pub(super) struct Flow {
    /// For each node, the nodes whose values it may have.
    sources: Vec<Vec<Node>>,
    /// Nodes whose values are used in ways that are not understood.
    escaping: Vec<Node>,
}

/// Instructions whose result is made of their operands.
const MOVES: [&str; 34] = [
    "abs", "add", "addc", "and", "bfe", "bfi", "brev", "clz", "cnot", "cvt", "cvta", "div", "lop3",
    "mad", "madc", "mapa", "max", "min", "mov", "mul", "neg", "not", "or", "popc", "prmt", "rem",
    "selp", "shf", "shfl", "shl", "shr", "slct", "sub", "xor",
];
/// Instructions that compare operands, or only name an address.
const HARMLESS: [&str; 7] = ["isspacep", "ld", "ldu", "prefetch", "prefetchu", "set", "setp"];

impl Flow {
    pub(super) fn new(symbols: usize) -> Self {
        Self { sources: vec![Vec::new(); symbols], escaping: Vec::new() }
    }

    /// Returns the node of a symbol.
    pub(super) const fn symbol(index: usize) -> Node {
        Node(index)
    }

    pub(super) fn node(&mut self) -> Node {
        self.sources.push(Vec::new());
        Node(self.sources.len() - 1)
    }

    /// Says that the values of `node` are used in a way that is not understood.
    pub(super) fn escapes(&mut self, node: Node) {
        self.escaping.push(node);
    }

    fn flows(&mut self, from: Node, to: Node) {
        if let Some(sources) = self.sources.get_mut(to.0) {
            sources.push(from);
        }
    }

    /// Returns for each node whether one of its values may escape.
    pub(super) fn escaped(&self) -> Vec<bool> {
        let mut escaped = vec![false; self.sources.len()];
        let mut pending = self.escaping.clone();
        while let Some(Node(node)) = pending.pop() {
            if let (Some(is_known), Some(sources)) = (escaped.get_mut(node), self.sources.get(node))
                && !std::mem::replace(is_known, true)
            {
                pending.extend(sources);
            }
        }
        escaped
    }
}

/// The names of one body.
pub(super) struct Body<'flow, 'text, Symbols> {
    flow: &'flow mut Flow,
    /// Finds the index of a symbol of the module.
    symbols: Symbols,
    names: BTreeMap<&'text str, Node>,
    /// For each open block, the names that it declares, with the nodes that they had outside.
    blocks: Vec<Vec<(&'text str, Option<Node>)>>,
}

impl<'flow, 'text, Symbols: Fn(&str) -> Option<usize>> Body<'flow, 'text, Symbols> {
    /// Begins a body with the given names of parameters and results.
    pub(super) fn new(
        flow: &'flow mut Flow,
        symbols: Symbols,
        names: impl Iterator<Item = (&'text str, Node)>,
    ) -> Self {
        Self { flow, symbols, names: names.collect(), blocks: Vec::new() }
    }

    pub(super) fn open(&mut self) {
        self.blocks.push(Vec::new());
    }

    pub(super) fn close(&mut self) {
        for (name, outside) in self.blocks.pop().unwrap_or_default().into_iter().rev() {
            match outside {
                Some(node) => self.names.insert(name, node),
                None => self.names.remove(name),
            };
        }
    }

    /// Gives a name that the current block declares its own node.
    pub(super) fn declare(&mut self, name: &'text str) {
        let node = self.flow.node();
        let outside = self.names.insert(name, node);
        if let Some(block) = self.blocks.last_mut() {
            block.push((name, outside));
        }
    }

    fn node(&mut self, name: &'text str) -> Node {
        if let Some(&node) = self.names.get(name) {
            return node;
        }
        if let Some(symbol) = (self.symbols)(name) {
            return Flow::symbol(symbol);
        }
        let node = self.flow.node();
        self.names.insert(name, node);
        node
    }

    /// Adds an instruction other than a call.
    pub(super) fn instruction(&mut self, opcode: &str, tokens: &[PtxToken<'text>]) {
        let base = opcode.split('.').next().unwrap_or_default();
        let moves_parameters = opcode.starts_with("ld.param") || opcode.starts_with("st.param");
        if moves_parameters || MOVES.binary_search(&base).is_ok() {
            let mut operands = operands(tokens);
            let results = operands.next().unwrap_or_default();
            let sources: Vec<Node> = operands.flat_map(names).map(|name| self.node(name)).collect();
            for result in names(results) {
                let result = self.node(result);
                for &source in &sources {
                    self.flow.flows(source, result);
                }
            }
        } else if HARMLESS.binary_search(&base).is_err() {
            for name in names(tokens) {
                let node = self.node(name);
                self.flow.escapes(node);
            }
        }
    }

    /// Adds a call with these operands. `callee` is the signature of a callee whose body is known.
    pub(super) fn call(
        &mut self,
        results: &[PtxToken<'text>],
        arguments: &[PtxToken<'text>],
        callee: Option<&Signature>,
    ) {
        let mut nodes = Vec::new();
        for argument in operands(inside(arguments)) {
            nodes.push(match names(argument).next() {
                Some(name) => self.node(name),
                None => self.flow.node(),
            });
        }
        let arguments = nodes;
        let results: Vec<Node> = names(inside(results)).map(|name| self.node(name)).collect();
        let known = callee.filter(|callee| callee.parameters.len() == arguments.len());
        let Some(callee) = known else {
            for argument in arguments {
                self.flow.escapes(argument);
            }
            return;
        };
        for (&argument, &parameter) in arguments.iter().zip(&callee.parameters) {
            self.flow.flows(argument, parameter);
        }
        for result in results {
            for &made in &callee.results {
                self.flow.flows(made, result);
            }
        }
    }
}

/// Returns the tokens between the parentheses around a list.
fn inside<'part, 'text>(tokens: &'part [PtxToken<'text>]) -> &'part [PtxToken<'text>] {
    let tokens = tokens.strip_prefix(&[PtxToken::Symbol('(')]).unwrap_or(tokens);
    tokens.strip_suffix(&[PtxToken::Symbol(')')]).unwrap_or(tokens)
}
