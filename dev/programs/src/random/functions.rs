//! Random functions of every linkage, and tables and aliases through which they are called.

use super::draft::{Definition, Draft};
use super::expressions::Writer;
use super::scope::{CALLBACK_COST, Callable, FUNCTION_COST, Place, Scope, Shape, Visibility};
use super::types::{Param, Type};

/// Names that several units give to different local functions.
const LOCAL_NAMES: [&str; 5] = ["step", "mix", "helper", "fold", "pick"];
/// The signature `u32(u32, u32)`.
const WORDS: [Param; 2] = [Param::Value(Type::U32); 2];

/// A function without its name. It calls only functions that were added before it.
struct Function {
    params: Vec<Param>,
    result: Type,
    /// Declarations of the parameters.
    head: String,
    body: String,
    cost: u64,
    /// Literal in the body that no other definition has.
    salt: String,
}

impl Function {
    fn callable(&self, name: &str, shape: Shape, visibility: Visibility) -> Callable {
        Callable {
            name: name.to_owned(),
            shape,
            params: self.params.clone(),
            result: self.result,
            visibility,
            cost: self.cost,
        }
    }

    /// Returns the signature `u32 name(u32 p0, u32 p1)`, after attributes such as `__device__`.
    fn signature(&self, attributes: &str, name: &str) -> String {
        format!("{attributes} {} {name}({})", self.result.name(), self.head)
    }

    fn definition(&self, attributes: &str, name: &str) -> Definition {
        Definition {
            symbol: name.to_owned(),
            salt: self.salt.clone(),
            text: format!("{} {{\n{}}}\n", self.signature(attributes, name), self.body),
        }
    }
}

fn function(
    draft: &mut Draft,
    place: Place,
    params: Option<&[Param]>,
    is_template: bool,
) -> Function {
    let random = &mut draft.random;
    let structs = draft.world.structs.len();
    let has_classes = !draft.world.classes.is_empty();
    let (params, result) = match params {
        Some(params) => (params.to_vec(), Type::U32),
        None if random.one_in(3) => (WORDS.to_vec(), Type::U32),
        None => {
            let count = 1 + random.below(4);
            let params = (0..count).map(|_| match random.below(9) {
                0 => Param::Array,
                1 => Param::Callback,
                2 if has_classes => Param::Object,
                _ => Param::Value(Type::any(random, structs)),
            });
            (params.collect(), Type::any(random, structs))
        }
    };
    let limit = if random.one_in(2) { CALLBACK_COST } else { FUNCTION_COST };
    let mut scope = Scope::new(place, limit);
    let head = scope.parameters(&params);
    if is_template {
        scope.values.push(("N".to_owned(), Type::U32, false));
    }
    "return r;".clone_into(&mut scope.exit);
    let salt = draft.salt();
    let mut writer = Writer { random: &mut draft.random, world: &draft.world, names: 0 };
    let start = writer.expression(&mut scope, result, 2);
    scope.values.push(("r".to_owned(), result, true));
    let count = 1 + writer.random.below(5);
    let statements = writer.statements(&mut scope, count, 2);
    let last = writer.salted("r", result, &salt);
    let body = format!("  {} r = {start};\n{statements}{last}  return r;\n", result.name());
    Function { params, result, head, body, cost: scope.cost.max(1), salt }
}

impl Writer<'_> {
    /// Writes a statement that changes `value` in a way that depends on `salt`.
    fn salted(&self, value: &str, of: Type, salt: &str) -> String {
        let name = of.name();
        match of {
            Type::Struct(number) => {
                self.salted(&format!("{value}.f0"), self.world.structs[number].fields[0], salt)
            }
            Type::F32 | Type::F64 => format!("  {value} = {value} + ({name}){salt};\n"),
            _ => format!("  {value} = ({name})({value} ^ ({name}){salt});\n"),
        }
    }
}

/// Adds a function of a random kind.
pub(super) fn add_any(draft: &mut Draft) {
    let unit = draft.random.below(draft.units.len());
    match draft.random.below(12) {
        0..3 => add_global(draft, unit),
        3..6 => add_local(draft, unit),
        6 => add_inline(draft),
        7 => add_template(draft),
        8 => add_weak(draft, unit),
        9 => add_recursion(draft, unit),
        10 => add_table(draft, unit),
        _ => add_alias(draft),
    }
}

fn attribute(draft: &mut Draft) -> &'static str {
    match draft.random.below(12) {
        0 => "__device__ __attribute__((noinline))",
        1 => "__device__ __attribute__((always_inline))",
        _ => "__device__",
    }
}

fn add_global(draft: &mut Draft, unit: usize) {
    let name = draft.name("f");
    let function = function(draft, Place::Unit(unit), None, false);
    let attribute = attribute(draft);
    draft.declare(&format!("{};\n", function.signature("extern \"C\" __device__", &name)));
    draft.units[unit].definitions.push(function.definition(attribute, &name));
    let callable = function.callable(&name, Shape::Direct, Visibility::Everywhere);
    draft.world.callables.push(callable);
}

fn add_local(draft: &mut Draft, unit: usize) {
    let taken = &draft.units[unit].locals;
    let free = LOCAL_NAMES.into_iter().find(|name| !taken.contains(&(*name).to_owned()));
    let Some(name) = free else { return add_global(draft, unit) };
    let function = function(draft, Place::Unit(unit), None, false);
    draft.units[unit].locals.push(name.to_owned());
    let attributes = format!("static {}", attribute(draft));
    let mut definition = function.definition(&attributes, name);
    definition.symbol = format!("_ZL{}{name}", name.len());
    draft.units[unit].definitions.push(definition);
    let callable = function.callable(name, Shape::Direct, Visibility::Unit(unit));
    draft.world.callables.push(callable);
}

fn add_inline(draft: &mut Draft) {
    let name = draft.name("n");
    let function = function(draft, Place::Header, None, false);
    let attributes = "inline __device__";
    draft.declare(&format!("{};\n", function.signature(attributes, &name)));
    let definition = function.definition(attributes, &name);
    draft.header.push(definition);
    let callable = function.callable(&name, Shape::Direct, Visibility::Everywhere);
    draft.world.callables.push(callable);
}

fn add_template(draft: &mut Draft) {
    let name = draft.name("t");
    let function = function(draft, Place::Header, None, true);
    let attributes = "template <u32 N> inline __device__";
    draft.declare(&format!("{};\n", function.signature(attributes, &name)));
    let definition = function.definition(attributes, &name);
    draft.header.push(definition);
    let callable = function.callable(&name, Shape::Template, Visibility::Everywhere);
    draft.world.callables.push(callable);
}

/// Adds a weak function: in one unit, the same in two units, different in two units, or overridden
/// by a strong definition.
fn add_weak(draft: &mut Draft, unit: usize) {
    let name = draft.name("k");
    let place = Place::Unit(draft.units.len());
    let first = function(draft, place, None, false);
    draft.declare(&format!("{};\n", first.signature("extern \"C\" __device__", &name)));
    let weak = "__device__ __attribute__((weak))";
    draft.units[unit].definitions.push(first.definition(weak, &name));
    let other = draft.random.below(draft.units.len());
    if other != unit {
        if draft.random.one_in(2) {
            let mut second = first.definition(weak, &name);
            if (unit + other).is_multiple_of(2) {
                "1900000000u".clone_into(&mut second.salt);
                second.text = second.text.replace(&first.salt, &second.salt);
            }
            draft.units[other].definitions.push(second);
        } else {
            let mut strong = first.definition("__device__", &name);
            strong.text = strong.text.replace(&first.salt, "2000000000u");
            draft.units[other].definitions.push(strong);
        }
    }
    let callable = first.callable(&name, Shape::Direct, Visibility::Everywhere);
    draft.world.callables.push(callable);
}

/// Adds two functions, usually of different units, that call each other down to a depth.
fn add_recursion(draft: &mut Draft, unit: usize) {
    let names = [draft.name("a"), draft.name("b")];
    let params = [Param::Depth, Param::Value(Type::U32)];
    let mut cost = 0;
    for number in 0..2 {
        let unit = if number == 0 { unit } else { draft.random.below(draft.units.len()) };
        let mut function = function(draft, Place::Unit(unit), Some(&params), false);
        let other = &names[1 - number];
        let again = format!("  if (p0 > 0) r += {other}(p0 - 1u, r ^ p1);\n  return r;\n");
        function.body = function.body.replace("  return r;\n", &again);
        cost += function.cost;
        let name = &names[number];
        draft.declare(&format!("{};\n", function.signature("extern \"C\" __device__", name)));
        draft.units[unit].definitions.push(function.definition("__device__", name));
    }
    let callable = Callable {
        name: names[0].clone(),
        shape: Shape::Direct,
        params: params.to_vec(),
        result: Type::U32,
        visibility: Visibility::Everywhere,
        cost: cost * 4,
    };
    draft.world.callables.push(callable);
}

/// Adds a table of function pointers: constant and local to a unit, or a variable that every unit
/// may call through.
///
/// The table holds no alias that its own unit defines: LLVM 22 treats aliases in initial values as
/// variables, and ptxas refuses `generic(alias)`.
fn add_table(draft: &mut Draft, unit: usize) {
    let aliases = &draft.units[unit].aliases;
    let reached = |callable: &&Callable| {
        callable.is_callback() && callable.visibility.reaches(Place::Unit(unit))
    };
    let reached =
        draft.world.callables.iter().filter(reached).map(|callable| callable.name.clone());
    let possible: Vec<String> = reached.filter(|name| !aliases.contains(name)).collect();
    if possible.is_empty() {
        return add_global(draft, unit);
    }
    let size = 1 + draft.random.below(3);
    let entries: Vec<_> = (0..size).map(|_| draft.random.pick(&possible).clone()).collect();
    let entries = entries.join(", ");
    let name = draft.name("d");
    let (text, visibility) = match draft.random.below(3) {
        0 => (
            format!("static __device__ Callback const {name}[{size}] = {{{entries}}};\n"),
            Visibility::Unit(unit),
        ),
        1 => {
            draft.declare(&format!("extern \"C\" __constant__ Callback const {name}[{size}];\n"));
            let text = format!("__constant__ Callback const {name}[{size}] = {{{entries}}};\n");
            (text, Visibility::Everywhere)
        }
        _ => {
            draft.declare(&format!("extern \"C\" __device__ Callback {name}[{size}];\n"));
            let text = format!("__device__ Callback {name}[{size}] = {{{entries}}};\n");
            (text, Visibility::Everywhere)
        }
    };
    draft.units[unit].definitions.push(Definition::unsalted(&name, text));
    draft.world.callables.push(Callable {
        name,
        shape: Shape::Table(size),
        params: WORDS.to_vec(),
        result: Type::U32,
        visibility,
        cost: CALLBACK_COST,
    });
}

/// Adds an alias of a function in some unit.
fn add_alias(draft: &mut Draft) {
    let unit = draft.random.below(draft.units.len());
    let global = |definition: &&Definition| definition.symbol.starts_with('f');
    let globals: Vec<String> = draft.units[unit]
        .definitions
        .iter()
        .filter(global)
        .map(|definition| definition.symbol.clone())
        .collect();
    let Some(aliased) = draft.random.choose(&globals).cloned() else {
        return add_global(draft, unit);
    };
    let Some(callable) =
        draft.world.callables.iter().find(|callable| callable.name == aliased).cloned()
    else {
        return;
    };
    let name = draft.name("l");
    let params: Vec<_> = callable.params.iter().map(|param| param.declare("")).collect();
    let declaration =
        format!("extern \"C\" __device__ {} {name}({})", callable.result.name(), params.join(", "));
    draft.declare(&format!("{declaration};\n"));
    let text = format!("{declaration} __attribute__((alias(\"{aliased}\")));\n");
    draft.units[unit].aliases.push(name.clone());
    draft.units[unit].definitions.push(Definition::unsalted(&name, text));
    draft.world.callables.push(Callable { name, ..callable });
}
