//! Addresses of variables, and numbers of functions.

use std::collections::BTreeMap;

use super::names::{Definition, Names};
use crate::decode::Symbol;
use crate::fault::{Fault, Result};
use crate::memory::{Allocation, Global, code_address, generic};
use crate::text::{Datum, Module, Space, Variable};

/// Alignment of dynamic shared memory: the largest that PTX files ask for.
const DYNAMIC_ALIGNMENT: u64 = 1024;

/// The meaning of the symbols of each module.
pub(super) struct Placed {
    local: Vec<BTreeMap<String, Symbol>>,
    shared: BTreeMap<String, Symbol>,
    /// Module and position of each function that can run.
    pub(super) functions: Vec<(usize, usize)>,
    /// Module and position of each variable that has bytes in global memory.
    variables: Vec<(usize, usize)>,
    pub(super) shared_bytes: u64,
}

impl Placed {
    pub(super) fn of(modules: &[Module], names: &Names) -> Self {
        let mut placed = Self {
            local: vec![BTreeMap::new(); modules.len()],
            shared: BTreeMap::new(),
            functions: Vec::new(),
            variables: Vec::new(),
            shared_bytes: 0,
        };
        let mut global = Global::default();
        let local = names.local.iter().enumerate().flat_map(|(module, names)| {
            names.iter().map(move |(name, definition)| (module, name, *definition, true))
        });
        let shared = names.global.iter();
        let shared = shared.map(|(name, (module, definition))| (*module, name, *definition, false));
        for (module, name, definition, is_local) in local.chain(shared) {
            let symbol = match definition {
                Definition::Alias(_) => continue,
                Definition::Function(number) => {
                    placed.functions.push((module, number));
                    Symbol::Function(placed.functions.len() - 1)
                }
                Definition::Variable(number) => {
                    let variable = &modules[module].variables[number];
                    placed.place(&mut global, variable, (module, number))
                }
            };
            placed.insert(module, name, symbol, is_local);
        }
        placed.shared_bytes = placed.shared_bytes.next_multiple_of(DYNAMIC_ALIGNMENT);
        placed.place_dynamic(modules);
        placed
    }

    fn insert(&mut self, module: usize, name: &str, symbol: Symbol, is_local: bool) {
        let names = if is_local { &mut self.local[module] } else { &mut self.shared };
        names.insert(name.to_owned(), symbol);
    }

    fn place(&mut self, global: &mut Global, variable: &Variable, at: (usize, usize)) -> Symbol {
        let Variable { space, alignment, of, count, .. } = variable;
        let bytes = of.bytes() * count;
        if *space == Space::Shared {
            let address = self.shared_bytes.next_multiple_of(*alignment);
            self.shared_bytes = address + bytes;
            return Symbol::Variable(Space::Shared, address);
        }
        self.variables.push(at);
        Symbol::Variable(*space, global.add(empty(variable), *alignment))
    }

    /// All arrays without a size lie behind the other shared memory.
    fn place_dynamic(&mut self, modules: &[Module]) {
        let address = Symbol::Variable(Space::Shared, self.shared_bytes);
        for (number, module) in modules.iter().enumerate() {
            let shared = module
                .variables
                .iter()
                .filter(|variable| variable.space == Space::Shared && variable.count == 0);
            for variable in shared {
                self.local[number].insert(variable.name.clone(), address);
            }
        }
    }

    /// Gives aliases the meaning of their aliasees.
    pub(super) fn add_aliases(&mut self, modules: &[Module], names: &Names) -> Result<()> {
        let local = names.local.iter().enumerate().flat_map(|(module, names)| {
            names.iter().map(move |(name, definition)| (module, name, *definition, true))
        });
        let shared = names.global.iter();
        let shared = shared.map(|(name, (module, definition))| (*module, name, *definition, false));
        for (module, name, definition, is_local) in local.chain(shared) {
            if let Definition::Alias(number) = definition {
                let (_, aliased, line) = &modules[module].aliases[number];
                let symbol = self.symbol(module, aliased).ok_or_else(|| {
                    Fault::new(format!("nothing defines {aliased}, of which {name} is an alias"))
                        .located(&modules[module].file, *line)
                })?;
                self.insert(module, name, symbol, is_local);
            }
        }
        Ok(())
    }

    /// Returns the meaning of a name in a module.
    pub(super) fn symbol(&self, module: usize, name: &str) -> Option<Symbol> {
        self.local[module].get(name).or_else(|| self.shared.get(name)).copied()
    }

    /// Returns the memory with the initial values.
    pub(super) fn global(&self, modules: &[Module]) -> Result<Global> {
        let mut global = Global::default();
        for (module, number) in &self.variables {
            let variable = &modules[*module].variables[*number];
            let mut allocation = empty(variable);
            for (place, datum) in variable.initial.iter().enumerate() {
                let value = self
                    .value(*module, datum)
                    .map_err(|fault| fault.located(&modules[*module].file, variable.line))?;
                let size = usize::try_from(variable.of.bytes()).unwrap_or(usize::MAX);
                let bytes = allocation.bytes.chunks_exact_mut(size).nth(place);
                let bytes = bytes.ok_or_else(|| {
                    Fault::new(format!("{} has too many initial values", variable.name))
                        .located(&modules[*module].file, variable.line)
                })?;
                bytes.copy_from_slice(&value.to_le_bytes()[..size]);
            }
            global.add(allocation, variable.alignment);
        }
        Ok(global)
    }

    fn value(&self, module: usize, datum: &Datum) -> Result<u64> {
        let Datum::Symbol { name, offset, mask, is_generic } = datum else {
            let Datum::Number(number) = datum else { return Ok(0) };
            return Ok(*number);
        };
        let address = match self.symbol(module, name) {
            Some(Symbol::Function(number)) => code_address(number),
            Some(Symbol::Variable(space, address)) if *is_generic => generic(space, address),
            Some(Symbol::Variable(_, address)) => address,
            // Lists of used symbols name some that no file defines.
            _ => return Err(Fault::new(format!("nothing defines the symbol {name}"))),
        };
        Ok((address.wrapping_add(*offset) & mask) >> mask.trailing_zeros())
    }

    /// Returns addresses and sizes of the variables whose names are unambiguous.
    pub(super) fn host_variables(&self, modules: &[Module]) -> BTreeMap<String, (u64, u64)> {
        let mut found = BTreeMap::new();
        let mut ambiguous = Vec::new();
        for (module, number) in &self.variables {
            let Variable { name, of, count, .. } = &modules[*module].variables[*number];
            if let Some(Symbol::Variable(_, address)) = self.symbol(*module, name)
                && found.insert(name.clone(), (address, of.bytes() * count)).is_some()
            {
                ambiguous.push(name.clone());
            }
        }
        found.retain(|name, _| !ambiguous.contains(name));
        found
    }
}

/// Returns the bytes of a variable without its initial values.
fn empty(variable: &Variable) -> Allocation {
    let bytes = usize::try_from(variable.of.bytes() * variable.count).unwrap_or(usize::MAX);
    Allocation { bytes: vec![0; bytes], is_constant: variable.space == Space::Const }
}
