//! Pseudo-random programs of many units, for benches and tests of the thin link.
//!
//! One seed gives one program, everywhere. What it looks like follows what large CUDA programs do:
//!
//! | what | distribution |
//! |---|---|
//! | symbols defined per module | uniform from half to one and a half times the mean |
//! | kinds | 1 in 25 a kernel, 1 in 12 a constant table, the rest functions |
//! | linkage of functions | 40 % external, 45 % `linkonce_odr`, 15 % internal |
//! | copies of a `linkonce_odr` function | from a pool of templates; a few are in nearly every module |
//! | instructions | drawn from [`SIZES`]: median 13, mean about 50 |
//! | calls | in proportion to the instructions, uniform from none to twice that |
//! | callees of a template | at most six other templates, the same in every copy |
//! | other callees | 70 % of the module itself, 25 % of one of 8 neighbours, 5 % of the utility modules |
//!
//! Neighbours are modules close by in the order of ids, so that folders are what calls stay in. The
//! utility modules are the first one in a hundred.

mod dense;
mod generate;
mod ir;

pub use dense::Dense;
pub use ir::{architecture_of_ir, module_text};

/// Sizes of functions in instructions, all as likely.
pub const SIZES: [u32; 20] =
    [3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 18, 22, 27, 34, 45, 62, 95, 160, 420];

/// Modules that a module calls besides itself and the utilities.
const NEIGHBOURS: usize = 8;

/// A generated program, whose modules are made one by one.
pub trait Program: Sync {
    /// Number of modules.
    fn modules(&self) -> usize;

    /// One of the modules.
    fn module(&self, module: usize) -> Module;
}

/// What to generate.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of modules.
    pub modules: usize,
    /// Definitions per module, on average.
    pub symbols: usize,
    /// Functions called per thousand instructions, on average.
    pub density: usize,
    /// Which of all such programs.
    pub seed: u64,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Graph {
    shape: Shape,
    /// What each module offers to others: its external functions.
    offers: Vec<Vec<u32>>,
}

/// One unit. Its symbols are sorted by name.
#[derive(Clone, Debug)]
pub struct Module {
    /// The module id.
    pub id: String,
    /// Definitions, and declarations of what they call in other modules.
    pub symbols: Vec<Symbol>,
}

/// A global value.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Mangled name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// Kinds of symbols.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Defined in another module.
    Declaration,
    /// A read-only table of 16 words, seen everywhere.
    Table,
    /// A function.
    Function(Function),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// How it is linked.
    pub linkage: Linkage,
    /// An entry point.
    pub kernel: bool,
    /// Marked `noinline`.
    pub no_inline: bool,
    /// Marked `alwaysinline`.
    pub always_inline: bool,
    /// How often it is called, for graphs with a profile.
    pub heat: Heat,
    /// IR instructions, the calls and the return among them.
    pub instructions: u32,
    /// Positions of the callees in the module's symbols, sorted, each once.
    pub calls: Vec<u32>,
    /// Positions of the tables that it reads, sorted, each once.
    pub reads: Vec<u32>,
}

/// How often a function is entered, beside all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
    /// Hardly ever.
    Cold,
    /// Now and then.
    Warm,
    /// Often.
    Hot,
}

/// How a function is linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Seen everywhere, one definition.
    External,
    /// Seen everywhere, a copy in each module that uses it.
    LinkonceOdr,
    /// Seen in its module.
    Internal,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_stands_for_one_program_with_the_stated_numbers() {
        let shape = Shape { modules: 60, symbols: 100, density: 70, seed: 7 };
        let graph = Graph::new(shape);
        let (mut defined, mut calls, mut functions) = (0, 0, 0);
        for module in 0..graph.modules() {
            let built = graph.module(module);
            assert!(built.symbols.is_sorted_by(|one, other| one.name < other.name));
            assert_eq!(format!("{built:?}"), format!("{:?}", Graph::new(shape).module(module)));
            for symbol in &built.symbols {
                defined += usize::from(!matches!(symbol.kind, Kind::Declaration));
                if let Kind::Function(function) = &symbol.kind {
                    functions += 1;
                    calls += function.calls.len();
                }
            }
        }
        assert!((5000..7000).contains(&defined), "{defined} definitions");
        assert!((18..30).contains(&(10 * calls / functions)), "{calls} calls");
    }

    #[test]
    fn a_dense_program_has_the_stated_numbers() {
        let dense = Dense { modules: 100, functions: 200, calls: 8, seed: 3 };
        let (mut calls, mut inside, mut kernels) = (0, 0, 0);
        for number in 0..dense.modules() {
            let module = dense.module(number);
            assert!(module.symbols.is_sorted_by(|one, other| one.name < other.name));
            assert_eq!(format!("{module:?}"), format!("{:?}", dense.module(number)));
            let definition = |symbol: &Symbol| match &symbol.kind {
                Kind::Function(function) => Some(function.clone()),
                Kind::Table | Kind::Declaration => None,
            };
            let functions: Vec<Function> = module.symbols.iter().filter_map(definition).collect();
            assert_eq!(functions.len(), 200);
            kernels += functions.iter().filter(|function| function.kernel).count();
            for callee in functions.iter().flat_map(|function| &function.calls) {
                let callee = &module.symbols[*callee as usize].kind;
                assert!(!matches!(callee, Kind::Function(Function { kernel: true, .. })));
                calls += 1;
                inside += usize::from(matches!(callee, Kind::Function(_)));
            }
        }
        assert_eq!(kernels, 40);
        assert!((75..82).contains(&(calls / 2000)), "{calls} calls");
        assert!(
            (68..72).contains(&(100 * inside / calls)),
            "{inside} of {calls} calls stay inside"
        );
    }
}
