//! The floating-point instructions of PTX, function by function.

use std::collections::{BTreeMap, BTreeSet};

/// Instructions by their full names, such as `fma.rn.ftz.f32`, with the number of their
/// occurrences.
pub(crate) type Instructions = BTreeMap<String, usize>;

/// Operations that round, or flush denormals.
const OPERATIONS: [&str; 15] = [
    "add", "sub", "mul", "fma", "div", "rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "min",
    "max", "cvt",
];

/// Returns the floating-point instructions of each function in a PTX file, by the function's name.
///
/// A subtraction counts as a sum: compilers turn one into the other with a change of sign, which is
/// exact.
pub(crate) fn functions(ptx: &str) -> BTreeMap<String, Instructions> {
    let mut functions: BTreeMap<String, Instructions> = BTreeMap::new();
    let mut current = None;
    for line in ptx.lines() {
        if line.starts_with('.') && (line.contains(".entry ") || line.contains(".func ")) {
            let head = line.rsplit_once(".entry ").or_else(|| line.rsplit_once(".func "));
            // The result of a function precedes its name, in parentheses.
            let head = head.map(|(_, rest)| rest.split_once(") ").map_or(rest, |(_, name)| name));
            let name =
                head.map(|head| head.trim_start().split(['(', ' ']).next().unwrap_or_default());
            current = name.map(str::to_owned);
            continue;
        }
        if line == "}" {
            current = None;
        }
        let words = line.split_whitespace().find(|word| !word.starts_with('@'));
        let (Some(function), Some(instruction)) = (&current, words) else { continue };
        let (operation, rest) = instruction.split_once('.').unwrap_or((instruction, ""));
        let is_floating = rest.split('.').any(|part| part == "f32" || part == "f64");
        if is_floating && OPERATIONS.contains(&operation) {
            let operation = if operation == "sub" { "add" } else { operation };
            let all = functions.entry(function.clone()).or_default();
            *all.entry(format!("{operation}.{rest}")).or_default() += 1;
        }
    }
    functions
}

/// Returns every way in which instructions round and flush, such as `rn.ftz.f32` or `approx.f32`,
/// without the operations.
pub(crate) fn manners(instructions: &Instructions) -> BTreeSet<String> {
    let manner = |name: &String| name.split_once('.').map(|(_, manner)| manner.to_owned());
    instructions.keys().filter_map(manner).collect()
}

#[test]
fn functions_of_both_compilers_are_read() {
    let ptx = ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\tadd.f32 \t%f3, %f1, %f2;\n\
               \t@%p1 sub.rn.ftz.f32 %r1, %r2, %r3;\n\tld.global.f32 %f1, [%rd4];\n}\n\
               .visible .func  (.param .b32 func_retval0) f(\n)\n{\n\tadd.s32 %r1, %r1, 1;\n\
               \tcvt.rn.f32.s32 %f1, %r1;\n\tadd.f32 %f1, %f1, %f1;\n\tadd.f32 %f1, %f1, %f1;\n}\n";
    let functions = functions(ptx);
    let named = |name: &str| {
        functions[name]
            .iter()
            .map(|(instruction, count)| format!("{instruction}:{count}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(named("k"), ["add.f32:1", "add.rn.ftz.f32:1"]);
    assert_eq!(named("f"), ["add.f32:2", "cvt.rn.f32.s32:1"]);
    assert_eq!(manners(&functions["f"]), ["f32", "rn.f32.s32"].map(str::to_owned).into());
}
