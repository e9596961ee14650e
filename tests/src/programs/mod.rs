//! Random CUDA programs of several units, without undefined behaviour, that end soon.
//!
//! They have what a device linker must get right: local functions and variables of the same name in
//! several units, inline functions and templates with static variables, weak functions, aliases,
//! tables of function pointers, virtual calls on classes of the header and of anonymous namespaces,
//! recursion across units, structures by value, lambdas, variables of every memory, dynamic shared memory
//! that each unit aligns in its own way, launch bounds, kernels that host code of any unit names in one
//! of several ways, and kernels that nothing launches. A seed gives the same program everywhere.

mod classes;
mod draft;
mod edits;
mod expressions;
mod functions;
mod kernels;
mod scope;
mod statements;
mod types;
mod variables;

pub use draft::{Definition, Unit};
pub use edits::{Edit, EditKind};
pub use kernels::{Argument, Launch, MEMORY};
pub use variables::HostArray;

use crate::random::Random;
use draft::Draft;

/// What CUDA's headers would give.
const PRELUDE: &str = include_str!("prelude.h");

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What every unit sees, before its own text.
    pub declarations: String,
    /// Functions that every unit sees, after all declarations.
    pub header: Vec<Definition>,
    /// The units.
    pub units: Vec<Unit>,
    /// The kernels that host code launches, in order.
    pub launches: Vec<Launch>,
    /// The variables that host code writes or reads.
    pub host_arrays: Vec<HostArray>,
}

impl Program {
    /// The program of `seed`.
    pub fn generate(seed: u64) -> Self {
        let mut draft = Draft::new(Random::new(seed));
        for unit in 0..draft.units.len() {
            let alignment = draft.random.pick(&[4, 4, 16, 64, 1024]);
            draft.units[unit].dynamic =
                format!("extern __shared__ __attribute__((aligned({alignment}))) u32 dynamic[];\n");
        }
        draft.world.structs = types::structs(&mut draft.random);
        let structs = types::declare(&draft.world.structs);
        draft.declare(&structs);
        let host_arrays = variables::add(&mut draft);
        for _ in 0..2 + draft.random.below(4) {
            functions::add_any(&mut draft);
        }
        classes::add(&mut draft);
        for _ in 0..4 + draft.random.below(10) {
            functions::add_any(&mut draft);
        }
        let launches = kernels::add(&mut draft, &host_arrays);
        let Draft { declarations, header, units, .. } = draft;
        Self { declarations, header, units, launches, host_arrays }
    }

    /// The text of a unit.
    pub fn text(&self, unit: usize) -> String {
        let mut text = format!("{PRELUDE}\n{}{}", self.units[unit].dynamic, self.declarations);
        for definition in self.header.iter().chain(&self.units[unit].definitions) {
            text.push_str(&definition.text);
        }
        text
    }

    /// The names of the units.
    pub fn names(&self) -> Vec<&str> {
        self.units.iter().map(|unit| unit.name.as_str()).collect()
    }

    /// The order in which the units are linked. It is not the order of their names, so that
    /// mistaking one for the other is noticed where definitions differ.
    pub fn link_order(&self) -> Vec<&str> {
        self.names().into_iter().rev().collect()
    }
}
