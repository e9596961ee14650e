//! Imports of programs that are too large, or too much alike, to be scenarios.

use std::error::Error;

use thinlink::{ImportModel, ImportPolicy, Policy};
use weft_artifact::Linkage::{External, Internal};

use crate::links::{Link, imports, link_by, open};
use crate::support::{Module, TestResult};

/// `a.cu` launches a kernel that calls `f` of `b.cu`.
fn caller() -> Module {
    Module::new("a.cu").launched("k", &["f"])
}

/// Links by instructions alone, as LLVM does.
fn link_by_count(limit: u32, modules: &[Module]) -> Result<Link, Box<dyn Error>> {
    let imports = ImportPolicy { limit, ..ImportPolicy::of(ImportModel::Llvm) };
    link_by(&Policy { imports, ..open() }, modules)
}

#[test]
fn a_shorter_way_counts_whichever_way_is_met_first() -> TestResult {
    // The kernel reaches `f` at 700 through `short`, at 490 through `long` and `longer`; so `g`
    // behind it at 490 or 343. The names decide in which order the ways are met.
    for (short, long) in [("way1", "way2"), ("way2", "way1")] {
        let modules = [
            Module::new("a.cu").launched("k", &[short, long]),
            Module::new("b.cu")
                .function(short, External, &["f"])
                .function(long, External, &["longer"])
                .function("longer", External, &["f"])
                .function("f", External, &["g"])
                .function("g", External, &[])
                .instructions("g", 400),
        ];
        let link = link_by_count(1000, &modules)?;
        let all = ["b.cu:f", "b.cu:g", "b.cu:longer", "b.cu:way1", "b.cu:way2"];
        assert_eq!(imports(&link, "a.cu"), all, "{short} is the shorter way");
    }
    Ok(())
}

#[test]
fn a_plan_does_not_change_with_a_body_that_is_not_imported() -> TestResult {
    let program = |count, calls: &[&str]| {
        [
            caller(),
            Module::new("b.cu")
                .function("f", External, calls)
                .instructions("f", count)
                .function("g", External, &[])
                .function("new_local", Internal, &[]),
        ]
    };
    let before = link_by(&open(), &program(40_000, &["g"]))?;
    let after = link_by(&open(), &program(50_000, &["g", "new_local"]))?;
    assert_eq!(before.plans[0], after.plans[0]);
    Ok(())
}

#[test]
fn a_tree_of_tiny_functions_is_not_imported_level_after_level() -> TestResult {
    // Four callees each, eight levels: 21845 functions of 10 instructions.
    let mut modules = vec![caller()];
    let mut level = vec!["f".to_owned()];
    for depth in 0..8 {
        let mut module = Module::new(&format!("b{depth}.cu"));
        let mut next = Vec::new();
        for name in &level {
            let callees: Vec<String> = (0..4).map(|number| format!("{name}{number}")).collect();
            let calls: Vec<&str> = callees.iter().map(String::as_str).collect();
            module = module.function(name, External, &calls);
            next.extend(callees);
        }
        modules.push(module);
        level = next;
    }
    assert!(imports(&link_by(&open(), &modules)?, "a.cu").is_empty(), "it is 21845 functions");
    assert!(imports(&link_by_count(500, &modules)?, "a.cu").len() > 1000);
    Ok(())
}

/// A call of a kernel costs it a stack, so by Weft's model far more is imported there. `at` and
/// `over` are at both sides of the limit, to which the gain of a call without arguments adds 8.
#[test]
fn a_kernel_has_a_higher_limit_by_default_unless_llvm_is_to_be_reproduced() -> TestResult {
    for (model, limit) in [(ImportModel::Gpu, 500 * 40 + 8), (ImportModel::Llvm, 100)] {
        let modules = [
            Module::new("a.cu").launched("k", &["at", "over"]),
            Module::new("b.cu")
                .function("at", External, &[])
                .instructions("at", limit)
                .function("over", External, &[])
                .instructions("over", limit + 1),
        ];
        let imports = ImportPolicy::of(model);
        let link = link_by(&Policy { imports, ..open() }, &modules)?;
        assert_eq!(self::imports(&link, "a.cu"), ["b.cu:at"], "{model:?}");
    }
    Ok(())
}

/// Callees that cost nothing are taken whatever was spent, but a function with thousands of them is
/// not to be compiled with all of their bodies.
#[test]
fn of_trivial_callees_there_are_as_many_as_the_room_has_instructions() -> TestResult {
    let names: Vec<String> = (0..320).map(|number| format!("trivial{number:03}")).collect();
    let calls: Vec<&str> = names.iter().map(String::as_str).collect();
    let trivial =
        |module: Module, name: &&str| module.function(name, External, &[]).instructions(name, 16);
    let modules = [
        Module::new("a.cu").function("f", External, &calls).used("f"),
        calls.iter().fold(Module::new("b.cu"), trivial),
    ];
    // Thirty calls fill the room of a small function, which is 300 instructions.
    assert_eq!(imports(&link_by(&open(), &modules)?, "a.cu").len(), 301);
    Ok(())
}
