//! Generation of a program, and its texts.

use super::draft::{Definition, Draft, Unit};
use super::kernels::Launch;
use super::variables::HostArray;
use super::{classes, functions, kernels, types, variables};
use dev_random::Choices;

/// Declarations instead of CUDA's headers.
pub(super) const PRELUDE: &str = include_str!("prelude.h.txt");

/// A generated program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Declarations that every unit sees before its own text.
    pub declarations: String,
    /// Functions that every unit sees, after all declarations.
    pub header: Vec<Definition>,
    /// The units.
    pub units: Vec<Unit>,
    /// Launches by host code, in order.
    pub launches: Vec<Launch>,
    /// Variables that host code writes or reads.
    pub host_arrays: Vec<HostArray>,
}

impl Program {
    /// Generates the program of `seed`.
    pub fn generate(seed: u64) -> Self {
        let mut draft = Draft::new(Choices::new(seed));
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

    /// Returns the text of a unit.
    pub fn text(&self, unit: usize) -> String {
        let mut text = format!("{PRELUDE}\n{}{}", self.units[unit].dynamic, self.declarations);
        for definition in self.header.iter().chain(&self.units[unit].definitions) {
            text.push_str(&definition.text);
        }
        text
    }

    /// Returns the names of the units.
    pub fn names(&self) -> Vec<&str> {
        self.units.iter().map(|unit| unit.name.as_str()).collect()
    }

    /// Returns the names of the units in link order, which is not the order of their names. So a
    /// test notices a confusion of the two where definitions differ.
    pub fn link_order(&self) -> Vec<&str> {
        self.names().into_iter().rev().collect()
    }
}
