//! A small program of three units as device IR, in which each calls into the next.

/// Names of the units, and what they hold.
pub const UNITS: [(&str, &str); 3] = [
    ("a", include_str!("../scenarios/chain/a.ll")),
    ("b", include_str!("../scenarios/chain/b.ll")),
    ("c", include_str!("../scenarios/chain/c.ll")),
];

/// Names of the units.
pub const NAMES: [&str; 3] = ["a", "b", "c"];
