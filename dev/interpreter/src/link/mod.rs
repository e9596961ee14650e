//! Linking of PTX files by the names of their symbols.

mod names;
mod place;

use std::collections::BTreeMap;

use crate::code::{Builtin, Code};
use crate::decode::{self, Symbol};
use crate::fault::{Fault, Result};
use crate::memory::Global;
use crate::text::{self, Module};

/// Functions that the CUDA driver provides, and the interpreter, too.
const BUILTINS: [(&str, Builtin); 4] = [
    ("vprintf", Builtin::Print),
    ("__assertfail", Builtin::FailAssertion),
    ("malloc", Builtin::Allocate),
    ("free", Builtin::Free),
];

/// A linked program.
pub struct Program {
    pub(crate) functions: Vec<Code>,
    /// Kernels by name.
    pub(crate) kernels: BTreeMap<String, usize>,
    /// Global memory before the first launch.
    pub(crate) global: Global,
    /// Addresses and sizes of the variables. A local name that several files have is left out.
    pub(crate) variables: BTreeMap<String, (u64, u64)>,
    /// Bytes of shared memory without the dynamic one, which follows.
    pub(crate) shared_bytes: u64,
}

impl Program {
    /// Links PTX files, each a name for messages and its text, in link order.
    ///
    /// Of several weak definitions of a name, the first one counts, unless a strong one exists.
    /// Two strong ones, an undefined symbol that code uses, and an unknown instruction are errors.
    pub fn link<'text>(files: impl IntoIterator<Item = (&'text str, &'text str)>) -> Result<Self> {
        let modules: Vec<Module> = files
            .into_iter()
            .map(|(name, text)| text::module(name, text))
            .collect::<Result<_>>()?;
        let names = names::Names::collect(&modules)?;
        let mut placed = place::Placed::of(&modules, &names);
        placed.add_aliases(&modules, &names)?;
        let global = placed.global(&modules)?;
        let mut functions = Vec::new();
        let mut kernels = BTreeMap::new();
        for (module, function) in &placed.functions {
            let Module { file, functions: own, .. } = &modules[*module];
            let function = &own[*function];
            if function.is_kernel
                && kernels.insert(function.name.clone(), functions.len()).is_some()
            {
                let message = format!("two files define the kernel {}", function.name);
                return Err(Fault::new(message).located(file, function.line));
            }
            let symbols = |name: &str| placed.symbol(*module, name).or_else(|| builtin(name));
            functions.push(decode::function(file, function, &symbols)?);
        }
        Ok(Self {
            functions,
            kernels,
            global,
            variables: placed.host_variables(&modules),
            shared_bytes: placed.shared_bytes,
        })
    }
}

impl Program {
    /// Returns the names of all kernels.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.keys().map(String::as_str)
    }

    /// Returns the names of the variables in global and constant memory.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.variables.keys().map(String::as_str)
    }
}

fn builtin(name: &str) -> Option<Symbol> {
    let found = BUILTINS.iter().find(|(builtin, _)| *builtin == name);
    found.map(|(_, builtin)| Symbol::Builtin(*builtin))
}
