//! A small program of three units as device IR, in which each calls into the next.

use crate::Workbench;

/// Names of the units, and what they hold.
pub const UNITS: [(&str, &str); 3] = [
    ("a", include_str!("../scenarios/chain/a.ll")),
    ("b", include_str!("../scenarios/chain/b.ll")),
    ("c", include_str!("../scenarios/chain/c.ll")),
];

/// Names of the units.
pub const NAMES: [&str; 3] = ["a", "b", "c"];

/// A folder with the units, their plans and the linked module of `a`.
pub fn imported() -> Workbench {
    let bench = Workbench::new();
    for (name, text) in UNITS {
        bench.write(&format!("{name}.ll"), text);
    }
    bench.prepare(&NAMES);
    bench.thinlink(&NAMES, &[]);
    bench.import("a", &NAMES).succeed();
    bench
}
