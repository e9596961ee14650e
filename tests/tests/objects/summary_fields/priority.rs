//! Import priorities at every level, and the option that overrides them.

use crate::summary_fields::{device_with, function};

const FUNCTIONS: &str = "$in_comdat = comdat any
@table = internal global [1 x ptr] [ptr @plain]
@pinned = internal global i32 0
@llvm.used = appending global [1 x ptr] [ptr @pinned], section \"llvm.metadata\"
define ptx_kernel void @kernel() { ret void }
define weak void @replaceable() { ret void }
define available_externally void @copy() { ret void }
define void @names_pinned() { store i32 1, ptr @pinned ret void }
define void @not_inlined() noinline { ret void }
define void @cold_one() cold { ret void }
define void @plain() { ret void }
define linkonce_odr void @template_instance() { ret void }
define linkonce_odr void @in_comdat() comdat { ret void }
define void @always() alwaysinline { ret void }
define linkonce_odr void @always_template() alwaysinline { ret void }
";

/// Checks the priority of every function in `FUNCTIONS`, in order.
fn check(options: &[&str], expected: [&str; 11]) {
    let device = device_with(FUNCTIONS, options);
    let names = [
        "kernel",
        "replaceable",
        "copy",
        "names_pinned",
        "not_inlined",
        "cold_one",
        "plain",
        "template_instance",
        "in_comdat",
        "always",
        "always_template",
    ];
    for (name, priority) in names.into_iter().zip(expected) {
        assert_eq!(function(&device, name)["import_priority"], priority, "{name}");
    }
}

#[test]
fn import_priority() {
    let (never, low, standard, force) = ("never", "low", "standard", "force");
    let expected =
        [never, never, never, never, low, low, standard, standard, standard, force, force];
    check(&[], expected);
    check(&["--import-priority", "normal"], expected);
}

#[test]
fn import_priority_all() {
    let (never, standard, force) = ("never", "standard", "force");
    let expected = [
        never, never, never, never, standard, standard, standard, standard, standard, force, force,
    ];
    check(&["--import-priority", "all"], expected);
}

/// Functions that other units define, too, gain least from an import.
#[test]
fn import_priority_conservative() {
    let (never, low, standard, force) = ("never", "low", "standard", "force");
    let expected = [never, never, never, never, low, low, standard, low, low, force, low];
    check(&["--import-priority", "conservative"], expected);
}
