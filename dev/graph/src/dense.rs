//! A program in which nearly every function can reach every other: many calls per function, over
//! modules that call each other in cycles.
//!
//! Real programs look like [`crate::Graph`]. This one shows the imports of a thin link, and their
//! cost, where no limit on a single callee ends a walk. All functions are drawn alike, without
//! templates or tables, so that nothing but calls decides.
//!
//! | property | distribution |
//! |---|---|
//! | functions per module | the same number in each |
//! | kernels | in every tenth module the first [`KERNELS`] functions |
//! | linkage of the others | 3 in 4 external, the rest internal |
//! | instructions | 10 to 60, equally likely, and never fewer than the calls need |
//! | calls | from half to one and a half times the mean |
//! | callees | 70 % own, 25 % of one of the next [`NEIGHBORS`] modules, 5 % of the utilities |
//!
//! The utility modules are the first [`UTILITIES`].

use dev_random::Xorshift64Star;

use crate::program::{Function, Heat, Kind, Linkage, Module, NEIGHBORS, Program, Symbol};

/// Number of modules that all others call, too.
const UTILITIES: usize = 20;

/// Number of kernels of a module that has any.
const KERNELS: usize = 4;

/// Shape of the program.
#[derive(Clone, Copy, Debug)]
pub struct Dense {
    /// Number of modules.
    pub modules: usize,
    /// Number of functions of each module.
    pub functions: usize,
    /// Number of calls in each function, on average.
    pub calls: usize,
    /// Seed of the program.
    pub seed: u64,
}

impl Dense {
    fn is_kernel(self, module: usize, function: usize) -> bool {
        module.is_multiple_of(10) && function < KERNELS.min(self.functions)
    }

    fn is_internal(self, module: usize, function: usize) -> bool {
        !self.is_kernel(module, function) && function % 4 == 3
    }

    /// Returns the name of a function. Names sort as their numbers do, so that callees lie in the
    /// module's order.
    fn name(self, module: usize, function: usize) -> String {
        if self.is_kernel(module, function) {
            format!("_Z18kernel_{module:05}_{function:05}Pfi")
        } else if self.is_internal(module, function) {
            format!("_ZL17local_{module:05}_{function:05}f")
        } else {
            format!("_ZN9unit{module:05}14evaluate_{function:05}Ef")
        }
    }

    /// Draws a callee of a function of `module`, as its module and number.
    fn callee(self, random: &mut Xorshift64Star, module: usize) -> (usize, usize) {
        let callee_module = match random.below(100) {
            0..70 => module,
            70..95 => (module + 1 + random.below(NEIGHBORS)) % self.modules,
            _ => random.below(UTILITIES.min(self.modules)),
        };
        loop {
            let function = random.below(self.functions);
            let is_hidden = callee_module != module && self.is_internal(callee_module, function);
            if !is_hidden && !self.is_kernel(callee_module, function) {
                return (callee_module, function);
            }
        }
    }
}

impl Program for Dense {
    fn modules(&self) -> usize {
        self.modules
    }

    fn module(&self, module: usize) -> Module {
        let mut random = Xorshift64Star::new(self.seed ^ (module as u64) << 20);
        let drawn: Vec<(u32, Vec<String>)> = (0..self.functions)
            .map(|_| {
                let count = self.calls / 2 + random.below(self.calls + 1);
                let callees = (0..count).map(|_| self.callee(&mut random, module));
                let mut callees: Vec<String> =
                    callees.map(|(module, function)| self.name(module, function)).collect();
                callees.sort_unstable();
                callees.dedup();
                let instructions = (10 + random.below(51)).max(callees.len() + 1);
                (u32::try_from(instructions).unwrap_or(u32::MAX), callees)
            })
            .collect();
        let mut names: Vec<(String, Option<usize>)> =
            (0..self.functions).map(|number| (self.name(module, number), Some(number))).collect();
        let own: std::collections::BTreeSet<&String> = names.iter().map(|(name, _)| name).collect();
        let mut others: Vec<String> =
            drawn.iter().flat_map(|(_, callees)| callees.clone()).collect();
        others.retain(|name| !own.contains(name));
        others.sort_unstable();
        others.dedup();
        names.extend(others.into_iter().map(|name| (name, None)));
        names.sort_unstable();
        let position = |name: &String| {
            let position = names.binary_search_by(|(known, _)| known.cmp(name));
            u32::try_from(position.unwrap_or_default()).unwrap_or_default()
        };
        let kind = |function: usize| {
            let (instructions, callees) = &drawn[function];
            let mut calls: Vec<u32> = callees.iter().map(position).collect();
            calls.sort_unstable();
            let is_internal = self.is_internal(module, function);
            Kind::Function(Function {
                linkage: if is_internal { Linkage::Internal } else { Linkage::External },
                kernel: self.is_kernel(module, function),
                no_inline: false,
                always_inline: false,
                heat: Heat::Warm,
                instructions: *instructions,
                calls,
                reads: Vec::new(),
            })
        };
        let symbols = names.iter().map(|(name, function)| Symbol {
            name: name.clone(),
            kind: function.map_or(Kind::Declaration, kind),
        });
        Module {
            id: format!("src/part{:03}/unit{module:05}.cu", module / 100),
            symbols: symbols.collect(),
        }
    }
}
