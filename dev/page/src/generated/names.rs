//! Names of the program's symbols, mangled as a compiler of C++ does it.

use std::fmt::Write as _;

const AREAS: [&str; 20] = [
    "advection",
    "boundary",
    "chemistry",
    "contact",
    "diffusion",
    "elastic",
    "fields",
    "fluid",
    "gravity",
    "lattice",
    "linear",
    "mesh",
    "output",
    "particles",
    "plasma",
    "radiation",
    "reduction",
    "solver",
    "sparse",
    "transport",
];
const TOPICS: [&str; 25] = [
    "assemble",
    "average",
    "balance",
    "collide",
    "deposit",
    "exchange",
    "factorize",
    "filter",
    "gather",
    "gradient",
    "integrate",
    "interpolate",
    "limit",
    "multiply",
    "norm",
    "permute",
    "project",
    "reduce",
    "refine",
    "relax",
    "sample",
    "scatter",
    "smooth",
    "sort",
    "trace",
];
const TYPES: [(&str, &str); 4] = [("f", "PKf"), ("d", "PKd"), ("i", "PKi"), ("x", "PKx")];

/// Returns the module id of a unit.
pub(super) fn unit(number: usize) -> String {
    let (area, topic) = (area(number), TOPICS[number / AREAS.len() % TOPICS.len()]);
    format!("src/{area}/{topic}_{:02}.cu", number / (AREAS.len() * TOPICS.len()))
}

/// Returns the area that a unit belongs to.
pub(super) fn area(unit: usize) -> &'static str {
    AREAS[unit % AREAS.len()]
}

/// Returns the name of a kernel: a function, or an instance of a template.
pub(super) fn kernel(unit: usize, number: usize) -> String {
    let topic = TOPICS[(unit / AREAS.len() + number * 7) % TOPICS.len()];
    let (kind, pointer) = TYPES[(unit + number) % TYPES.len()];
    let own = format!("{topic}_{unit}");
    match number % 3 {
        0 => format!("{}{pointer}P{kind}i", nested(&[area(unit), &own, "kernel"])),
        // A template has its arguments behind its name, and then the type that it returns.
        1 => template(area(unit), &own, &format!("{kind}Li{}E", 64 << (unit % 4)), pointer),
        _ => {
            let policy = format!("NS_6PolicyI{kind}Lj{}EEE{kind}", 2 + unit % 6);
            template(area(unit), &own, &policy, pointer).replace("NS_6", "N5tools6")
        }
    }
}

/// Returns the name of a device function.
pub(super) fn function(unit: usize, number: usize) -> String {
    let topic = TOPICS[(unit * 3 + number * 11) % TOPICS.len()];
    let (kind, pointer) = TYPES[(unit + number) % TYPES.len()];
    let own = format!("{topic}_step_{unit}_{number}");
    let place = if number.is_multiple_of(4) { "_GLOBAL__N_1" } else { "detail" };
    format!("{}{kind}{pointer}", nested(&[area(unit), place, &own]))
}

/// Returns the name of a variable.
pub(super) fn variable(unit: usize) -> String {
    nested(&[area(unit), &format!("table_{unit}")])
}

fn template(area: &str, own: &str, arguments: &str, pointer: &str) -> String {
    let name = nested(&[area, own]);
    let name = name.trim_end_matches('E');
    format!("{name}I{arguments}EEv{pointer}Pvj")
}

fn nested(parts: &[&str]) -> String {
    let mut text = "_ZN".to_owned();
    for part in parts {
        // Writing to a String cannot fail.
        let _ = write!(text, "{}{part}", part.len());
    }
    text + "E"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_cpp() {
        let names = [kernel(21, 0), kernel(21, 1), kernel(21, 2), function(21, 0), variable(21)];
        let shown = names.map(|name| weft_report::demangled(&name).unwrap_or_default());
        assert_eq!(
            shown,
            [
                "boundary::average_21::kernel(double const*, double*, int)",
                "void boundary::gather_21<int, 128>(int const*, void*, unsigned int)",
                "void boundary::permute_21<tools::Policy<long long, (unsigned int)5>, long \
                 long>(long long const*, void*, unsigned int)",
                "boundary::(anonymous namespace)::multiply_step_21_0(double, double const*)",
                "boundary::table_21",
            ]
        );
    }
}
