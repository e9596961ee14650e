//! What code at one place of a program can name, and what it may still cost to run.

use super::types::{Param, Type};

/// From where something can be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    /// Every unit and the header.
    Everywhere,
    /// One unit.
    Unit(usize),
}

impl Visibility {
    pub(super) fn reaches(self, place: Place) -> bool {
        match (self, place) {
            (Self::Everywhere, _) => true,
            (Self::Unit(own), Place::Unit(unit)) => own == unit,
            (Self::Unit(_), Place::Header) => false,
        }
    }
}

/// Where code stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the header, so in every unit that uses it.
    Header,
    /// In one unit.
    Unit(usize),
}

/// How a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// By its name.
    Direct,
    /// By its name and a small number as template argument.
    Template,
    /// Through a table of that many pointers.
    Table(usize),
    /// As a method of an object.
    Method,
}

/// Something to call.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) params: Vec<Param>,
    pub(super) result: Type,
    pub(super) visibility: Visibility,
    /// The most expressions that one call evaluates, callees included.
    pub(super) cost: u64,
}

impl Callable {
    /// Its address can be taken as a `Callback`.
    pub(super) fn is_callback(&self) -> bool {
        let word = Param::Value(Type::U32);
        self.shape == Shape::Direct
            && self.result == Type::U32
            && self.params == [word, word]
            && self.cost <= CALLBACK_COST
    }
}

/// The most that a function which is called by pointer costs.
pub(super) const CALLBACK_COST: u64 = 400;
/// The most that any function costs. Programs have to end soon.
pub(super) const FUNCTION_COST: u64 = 3000;

/// A variable of the program that is an array of eight words.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) name: String,
    pub(super) visibility: Visibility,
    pub(super) is_writable: bool,
}

/// What a body can name beside the program's functions and variables.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) place: Place,
    /// Values, and whether they may be assigned.
    pub(super) values: Vec<(String, Type, bool)>,
    /// Arrays of eight words, and whether they may be written.
    pub(super) arrays: Vec<(String, bool)>,
    pub(super) callbacks: Vec<String>,
    pub(super) objects: Vec<String>,
    /// The statement that leaves the function early.
    pub(super) exit: String,
    /// How many times the current statement runs at most.
    pub(super) times: u64,
    /// Cost so far.
    pub(super) cost: u64,
    /// What the body may cost in all.
    pub(super) limit: u64,
}

impl Scope {
    /// Names and types of the values that may be assigned.
    pub(super) fn writable(&self) -> Vec<(String, Type)> {
        let writable = self.values.iter().filter(|(_, _, writable)| *writable);
        writable.map(|(name, of, _)| (name.clone(), *of)).collect()
    }

    pub(super) fn new(place: Place, limit: u64) -> Self {
        Self {
            place,
            values: Vec::new(),
            arrays: Vec::new(),
            callbacks: Vec::new(),
            objects: Vec::new(),
            exit: String::new(),
            times: 1,
            cost: 0,
            limit,
        }
    }

    /// Brings parameters in, as `p0`, `p1` and so on, and declares them.
    pub(super) fn parameters(&mut self, params: &[Param]) -> String {
        let declared = params.iter().enumerate().map(|(number, param)| {
            let name = format!("p{number}");
            let declared = param.declare(&name);
            match param {
                Param::Value(of) => self.values.push((name, *of, true)),
                Param::Array => self.arrays.push((name, true)),
                Param::Callback => self.callbacks.push(name),
                Param::Object => self.objects.push(name),
                Param::Depth => self.values.push((name, Type::U32, false)),
            }
            declared
        });
        declared.collect::<Vec<_>>().join(", ")
    }

    /// Pays for `cost` at the current statement, if there is enough left.
    pub(super) fn pay(&mut self, cost: u64) -> bool {
        let total = self.cost.saturating_add(cost.saturating_mul(self.times));
        let enough = total <= self.limit;
        if enough {
            self.cost = total;
        }
        enough
    }
}
