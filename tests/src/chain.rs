//! A small program of three units in LLVM IR for the device, in which each unit calls the next.

use crate::Workbench;

/// Names and texts of the units.
pub const UNITS: [(&str, &str); 3] = [
    ("a", include_str!("../scenarios/chain/a.ll")),
    ("b", include_str!("../scenarios/chain/b.ll")),
    ("c", include_str!("../scenarios/chain/c.ll")),
];

/// Names of the units.
pub const NAMES: [&str; 3] = ["a", "b", "c"];

/// Returns a workbench with the texts of the units.
pub fn written() -> Workbench {
    let bench = Workbench::new();
    for (name, text) in UNITS {
        bench.write(&format!("{name}.ll"), text);
    }
    bench
}

/// Returns a workbench with the units after all steps.
pub fn built() -> Workbench {
    let bench = written();
    bench.build(&NAMES);
    bench
}

/// Returns a workbench with the units, their plans and the linked module of `a`.
pub fn imported() -> Workbench {
    let bench = written();
    bench.prepare(&NAMES);
    bench.thinlink(&NAMES, &[]);
    bench.import("a", &NAMES).succeed();
    bench
}
