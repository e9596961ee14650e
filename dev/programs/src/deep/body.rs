//! The bodies of the generated functions.
//!
//! They do the work of real device helpers: arithmetic on a small state, loops of a few trips,
//! branches and switches on the state, mathematical functions with slow paths, and small arrays
//! with computed indices.

use std::fmt::Write as _;

use dev_random::SplitMix64;

use super::function::{Function, Passing, Size};

/// Statements of a body, over the state `s` and the scalars `a` and `n`; `K` and `L` are constants.
const STATEMENTS: [&str; 9] = [
    "s.x = s.x * K + a * L;",
    "s.y = sqrtf(s.y * s.y + K) - s.x * L;",
    "s.z += s.x > K ? s.y * a : s.z * L;",
    "s.w = fminf(s.w * K, s.z + a) + L;",
    "s.draw = s.draw * 1664525u + 1013904223u; s.x += (s.draw >> 8) * 1.0e-7f * K;",
    "a = a * K + s.w * L;",
    "if (s.draw & 4u) { s.y = s.y * K + s.w; } else { s.w -= s.x * L; }",
    "for (int i = 0; i < (n & 7); ++i) { s.z = s.z * K + s.x; s.x += a * L; }",
    "s.kind = (s.kind * 5 + n) & 3;",
];

/// Statements that are more expensive; a body has at most one.
const DEAR_STATEMENTS: [&str; 6] = [
    "s.y += expf(-s.x * K) * L;",
    "s.z = logf(fabsf(s.z) + K) * L;",
    "s.w += sinf(s.z * K) * L;",
    "s.x = powf(fabsf(s.x) + K, L);",
    "switch (s.kind) { case 0: s.x += K; break; case 1: s.y *= L; break; \
     case 2: s.z = a; break; default: s.w -= K; }",
    "{ float h[8]; for (int i = 0; i < 8; ++i) { h[i] = s.x * i + K; } \
     for (int i = 0; i < (n & 7); ++i) { h[(s.draw + i) & 7] += s.y * L; } \
     s.w += h[s.draw & 7] + h[n & 7]; }",
];

/// Renders the definition of `function`, which calls `callees`.
pub(super) fn definition(
    function: &Function,
    callees: &[Function],
    size: &Size,
    random: &mut SplitMix64,
) -> String {
    let mut body = String::new();
    let mut line = |text: &str, random: &mut SplitMix64| {
        let text = text.replace('K', &constant(random)).replace('L', &constant(random));
        // Writing to a String cannot fail.
        let _ = writeln!(body, "    {text}");
    };
    if function.passing == Passing::Pointer {
        line("State& s = *state;", random);
    }
    for callee in callees {
        for _ in 0..=random.below(size.statements.into()) {
            let statement = *random.pick(&STATEMENTS);
            line(statement, random);
        }
        let call = call(callee);
        match random.below(4) {
            0 => line(&format!("if (s.x > K) {{ {call} }}"), random),
            1 => line(&format!("for (int j = 0; j < (n & 3); ++j) {{ {call} }}"), random),
            _ => line(&call, random),
        }
    }
    if random.below(3) == 0 {
        let statement = *random.pick(&DEAR_STATEMENTS);
        line(statement, random);
    }
    for _ in 0..=random.below(size.statements.into()) {
        let statement = *random.pick(&STATEMENTS);
        line(statement, random);
    }
    line(result(function.passing), random);
    format!("__device__ {} {{\n{body}}}\n", signature(function))
}

fn result(passing: Passing) -> &'static str {
    match passing {
        Passing::Value => "return s;",
        Passing::Pointer => "s.w += a;",
        Passing::Scalars => "return s.x * K + s.w;",
    }
}

/// Renders a signature, such as `State f_1_2(State s, float a, int n)`.
pub(super) fn signature(function: &Function) -> String {
    let name = function.name();
    match function.passing {
        Passing::Value => format!("State {name}(State s, float a, int n)"),
        Passing::Pointer => format!("void {name}(State* state, float a, int n)"),
        Passing::Scalars => format!("float {name}(State s, float a, int n)"),
    }
}

/// Draws a constant of three digits, so that no two places fold into one by chance.
pub(super) fn constant(random: &mut SplitMix64) -> String {
    format!("{}.{:03}f", random.below(3), 1 + random.below(998))
}

/// Renders a statement that calls a function.
pub(super) fn call(callee: &Function) -> String {
    let name = callee.name();
    match callee.passing {
        Passing::Value => format!("s = {name}(s, a * K, n + 1);"),
        Passing::Pointer => format!("{name}(&s, a + K, n);"),
        Passing::Scalars => format!("s.z += {name}(s, s.x * K, n + 2);"),
    }
}
