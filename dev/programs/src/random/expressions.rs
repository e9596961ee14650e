//! Random expressions without undefined behavior.
//!
//! Integers wrap around as unsigned numbers, shifts and divisions are guarded, small types widen
//! before they are multiplied, and floating-point numbers become integers through the functions of
//! the prelude.

use super::scope::{Array, CALLBACK_COST, Callable, Scope, Shape};
use super::types::{Param, Struct, Type};
use dev_random::Choices;

/// The types, functions, variables and classes that have been declared so far.
#[derive(Debug, Default)]
pub(super) struct World {
    pub(super) structs: Vec<Struct>,
    pub(super) callables: Vec<Callable>,
    pub(super) arrays: Vec<Array>,
    /// Classes with a constructor that takes a word, and their visibility.
    pub(super) classes: Vec<(String, super::scope::Visibility)>,
}

/// Writes random code.
pub(super) struct Writer<'program> {
    pub(super) random: &'program mut Choices,
    pub(super) world: &'program World,
    /// Number of local names so far.
    pub(super) names: usize,
}

impl Writer<'_> {
    /// Writes an expression of a type, with at most `depth` levels.
    pub(super) fn expression(&mut self, scope: &mut Scope, of: Type, depth: usize) -> String {
        scope.pay(1);
        let leaf = depth == 0 || scope.cost >= scope.limit;
        if !leaf
            && self.random.one_in(4)
            && let Some(call) = self.call(scope, depth - 1, of)
        {
            return call;
        }
        if (leaf || self.random.one_in(3))
            && let Some(value) = self.value(scope, of)
        {
            return value;
        }
        match of {
            Type::Struct(number) => self.aggregate(scope, number, depth.saturating_sub(1)),
            _ if leaf => self.literal(of),
            Type::F32 | Type::F64 => self.real(scope, of, depth - 1),
            Type::U32 | Type::U64 => self.unsigned(scope, of, depth - 1),
            Type::I32 | Type::I64 => self.signed(scope, of, depth - 1),
            Type::U8 | Type::U16 => {
                let word = self.expression(scope, Type::U32, depth - 1);
                format!("(({})({word}))", of.name())
            }
        }
    }

    pub(super) fn literal(&mut self, of: Type) -> String {
        let small = self.random.below(12);
        let bits = if self.random.one_in(3) { self.random.bits() } else { small as u64 };
        match of {
            Type::U8 => format!("(u8){}", bits & 0xff),
            Type::U16 => format!("(u16){}", bits & 0xffff),
            Type::U32 => format!("{}u", bits & 0xffff_ffff),
            Type::I32 => format!("(i32){}u", bits & 0xffff_ffff),
            Type::U64 => format!("{bits}ull"),
            Type::I64 => format!("(i64){bits}ull"),
            Type::F32 => format!("{small}.{}f", self.random.below(1000)),
            Type::F64 => format!("{small}.{}", self.random.below(1_000_000)),
            Type::Struct(number) => format!("S{number}{{}}"),
        }
    }

    /// Chooses a variable of the type, or a field of the type.
    fn value(&mut self, scope: &Scope, of: Type) -> Option<String> {
        let mut found: Vec<String> = Vec::new();
        for (name, value_type, _) in &scope.values {
            if *value_type == of {
                found.push(name.clone());
            } else if let Type::Struct(number) = *value_type {
                for (field, field_type) in self.world.structs[number].fields.iter().enumerate() {
                    if *field_type == of {
                        found.push(format!("{name}.f{field}"));
                    }
                }
            }
        }
        self.random.choose(&found).cloned()
    }

    fn aggregate(&mut self, scope: &mut Scope, number: usize, depth: usize) -> String {
        let world = self.world;
        let fields = &world.structs[number].fields;
        let values: Vec<_> =
            fields.iter().map(|of| self.expression(scope, *of, depth.min(1))).collect();
        format!("S{number}{{{}}}", values.join(", "))
    }

    fn real(&mut self, scope: &mut Scope, of: Type, depth: usize) -> String {
        let a = self.expression(scope, of, depth);
        match self.random.below(8) {
            kind @ 0..4 => {
                let b = self.expression(scope, of, depth);
                format!("({a} {} {b})", ["+", "-", "*", "/"][kind])
            }
            4 => {
                let b = self.expression(scope, of, depth);
                format!("({a} < {b} ? {b} : {a})")
            }
            5 => format!("(-{a})"),
            6 => {
                let word = self.expression(scope, Type::I32, depth);
                format!("(({}){word})", of.name())
            }
            _ => {
                let other = if of == Type::F32 { Type::F64 } else { Type::F32 };
                let b = self.expression(scope, other, depth);
                format!("({a} + ({}){b})", of.name())
            }
        }
    }

    fn signed(&mut self, scope: &mut Scope, of: Type, depth: usize) -> String {
        let (name, unsigned) =
            if of == Type::I32 { ("i32", Type::U32) } else { ("i64", Type::U64) };
        let word = self.expression(scope, unsigned, depth);
        match self.random.below(4) {
            0 => {
                let by = self.expression(scope, Type::U32, depth);
                format!("((({name}){word} >> 1) / ({name})(({by} & 255u) + 1u))")
            }
            1 => {
                let by = self.expression(scope, Type::U32, depth);
                format!("(({name}){word} >> ({by} & 31u))")
            }
            2 => format!("((({name}){word} >> 2) - 5)"),
            _ => format!("(({name}){word})"),
        }
    }

    fn unsigned(&mut self, scope: &mut Scope, of: Type, depth: usize) -> String {
        let (last, name) = if of == Type::U32 { (31, "u32") } else { (63, "u64") };
        match self.random.below(13) {
            kind @ 0..6 => {
                let (a, b) = (self.expression(scope, of, depth), self.expression(scope, of, depth));
                format!("({a} {} {b})", ["+", "-", "*", "^", "&", "|"][kind])
            }
            kind @ 6..8 => {
                let a = self.expression(scope, of, depth);
                let by = self.expression(scope, Type::U32, depth);
                format!("({a} {} ({by} & {last}u))", ["<<", ">>"][kind - 6])
            }
            kind @ 8..10 => {
                let (a, b) = (self.expression(scope, of, depth), self.expression(scope, of, depth));
                format!("({a} {} ({b} | 1u))", ["/", "%"][kind - 8])
            }
            10 => {
                let condition = self.condition(scope, depth);
                let (a, b) = (self.expression(scope, of, depth), self.expression(scope, of, depth));
                format!("({condition} ? {a} : {b})")
            }
            11 => match self.element(scope, depth, |_| true) {
                Some(element) => format!("({name}){element}"),
                None => self.literal(of),
            },
            _ => {
                let from = Type::scalar(self.random);
                let value = self.expression(scope, from, depth);
                self.as_unsigned(&value, from, name)
            }
        }
    }

    fn as_unsigned(&mut self, value: &str, from: Type, name: &str) -> String {
        match from {
            Type::F32 | Type::F64 if self.random.one_in(2) => format!("({name})bits({value})"),
            Type::F32 | Type::F64 => format!("({name})whole({value})"),
            _ => format!("({name}){value}"),
        }
    }

    /// Writes a condition.
    pub(super) fn condition(&mut self, scope: &mut Scope, depth: usize) -> String {
        let of = Type::scalar(self.random);
        let (a, b) = (self.expression(scope, of, depth), self.expression(scope, of, depth));
        format!("({a} {} {b})", self.random.pick(&["<", ">", "==", "!=", "<="]))
    }

    /// Writes an element of a visible array of words that `wanted` accepts.
    pub(super) fn element(
        &mut self,
        scope: &mut Scope,
        depth: usize,
        wanted: impl Fn(bool) -> bool,
    ) -> Option<String> {
        let array = self.array(scope, wanted)?;
        let index = self.expression(scope, Type::U32, depth);
        Some(format!("{array}[{index} & 7u]"))
    }

    /// Chooses a visible array. `wanted` decides from whether the array may be written.
    fn array(&mut self, scope: &Scope, wanted: impl Fn(bool) -> bool) -> Option<String> {
        let global = self.world.arrays.iter();
        let global = global.filter(|array| array.visibility.reaches(scope.place));
        let arrays: Vec<_> = global
            .map(|array| (&array.name, array.is_writable))
            .chain(scope.arrays.iter().map(|(name, is_writable)| (name, *is_writable)))
            .filter(|(_, is_writable)| wanted(*is_writable))
            .map(|(name, _)| name)
            .collect();
        self.random.choose(&arrays).map(|name| (*name).clone())
    }

    /// Writes a call of a function that returns the type, if the scope's budget allows one.
    pub(super) fn call(&mut self, scope: &mut Scope, depth: usize, of: Type) -> Option<String> {
        let world = self.world;
        if of == Type::U32
            && !scope.callbacks.is_empty()
            && self.random.one_in(3)
            && scope.pay(CALLBACK_COST)
        {
            let name = self.random.pick(&scope.callbacks).clone();
            let a = self.expression(scope, Type::U32, depth);
            let b = self.expression(scope, Type::U32, depth);
            return Some(format!("{name}({a}, {b})"));
        }
        let possible: Vec<&Callable> = world
            .callables
            .iter()
            .filter(|callable| callable.result == of && callable.visibility.reaches(scope.place))
            .filter(|callable| callable.shape != Shape::Method || !scope.objects.is_empty())
            .collect();
        let callable = *self.random.choose(&possible)?;
        if !scope.pay(callable.cost) {
            return None;
        }
        let mut arguments = Vec::new();
        for param in &callable.params {
            arguments.push(self.argument(scope, *param, depth)?);
        }
        let name = &callable.name;
        let called = match callable.shape {
            Shape::Direct => name.clone(),
            Shape::Template => format!("{name}<{}>", 1 + self.random.below(3)),
            Shape::Table(size) => {
                let index = self.expression(scope, Type::U32, depth);
                format!("{name}[{index} % {size}u]")
            }
            Shape::Method => format!("{}->{name}", self.random.pick(&scope.objects)),
        };
        Some(format!("{called}({})", arguments.join(", ")))
    }

    fn argument(&mut self, scope: &mut Scope, param: Param, depth: usize) -> Option<String> {
        match param {
            Param::Value(of) => Some(self.expression(scope, of, depth)),
            Param::Array => self.array(scope, |is_writable| is_writable),
            Param::Depth => Some(format!("({} & 3u)", self.expression(scope, Type::U32, depth))),
            Param::Object => self.random.choose(&scope.objects).cloned(),
            Param::Callback => {
                let named = self.world.callables.iter();
                let named = named.filter(|callable| callable.is_callback());
                let named = named.filter(|callable| callable.visibility.reaches(scope.place));
                let all: Vec<String> = named
                    .map(|callable| callable.name.clone())
                    .chain(scope.callbacks.iter().cloned())
                    .collect();
                self.random.choose(&all).cloned()
            }
        }
    }
}
