//! Random statements for bodies of functions and kernels, which end soon.

use super::expressions::Writer;
use super::scope::{CALLBACK_COST, Scope};
use super::types::Type;

impl Writer<'_> {
    /// Writes up to `count` statements with at most `nesting` levels of blocks.
    pub(super) fn statements(&mut self, scope: &mut Scope, count: usize, nesting: usize) -> String {
        let mut text = String::new();
        for _ in 0..count {
            if scope.cost >= scope.limit {
                break;
            }
            text.push_str(&self.statement(scope, nesting));
        }
        text
    }

    fn statement(&mut self, scope: &mut Scope, nesting: usize) -> String {
        match self.random.below(if nesting == 0 { 10 } else { 15 }) {
            0..2 => self.declaration(scope),
            2..4 => self.assignment(scope),
            4..6 => self.store(scope),
            6 => self.static_local(scope),
            7 => self.local_array(scope),
            8 => self.object(scope),
            9 => self.lambda(scope),
            10..12 => self.branch(scope, nesting - 1),
            12..14 => self.counted_loop(scope, nesting - 1),
            _ => self.switch(scope, nesting - 1),
        }
    }

    fn fresh(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn declaration(&mut self, scope: &mut Scope) -> String {
        if self.random.one_in(4)
            && let Some(text) = self.chosen(scope)
        {
            return text;
        }
        let of = Type::any(self.random, self.world.structs.len());
        let value = self.expression(scope, of, 2);
        let name = self.fresh('v');
        let text = format!("  {} {name} = {value};\n", of.name());
        scope.values.push((name, of, true));
        text
    }

    /// Declares a reference to one of two variables, if there are two of one type.
    fn chosen(&mut self, scope: &mut Scope) -> Option<String> {
        let writable = scope.writable();
        let (one, of) = self.random.choose(&writable)?.clone();
        let alike: Vec<_> =
            writable.iter().filter(|variable| variable.1 == of && variable.0 != one).collect();
        let other = self.random.choose(&alike)?.0.clone();
        let condition = self.condition(scope, 1);
        let name = self.fresh('r');
        let text = format!("  {} &{name} = {condition} ? {one} : {other};\n", of.name());
        scope.values.push((name, of, true));
        Some(text)
    }

    fn assignment(&mut self, scope: &mut Scope) -> String {
        let Some((mut name, mut of)) = self.random.choose(&scope.writable()).cloned() else {
            return String::new();
        };
        if let Type::Struct(number) = of
            && self.random.one_in(2)
        {
            let fields = &self.world.structs[number].fields;
            let field = self.random.below(fields.len());
            name = format!("{name}.f{field}");
            of = fields[field];
        }
        let value = self.expression(scope, of, 2);
        let operator = if of.wraps() { *self.random.pick(&["=", "+=", "^=", "*="]) } else { "=" };
        format!("  {name} {operator} {value};\n")
    }

    fn store(&mut self, scope: &mut Scope) -> String {
        let Some(element) = self.element(scope, 1, |is_writable| is_writable) else {
            return String::new();
        };
        let value = self.expression(scope, Type::U32, 2);
        if self.random.one_in(6) && element.starts_with('g') {
            return format!("  __nvvm_atom_add_gen_i((i32 *)&{element}, (i32)({value}));\n");
        }
        format!("  {element} {} {value};\n", self.random.pick(&["=", "+=", "^="]))
    }

    fn static_local(&mut self, scope: &mut Scope) -> String {
        let (name, start) = (self.fresh('z'), self.random.below(100));
        let value = self.expression(scope, Type::U32, 2);
        scope.values.push((name.clone(), Type::U32, true));
        format!("  static u32 {name} = {start};\n  {name} += {value};\n")
    }

    fn local_array(&mut self, scope: &mut Scope) -> String {
        let name = self.fresh('w');
        let first = self.expression(scope, Type::U32, 2);
        scope.pay(8);
        // Shared memory has no initial value, so it is written first. All dynamic arrays are one
        // array.
        let barrier = "  __syncthreads();\n";
        let (declaration, barrier) = match self.random.below(8) {
            0 | 1 => (format!("__shared__ u32 {name}[8]"), barrier),
            2 => (format!("u32 *{name} = dynamic"), barrier),
            _ => (format!("u32 {name}[8]"), ""),
        };
        let text = format!(
            "  {declaration};\n  for (u32 i = 0; i < 8; ++i)\n    {name}[i] = {first} + \
             i;\n{barrier}"
        );
        scope.arrays.push((name, true));
        text
    }

    /// Declares a lambda that is called by pointer or by value in later statements.
    fn lambda(&mut self, scope: &mut Scope) -> String {
        let name = self.fresh('y');
        let mut inner = Scope::new(scope.place, CALLBACK_COST);
        inner.values = ["a", "b"].map(|name| (name.to_owned(), Type::U32, false)).into();
        let value = self.expression(&mut inner, Type::U32, 2);
        scope.callbacks.push(name.clone());
        format!("  auto {name} = [] __device__ (u32 a, u32 b) -> u32 {{ return {value}; }};\n")
    }

    /// Declares an object of one class, or of one of two classes by a condition, and a pointer to
    /// it of the base class.
    fn object(&mut self, scope: &mut Scope) -> String {
        let classes: Vec<_> = self
            .world
            .classes
            .iter()
            .filter(|(_, visibility)| visibility.reaches(scope.place))
            .collect();
        let Some((class, _)) = self.random.choose(&classes) else { return String::new() };
        let other = &self.random.pick(&classes).0;
        let argument = self.expression(scope, Type::U32, 1);
        let name = self.fresh('o');
        let text = if self.random.one_in(2) {
            format!("  {class} {name}_({argument});\n  Base *{name} = &{name}_;\n")
        } else {
            let condition = self.condition(scope, 1);
            format!(
                "  alignas(16) unsigned char {name}_[64];\n  Base *{name} = {condition} ? (Base \
                 *)new ({name}_) {class}({argument}) : (Base *)new ({name}_) {other}(3u);\n"
            )
        };
        scope.objects.push(name);
        text
    }

    /// Writes the statements of a block, at whose end their declarations leave the scope.
    fn block(&mut self, scope: &mut Scope, count: usize, nesting: usize) -> String {
        let (values, arrays, objects) =
            (scope.values.len(), scope.arrays.len(), scope.objects.len());
        let callbacks = scope.callbacks.len();
        let text = self.statements(scope, count, nesting);
        scope.values.truncate(values);
        scope.arrays.truncate(arrays);
        scope.objects.truncate(objects);
        scope.callbacks.truncate(callbacks);
        text
    }

    fn branch(&mut self, scope: &mut Scope, nesting: usize) -> String {
        let condition = self.condition(scope, 1);
        let mut then = self.block(scope, 3, nesting);
        if self.random.one_in(5) {
            then.extend(["  ", &scope.exit, "\n"]);
        }
        let otherwise = self.block(scope, 2, nesting);
        format!("  if {condition} {{\n{then}  }} else {{\n{otherwise}  }}\n")
    }

    fn counted_loop(&mut self, scope: &mut Scope, nesting: usize) -> String {
        let (name, count) = (self.fresh('x'), 2 + self.random.below(5));
        let times = scope.times;
        scope.times = times.saturating_mul(count as u64);
        scope.values.push((name.clone(), Type::U32, false));
        let mut body = self.block(scope, 3, nesting);
        if self.random.one_in(3) {
            let condition = self.condition(scope, 1);
            let word = self.random.pick(&["break", "continue"]);
            body.extend(["  if ", &condition, " ", word, ";\n"]);
        }
        scope.values.pop();
        scope.times = times;
        format!("  for (u32 {name} = 0; {name} < {count}; ++{name}) {{\n{body}  }}\n")
    }

    fn switch(&mut self, scope: &mut Scope, nesting: usize) -> String {
        let value = self.expression(scope, Type::U32, 2);
        let mut text = format!("  switch ({value} % 4u) {{\n");
        for case in ["case 0:", "case 1:", "default:"] {
            let body = self.block(scope, 2, nesting);
            let end = if self.random.one_in(4) { "" } else { "  break;\n" };
            text.extend(["  ", case, " {\n", &body, "  }\n", end]);
        }
        text + "  }\n"
    }
}
