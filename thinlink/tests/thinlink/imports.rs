//! Which bodies are imported.

use std::error::Error;

use thinlink::{ImportModel, ImportPolicy, Link, Policy};
use weft_artifact::Linkage::{External, Internal, LinkonceOdr, WeakAny};
use weft_artifact::{FunctionFlags, VariableSummary};

use crate::support::{
    Module, TestResult, complete, constant, device_variable, imports, link, link_by, literal,
};

/// `a.cu` launches a kernel that calls `f` of `b.cu`.
fn caller() -> Module {
    Module::new("a.cu").launched("k", &["f"])
}

/// Links by instructions alone, as LLVM does, with a limit of 1000.
fn link_by_count(modules: &[Module]) -> Result<Link, Box<dyn Error>> {
    let imports = ImportPolicy { limit: 1000, ..ImportPolicy::of(ImportModel::Llvm) };
    link_by(&Policy { imports, ..complete() }, modules)
}

#[test]
fn a_function_within_the_limit_is_imported_where_it_is_called() -> TestResult {
    let callee = |count| Module::new("b.cu").function("f", External, &[]).instructions("f", count);
    assert_eq!(imports(&link_by_count(&[caller(), callee(1000)])?, "a.cu"), ["b.cu:f"]);
    assert!(imports(&link_by_count(&[caller(), callee(1001)])?, "a.cu").is_empty());
    Ok(())
}

#[test]
fn each_further_level_of_calls_has_seven_tenths_of_the_limit() -> TestResult {
    let chain = |first, second, third| {
        [
            Module::new("a.cu").launched("k", &["f1"]),
            Module::new("b.cu").function("f1", External, &["f2"]).instructions("f1", first),
            Module::new("c.cu").function("f2", External, &["f3"]).instructions("f2", second),
            Module::new("d.cu").function("f3", External, &[]).instructions("f3", third),
        ]
    };
    let all = ["b.cu:f1", "c.cu:f2", "d.cu:f3"];
    assert_eq!(imports(&link_by_count(&chain(1000, 700, 490))?, "a.cu"), all);
    assert_eq!(imports(&link_by_count(&chain(1000, 700, 491))?, "a.cu"), all[..2]);
    assert_eq!(imports(&link_by_count(&chain(1000, 701, 1))?, "a.cu"), all[..1]);
    assert_eq!(
        imports(&link_by_count(&chain(1000, 701, 1))?, "b.cu"),
        all[1..],
        "b.cu counts anew"
    );
    Ok(())
}

#[test]
fn of_several_ways_to_a_function_the_highest_limit_counts() -> TestResult {
    // The kernel reaches `f` directly at 1000 and through `detour` at 700; `g` behind it at 700.
    let modules = |calls: &[&str]| {
        [
            Module::new("a.cu").launched("k", calls),
            Module::new("b.cu").function("detour", External, &["f"]),
            Module::new("c.cu").function("f", External, &["g"]).instructions("f", 600),
            Module::new("d.cu").function("g", External, &[]).instructions("g", 600),
        ]
    };
    let all = ["b.cu:detour", "c.cu:f", "d.cu:g"];
    assert_eq!(imports(&link_by_count(&modules(&["detour"]))?, "a.cu"), all[..2]);
    assert_eq!(imports(&link_by_count(&modules(&["detour", "f"]))?, "a.cu"), all);
    Ok(())
}

#[test]
fn a_shorter_way_counts_whichever_way_is_met_first() -> TestResult {
    // The kernel reaches `f` at 700 through `short`, at 490 through `long` and `longer`; so `g`
    // behind it at 490 or 343. The names decide in which order the ways are met.
    for (short, long) in [("way1", "way2"), ("way2", "way1")] {
        let link = link_by_count(&[
            Module::new("a.cu").launched("k", &[short, long]),
            Module::new("b.cu")
                .function(short, External, &["f"])
                .function(long, External, &["longer"])
                .function("longer", External, &["f"])
                .function("f", External, &["g"])
                .function("g", External, &[])
                .instructions("g", 400),
        ])?;
        let all = ["b.cu:f", "b.cu:g", "b.cu:longer", "b.cu:way1", "b.cu:way2"];
        assert_eq!(imports(&link, "a.cu"), all, "{short} is the shorter way");
    }
    Ok(())
}

#[test]
fn limit_and_factor_are_the_users() -> TestResult {
    let modules = [
        caller(),
        Module::new("b.cu").function("f", External, &["g"]).instructions("f", 40),
        Module::new("c.cu").function("g", External, &[]).instructions("g", 20),
    ];
    let imported = |limit, evolution_factor| {
        let knobs = ImportPolicy { limit, evolution_factor, ..ImportPolicy::of(ImportModel::Llvm) };
        let policy = Policy { imports: knobs, ..complete() };
        link_by(&policy, &modules).map(|link| imports(&link, "a.cu").len())
    };
    assert_eq!(imported(0, 0.7)?, 0);
    assert_eq!(imported(39, 1.0)?, 0);
    assert_eq!(imported(40, 0.5)?, 2);
    assert_eq!(imported(40, 0.4)?, 1);
    Ok(())
}

#[test]
fn kernels_and_bodies_that_must_not_be_inlined_or_copied_are_not_imported() -> TestResult {
    let barred: [fn(&mut FunctionFlags); 3] = [
        |flags| flags.kernel = true,
        |flags| flags.no_inline = true,
        |flags| flags.not_importable = true,
    ];
    for bar in barred {
        let callee = Module::new("b.cu").function("f", External, &[]).flags("f", bar);
        assert!(imports(&link(&[caller(), callee])?, "a.cu").is_empty());
    }
    let replaceable = Module::new("b.cu").function("f", WeakAny, &[]);
    assert!(imports(&link(&[caller(), replaceable])?, "a.cu").is_empty());
    Ok(())
}

#[test]
fn always_inline_ignores_the_limit() -> TestResult {
    let callee = Module::new("b.cu")
        .function("f", External, &[])
        .instructions("f", 100_000)
        .flags("f", |flags| flags.always_inline = true);
    assert_eq!(imports(&link(&[caller(), callee])?, "a.cu"), ["b.cu:f"]);
    Ok(())
}

#[test]
fn code_that_is_not_live_imports_nothing() -> TestResult {
    let link = link(&[
        Module::new("a.cu").kernel("k", &["f"]),
        Module::new("b.cu").function("f", External, &[]),
    ])?;
    assert!(imports(&link, "a.cu").is_empty());
    Ok(())
}

#[test]
fn calls_back_into_the_importer_need_no_import() -> TestResult {
    let link = link(&[
        Module::new("a.cu").launched("k", &["f"]).function("own", External, &[]),
        Module::new("b.cu").function("f", External, &["own", "copy"]).function(
            "copy",
            LinkonceOdr,
            &[],
        ),
        Module::new("c.cu").launched("k2", &["copy"]).function("copy", LinkonceOdr, &[]),
    ])?;
    assert_eq!(imports(&link, "a.cu"), ["b.cu:copy", "b.cu:f"]);
    assert_eq!(imports(&link, "b.cu"), ["a.cu:own"]);
    assert!(imports(&link, "c.cu").is_empty());
    Ok(())
}

#[test]
fn functions_that_are_only_referred_to_are_not_imported() -> TestResult {
    let link = link(&[
        Module::new("a.cu").launched("k", &[]).refers("k", &["f"]),
        Module::new("b.cu").function("f", External, &[]),
    ])?;
    assert!(imports(&link, "a.cu").is_empty());
    Ok(())
}

#[test]
fn a_constant_virtual_table_is_imported_and_what_it_lists_stays_visible() -> TestResult {
    let link = link(&[
        Module::new("a.cu").launched("k", &[]).refers("k", &["vtable"]),
        Module::new("b.cu")
            .variable("vtable", External, constant())
            .refers("vtable", &["method", "typeinfo"])
            .variable("typeinfo", External, constant())
            .function("method", External, &[]),
    ])?;
    assert_eq!(imports(&link, "a.cu"), ["b.cu:typeinfo", "b.cu:vtable"]);
    assert_eq!(crate::support::fate(&link, "b.cu", "method"), None, "not internal");
    Ok(())
}

#[test]
fn variables_that_can_change_or_are_large_or_elsewhere_are_not_imported() -> TestResult {
    let kinds = [
        (device_variable(), 1),
        (VariableSummary { externally_initialized: true, ..constant() }, 1),
        (constant(), 3),
        (VariableSummary { size: 4097, ..constant() }, 1),
    ];
    for (facts, address_space) in kinds {
        let link = link(&[
            Module::new("a.cu").launched("k", &[]).refers("k", &["v"]),
            Module::new("b.cu").variable("v", External, facts).in_address_space("v", address_space),
        ])?;
        assert!(imports(&link, "a.cu").is_empty());
    }
    let link = link(&[
        Module::new("a.cu").launched("k", &[]).refers("k", &["v"]),
        Module::new("b.cu").variable("v", WeakAny, constant()),
    ])?;
    assert!(imports(&link, "a.cu").is_empty());
    Ok(())
}

#[test]
fn locals_that_an_imported_body_calls_or_reads_are_imported_too() -> TestResult {
    let link = link(&[
        caller(),
        Module::new("b.cu")
            .function("f", External, &["local"])
            .refers("f", &["table", "text"])
            .function("local", Internal, &[])
            .variable("table", Internal, constant())
            .variable("text", Internal, literal()),
    ])?;
    assert_eq!(imports(&link, "a.cu"), ["b.cu:f", "b.cu:local", "b.cu:table"]);
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
    let before = link(&program(2000, &["g"]))?;
    let after = link(&program(3000, &["g", "new_local"]))?;
    assert_eq!(before.plans[0], after.plans[0]);
    Ok(())
}
