//! A generated program: its modules, their symbols and their calls.

/// Sizes of functions in instructions, all as likely.
pub const SIZES: [u32; 20] =
    [3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 18, 22, 27, 34, 45, 62, 95, 160, 420];

/// Modules that a module calls besides itself and the utilities.
pub(crate) const NEIGHBOURS: usize = 8;

/// A generated program, whose modules are made one by one.
pub trait Program: Sync {
    /// Number of modules.
    fn modules(&self) -> usize;

    /// One of the modules.
    fn module(&self, module: usize) -> Module;
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
