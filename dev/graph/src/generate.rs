//! Draws a program with templates and tables.

use std::collections::BTreeMap;

use dev_random::Xorshift64Star;

use crate::program::{Function, Heat, Kind, Linkage, Module, NEIGHBORS, Program, SIZES, Symbol};

/// Shape of a program.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of modules.
    pub modules: usize,
    /// Number of definitions per module, on average.
    pub symbols: usize,
    /// Number of functions called per thousand instructions, on average.
    pub density: usize,
    /// Seed of the program.
    pub seed: u64,
}

/// A program with templates and tables.
#[derive(Clone, Debug)]
pub struct Graph {
    shape: Shape,
    /// Numbers of the external functions of each module, which other modules call.
    offers: Vec<Vec<u32>>,
}

/// Maximum number of templates of a program.
const TEMPLATES: usize = 1 << 14;

/// A definition before its calls are drawn.
struct Draft {
    name: String,
    role: Role,
}

/// Kind of a definition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Kernel,
    Table,
    External,
    Internal,
    /// Instance of the template of that number. Its callees are instances of smaller numbers, so
    /// that all copies are equal.
    Instance(usize),
}

/// Properties that follow from a function's name, and so are equal in all copies.
struct NameProperties {
    instructions: u32,
    no_inline: bool,
    always_inline: bool,
    heat: Heat,
}

impl Graph {
    /// Draws the program of a shape.
    pub fn new(shape: Shape) -> Self {
        let mut graph = Self { shape, offers: Vec::new() };
        graph.offers = (0..shape.modules).map(|module| graph.offers_of(module)).collect();
        graph
    }

    fn random(&self, module: usize, purpose: u64) -> Xorshift64Star {
        Xorshift64Star::new(self.shape.seed ^ (module as u64) << 20 ^ purpose << 56)
    }

    fn definitions(&self, module: usize) -> usize {
        let mean = self.shape.symbols;
        mean / 2 + self.random(module, 1).below(mean + 1)
    }

    /// Draws the definitions of a module, with the numbers in their external names.
    fn drafts(&self, module: usize) -> Vec<(u32, Draft)> {
        let mut random = self.random(module, 2);
        // A larger program has more non-template code, but hardly more templates.
        let pool = (self.shape.modules * self.shape.symbols / 8).clamp(4, TEMPLATES);
        let mut drafts: BTreeMap<String, (u32, Draft)> = BTreeMap::new();
        let mut add = |number: u32, name: String, role: Role| {
            drafts.entry(name.clone()).or_insert((number, Draft { name, role }));
            drafts.len()
        };
        let wanted = self.definitions(module);
        for number in 0.. {
            let digits = number as usize;
            let count = if number == 0 || random.one_in(25) {
                let name = format!("_Z17kernel_{module:05}_{number:04}Pfi");
                add(number, name, Role::Kernel)
            } else if random.one_in(12) {
                let name = format!("_ZN5table{module:05}{}E", letters(digits));
                add(number, name, Role::Table)
            } else {
                match random.below(100) {
                    0..40 => add(number, external_name(module, digits), Role::External),
                    40..85 => {
                        // Small numbers are more likely, and the smallest are in nearly every
                        // module.
                        let bound = 1 + random.below(pool);
                        let bound = 1 + random.below(bound);
                        let mut instances = vec![random.below(bound)];
                        let mut count = 0;
                        while let Some(instance) = instances.pop() {
                            instances.extend(self.instance_callees(instance));
                            count = add(number, instance_name(instance), Role::Instance(instance));
                        }
                        count
                    }
                    _ => {
                        let name = format!("_ZL6local_{}fPKf", letters(digits));
                        add(number, name, Role::Internal)
                    }
                }
            };
            if count >= wanted {
                break;
            }
        }
        drafts.into_values().collect()
    }

    /// Draws at most six callees, whose numbers are at most half as large, so that few instances
    /// bring many others in.
    fn instance_callees(&self, instance: usize) -> Vec<usize> {
        let mut random = Xorshift64Star::new(self.shape.seed ^ (instance as u64) << 24);
        let count = if instance < 4 { 0 } else { random.below(7) };
        (0..count).map(|_| random.below(instance / 2)).collect()
    }

    fn offers_of(&self, module: usize) -> Vec<u32> {
        let offered =
            |(number, draft): (u32, Draft)| (draft.role == Role::External).then_some(number);
        self.drafts(module).into_iter().filter_map(offered).collect()
    }

    /// Returns the id of a module.
    pub fn id(&self, module: usize) -> String {
        format!("src/part{:03}/unit{module:05}.cu", module / 100)
    }

    fn properties(&self, name: &str) -> NameProperties {
        let hash = name.bytes().fold(self.shape.seed, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        let mut random = Xorshift64Star::new(hash);
        NameProperties {
            instructions: SIZES[random.below(SIZES.len())],
            no_inline: random.one_in(40),
            always_inline: random.one_in(60),
            heat: match random.below(10) {
                0..2 => Heat::Cold,
                2..8 => Heat::Warm,
                _ => Heat::Hot,
            },
        }
    }

    fn callee(&self, random: &mut Xorshift64Star, module: usize, own: &[&str]) -> Option<String> {
        let other = match random.below(100) {
            0..70 => {
                return own.get(random.below(own.len().max(1))).map(|&callee| callee.to_owned());
            }
            70..95 => (module + 1 + random.below(NEIGHBORS)) % self.shape.modules,
            _ => random.below(self.shape.modules.div_ceil(100)),
        };
        let offers = &self.offers[other];
        let offer = offers.get(random.below(offers.len().max(1)))?;
        Some(external_name(other, *offer as usize))
    }
}

impl Program for Graph {
    fn modules(&self) -> usize {
        self.shape.modules
    }

    fn module(&self, module: usize) -> Module {
        let mut random = self.random(module, 3);
        let drafts: BTreeMap<String, Draft> =
            self.drafts(module).into_iter().map(|(_, draft)| (draft.name.clone(), draft)).collect();
        let own: Vec<&str> = drafts.values().filter_map(callable).collect();
        let tables: Vec<&str> = drafts.values().filter_map(table).collect();
        // Names are drawn first, as positions follow from the order of all names.
        let mut functions: BTreeMap<&str, (Function, Vec<String>, Vec<&str>)> = BTreeMap::new();
        for draft in drafts.values().filter(|draft| draft.role != Role::Table) {
            let kernel = draft.role == Role::Kernel;
            let properties = self.properties(&draft.name);
            let calls = if let Role::Instance(instance) = draft.role {
                self.instance_callees(instance).into_iter().map(instance_name).collect()
            } else {
                let calls = properties.instructions as usize * self.shape.density;
                let calls = (random.below(2 * calls + 1) + 500) / 1000;
                (0..calls).filter_map(|_| self.callee(&mut random, module, &own)).collect()
            };
            let reads = match (draft.role, tables.len()) {
                (Role::Instance(_), _) | (_, 0) => Vec::new(),
                _ if !random.one_in(4) => Vec::new(),
                (_, count) => vec![tables[random.below(count)]],
            };
            let function = Function {
                linkage: match draft.role {
                    Role::Instance(_) => Linkage::LinkonceOdr,
                    Role::Internal => Linkage::Internal,
                    Role::Kernel | Role::Table | Role::External => Linkage::External,
                },
                kernel,
                no_inline: !kernel && properties.no_inline,
                always_inline: !kernel && properties.always_inline,
                heat: properties.heat,
                instructions: properties.instructions,
                calls: Vec::new(),
                reads: Vec::new(),
            };
            functions.insert(&draft.name, (function, calls, reads));
        }
        let mut names: Vec<String> = drafts.keys().cloned().collect();
        names.extend(functions.values().flat_map(|(_, calls, _)| calls.iter().cloned()));
        names.sort_unstable();
        names.dedup();
        let position = |name: &str| {
            let position = names.binary_search_by(|known| known.as_str().cmp(name));
            u32::try_from(position.unwrap_or_default()).unwrap_or_default()
        };
        let symbols = names.iter().map(|name| {
            let kind = match functions.remove(name.as_str()) {
                Some((function, calls, reads)) => {
                    let mut calls: Vec<u32> = calls.iter().map(|callee| position(callee)).collect();
                    calls.sort_unstable();
                    calls.dedup();
                    let mut reads: Vec<u32> = reads.iter().map(|table| position(table)).collect();
                    reads.dedup();
                    let least = u32::try_from(calls.len() + 2 * reads.len() + 1).unwrap_or(0);
                    let instructions = function.instructions.max(least);
                    Kind::Function(Function { instructions, calls, reads, ..function })
                }
                None if drafts.contains_key(name) => Kind::Table,
                None => Kind::Declaration,
            };
            Symbol { name: name.clone(), kind }
        });
        Module { id: self.id(module), symbols: symbols.collect() }
    }
}

fn callable(draft: &Draft) -> Option<&str> {
    (!matches!(draft.role, Role::Kernel | Role::Table)).then_some(draft.name.as_str())
}

fn table(draft: &Draft) -> Option<&str> {
    (draft.role == Role::Table).then_some(draft.name.as_str())
}

fn instance_name(instance: usize) -> String {
    format!("_ZN6detail{}IfLi{instance}EEvT_i", letters(instance))
}

fn external_name(module: usize, number: usize) -> String {
    format!("_ZN4unit{module:05}8evaluate_{}ERKNS_5StateEf", letters(number))
}

/// Renders a number as letters, so that it stays inside an identifier of a mangled name.
fn letters(mut number: usize) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b"abcdefghijklmnop"[number % 16]));
        number /= 16;
        if number == 0 {
            return text;
        }
    }
}
