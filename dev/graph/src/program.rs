//! A generated program: its modules, their symbols and their calls.

/// Sizes of functions in instructions, equally likely.
pub const SIZES: [u32; 20] =
    [3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 18, 22, 27, 34, 45, 62, 95, 160, 420];

/// Number of modules that a module calls besides itself and the utilities.
pub(crate) const NEIGHBORS: usize = 8;

/// A generated program, whose modules are made one by one.
pub trait Program: Sync {
    /// Returns the number of modules.
    fn modules(&self) -> usize;

    /// Makes one of the modules.
    fn module(&self, module: usize) -> Module;
}

/// One unit, with its symbols sorted by name.
#[derive(Clone, Debug)]
pub struct Module {
    /// Module id.
    pub id: String,
    /// Definitions, and declarations of their callees in other modules.
    pub symbols: Vec<Symbol>,
}

/// A global value.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Mangled name.
    pub name: String,
    /// Kind of the symbol, with its definition.
    pub kind: Kind,
}

/// Kinds of symbols.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Declaration of a function that another module defines.
    Declaration,
    /// A read-only table of 16 words, with external linkage.
    Table,
    /// A function.
    Function(Function),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Linkage of the function.
    pub linkage: Linkage,
    /// Whether the function is a kernel.
    pub kernel: bool,
    /// Whether the function is marked `noinline`.
    pub no_inline: bool,
    /// Whether the function is marked `alwaysinline`.
    pub always_inline: bool,
    /// Frequency of the function's calls, for graphs with a profile.
    pub heat: Heat,
    /// Number of IR instructions, with the calls and the return.
    pub instructions: u32,
    /// Positions of the callees in the module's symbols, sorted, without duplicates.
    pub calls: Vec<u32>,
    /// Positions of the tables that the function reads, sorted, without duplicates.
    pub reads: Vec<u32>,
}

/// Frequency of a function's calls beside those of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
    /// The function is hardly ever called.
    Cold,
    /// The function is called now and then.
    Warm,
    /// The function is called often.
    Hot,
}

/// Linkage of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Visible in all modules, with one definition.
    External,
    /// Visible in all modules, with a definition in each module that uses it.
    LinkonceOdr,
    /// Visible in its module.
    Internal,
}
