//! A base class and classes derived from it, with methods in the header, in units, and in the
//! anonymous namespaces of units.

use super::draft::{Definition, Draft};
use super::expressions::Writer;
use super::scope::{CALLBACK_COST, Callable, Place, Scope, Shape, Visibility};
use super::types::{Param, Type};

/// Names of the virtual methods, which return a word, and numbers of their parameters.
const METHODS: [(&str, usize); 2] = [("grow", 1), ("join", 2)];

/// Adds the base class and some derived classes. Their methods call functions that were added
/// before.
pub(super) fn add(draft: &mut Draft) {
    add_class(draft, "Base", "", Place::Header);
    for _ in 0..=draft.random.below(3) {
        let name = draft.name("C");
        add_class(draft, &name, "Base", Place::Header);
    }
    for unit in 0..draft.units.len() {
        if draft.random.one_in(3) {
            add_class(draft, "Own", "Base", Place::Unit(unit));
        }
    }
    for (name, params) in METHODS {
        draft.world.callables.push(Callable {
            name: name.to_owned(),
            shape: Shape::Method,
            params: vec![Param::Value(Type::U32); params],
            result: Type::U32,
            visibility: Visibility::Everywhere,
            cost: CALLBACK_COST,
        });
    }
}

/// Adds a class to the header or to a unit's anonymous namespace. The methods of a class in the
/// header may be defined in one unit, which then also has the virtual table.
fn add_class(draft: &mut Draft, name: &str, base: &str, place: Place) {
    let home = draft.random.below(draft.units.len());
    let is_outside = place == Place::Header && draft.random.one_in(2);
    let (mut inside, mut outside) = (String::new(), Vec::new());
    for (method, params) in METHODS {
        if !base.is_empty() && draft.random.one_in(4) {
            continue;
        }
        let place = if is_outside { Place::Unit(home) } else { place };
        let (head, body, salt) = method_body(draft, params, place);
        let specifier = if base.is_empty() { "virtual " } else { "" };
        if is_outside {
            let declaration = format!("  __device__ {specifier}u32 {method}({head});\n");
            inside.push_str(&declaration);
            outside.push(Definition {
                symbol: format!("_ZN{}{name}{}{method}E", name.len(), method.len()),
                salt,
                text: format!("__device__ u32 {name}::{method}({head}) {{\n{body}}}\n"),
            });
        } else {
            let head = format!("  __device__ {specifier}u32 {method}({head})");
            inside.extend([head.as_str(), " {\n", &body, "  }\n"]);
        }
    }
    let (parent, field, constructor) = if base.is_empty() {
        (String::new(), "  u32 base;\n".to_owned(), format!("{name}(u32 x) : base(x) {{}}"))
    } else {
        let field = "  u32 own = 5;\n".to_owned();
        (format!(" : {base}"), field, format!("{name}(u32 x) : {base}(x * 3u) {{ own += x; }}"))
    };
    let text =
        format!("struct {name}{parent} {{\n{field}  __device__ {constructor}\n{inside}}};\n");
    let visibility = match place {
        Place::Header => {
            draft.declare(&text);
            Visibility::Everywhere
        }
        Place::Unit(unit) => {
            let text = format!("namespace {{\n{text}}}\n");
            draft.units[unit].definitions.push(Definition::unsalted(name, text));
            Visibility::Unit(unit)
        }
    };
    draft.units[home].definitions.extend(outside);
    draft.world.classes.push((name.to_owned(), visibility));
}

fn method_body(draft: &mut Draft, params: usize, place: Place) -> (String, String, String) {
    let mut scope = Scope::new(place, CALLBACK_COST);
    let head = scope.parameters(&vec![Param::Value(Type::U32); params]);
    scope.values.push(("base".to_owned(), Type::U32, true));
    "return base;".clone_into(&mut scope.exit);
    let salt = draft.salt();
    let mut writer = Writer { random: &mut draft.random, world: &draft.world, names: 0 };
    let statements = writer.statements(&mut scope, 2, 1);
    let result = writer.expression(&mut scope, Type::U32, 2);
    (head, format!("{statements}  return {result} ^ {salt};\n"), salt)
}
