//! Names that code at one place of a program can use, and the cost that it may still have at run
//! time.

use super::types::{Param, Type};

/// Places from which a definition can be named.
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

/// Place of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The header, and so every unit that uses it.
    Header,
    /// In one unit.
    Unit(usize),
}

/// Way of calling a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// By the function's name.
    Direct,
    /// By the function's name and a small number as template argument.
    Template,
    /// Through a table with this number of pointers.
    Table(usize),
    /// As a method of an object.
    Method,
}

/// A function, a table of function pointers or a virtual method that can be called.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) params: Vec<Param>,
    pub(super) result: Type,
    pub(super) visibility: Visibility,
    /// Maximum number of expressions that one call evaluates, callees included.
    pub(super) cost: u64,
}

impl Callable {
    /// Returns whether the address can be taken as a `Callback`.
    pub(super) fn is_callback(&self) -> bool {
        let word = Param::Value(Type::U32);
        self.shape == Shape::Direct
            && self.result == Type::U32
            && self.params == [word, word]
            && self.cost <= CALLBACK_COST
    }
}

/// Maximum cost of a function that is called by pointer.
pub(super) const CALLBACK_COST: u64 = 400;
/// Maximum cost of any function, so that programs end soon.
pub(super) const FUNCTION_COST: u64 = 3000;

/// A variable of the program that is an array of eight words.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) name: String,
    pub(super) visibility: Visibility,
    pub(super) is_writable: bool,
}

/// Names that a body can use beside the program's functions and variables.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) place: Place,
    /// Values, and whether they may be assigned.
    pub(super) values: Vec<(String, Type, bool)>,
    /// Arrays of eight words, and whether they may be written.
    pub(super) arrays: Vec<(String, bool)>,
    pub(super) callbacks: Vec<String>,
    pub(super) objects: Vec<String>,
    /// Statement that leaves the function early.
    pub(super) exit: String,
    /// Maximum number of times that the current statement runs.
    pub(super) times: u64,
    /// Cost so far.
    pub(super) cost: u64,
    /// Maximum cost of the body.
    pub(super) limit: u64,
}

impl Scope {
    /// Returns names and types of the values that may be assigned.
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

    /// Adds parameters to the scope as `p0`, `p1` and so on, and returns their declarations.
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

    /// Adds `cost` for the current statement and returns true if the limit allows it.
    pub(super) fn pay(&mut self, cost: u64) -> bool {
        let total = self.cost.saturating_add(cost.saturating_mul(self.times));
        let enough = total <= self.limit;
        if enough {
            self.cost = total;
        }
        enough
    }
}
