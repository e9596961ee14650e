//! The rules of each import model, one test each, with their numbers.

use std::error::Error;

use thinlink::{ImportModel, ImportPolicy, Link, Policy};
use weft_artifact::Linkage::{External, Internal, LinkonceOdr, WeakOdr};
use weft_artifact::{Hotness, ImportPriority};

use crate::support::{Module, TestResult, complete, constant, fate, imports, link_by};

fn link(policy: ImportPolicy, modules: &[Module]) -> Result<Link, Box<dyn Error>> {
    link_by(&Policy { imports: policy, ..complete() }, modules)
}

fn llvm() -> ImportPolicy {
    ImportPolicy::of(ImportModel::Llvm)
}

fn gpu() -> ImportPolicy {
    ImportPolicy::of(ImportModel::Gpu)
}

/// `a.cu` launches a kernel that calls `f` of `b.cu`, which has `count` instructions.
fn pair(count: u32) -> [Module; 2] {
    [
        Module::new("a.cu").launched("k", &["f"]),
        Module::new("b.cu").function("f", External, &[]).instructions("f", count),
    ]
}

fn is_imported(policy: ImportPolicy, modules: &[Module]) -> Result<bool, Box<dyn Error>> {
    Ok(imports(&link(policy, modules)?, "a.cu").contains(&"b.cu:f".to_owned()))
}

/// The largest function that is imported where `caller` calls it.
fn largest(policy: &ImportPolicy, caller: &Module) -> Result<u32, Box<dyn Error>> {
    let (mut fits, mut fails) = (0, 1 << 20);
    while fits + 1 < fails {
        let middle = fits + (fails - fits) / 2;
        let [_, target] = pair(middle);
        if is_imported(policy.clone(), &[caller.clone(), target])? {
            fits = middle;
        } else {
            fails = middle;
        }
    }
    Ok(fits)
}

/// The caller, with a call of some hotness by profile.
fn profiled(hotness: Hotness) -> Module {
    let [caller, _] = pair(0);
    caller
        .flags("k", |flags| flags.profiled = true)
        .call_facts("k", "f", |call| call.hotness = hotness)
}

#[test]
fn limits_by_default() -> TestResult {
    let [caller, _] = pair(0);
    assert_eq!(largest(&llvm(), &caller)?, 100);
    // The branch of the call that goes away counts 8.
    assert_eq!(largest(&gpu(), &caller)?, 508);
    Ok(())
}

#[test]
fn hot_calls_have_ten_times_the_limit_critical_ones_a_hundred_and_cold_ones_none() -> TestResult {
    let degrees = [
        (Hotness::Cold, 0),
        (Hotness::None, 100),
        (Hotness::Unknown, 100),
        (Hotness::Hot, 1000),
        (Hotness::Critical, 10_000),
    ];
    for (hotness, expected) in degrees {
        assert_eq!(largest(&llvm(), &profiled(hotness))?, expected, "{hotness:?}");
    }
    let knobs = ImportPolicy {
        limit: 30,
        hot_multiplier: 2.5,
        critical_multiplier: 3.99,
        cold_multiplier: 0.5,
        ..llvm()
    };
    for (hotness, expected) in [(Hotness::Cold, 15), (Hotness::Hot, 75), (Hotness::Critical, 119)] {
        assert_eq!(largest(&knobs, &profiled(hotness))?, expected, "{hotness:?}");
    }
    Ok(())
}

#[test]
fn without_a_profile_hotness_is_an_estimate_and_multiplies_nothing() -> TestResult {
    let [caller, _] = pair(0);
    for hotness in [Hotness::Cold, Hotness::Hot] {
        let caller = caller.clone().call_facts("k", "f", |call| call.hotness = hotness);
        assert_eq!(largest(&llvm(), &caller)?, 100);
    }
    Ok(())
}

#[test]
fn hot_chains_do_not_decay() -> TestResult {
    let chain = |hotness| {
        let name = |level: u32| format!("f{level}");
        let mut modules = vec![
            Module::new("a.cu")
                .launched("k", &["f1"])
                .flags("k", |flags| flags.profiled = true)
                .call_facts("k", "f1", |call| call.hotness = hotness),
        ];
        modules.extend((1..20).map(|level| {
            let (own, next) = (name(level), name(level + 1));
            Module::new(&format!("b{level:02}.cu"))
                .function(&own, External, &[&next])
                .instructions(&own, 60)
                .flags(&own, |flags| flags.profiled = true)
                .call_facts(&own, &next, |call| call.hotness = hotness)
        }));
        modules
    };
    let count =
        |policy, hotness| link(policy, &chain(hotness)).map(|it| imports(&it, "a.cu").len());
    assert_eq!(count(llvm(), Hotness::None)?, 2, "100 and 70, then 49");
    assert_eq!(count(llvm(), Hotness::Hot)?, 19);
    // 1000, 500, 250, 120, 60: the limit is 100, 50, 25, 12, 6.
    let decaying = ImportPolicy { hot_evolution_factor: 0.5, ..llvm() };
    assert_eq!(count(decaying, Hotness::Hot)?, 5);
    Ok(())
}

#[test]
fn bytes_and_coercions_of_the_call_count() -> TestResult {
    let [caller, _] = pair(0);
    let caller = caller.call_facts("k", "f", |call| {
        call.cost.parameter_bytes = 40;
        call.cost.return_bytes = 4;
        call.cost.coerced_arguments = 3;
    });
    // Eight, two for each of eleven words, two for each coercion.
    assert_eq!(largest(&gpu(), &caller)?, 500 + 8 + 22 + 6);
    assert_eq!(largest(&llvm(), &caller)?, 100);
    Ok(())
}

#[test]
fn in_a_loop_the_call_counts_more() -> TestResult {
    let [caller, _] = pair(0);
    let caller = caller.call_facts("k", "f", |call| {
        call.frequency = 32 * 256;
        call.cost.parameter_bytes = 16;
    });
    assert_eq!(largest(&gpu(), &caller)?, 500 + 6 * 16);
    Ok(())
}

#[test]
fn what_would_be_inlined_into_a_function_counts_with_it() -> TestResult {
    // `f` has 10 instructions and calls `g`, of 400, and `h`, of 200: 610, less 8 for each call.
    let modules = |callees: &[&str]| {
        [
            Module::new("a.cu").launched("k", &["f"]),
            Module::new("b.cu").function("f", External, callees),
            Module::new("c.cu").function("g", External, &[]).instructions("g", 400),
            Module::new("d.cu").function("h", External, &[]).instructions("h", 200),
        ]
    };
    assert!(is_imported(gpu(), &modules(&["g"]))?);
    assert!(is_imported(gpu(), &modules(&["h"]))?);
    assert!(!is_imported(gpu(), &modules(&["g", "h"]))?);
    assert!(is_imported(ImportPolicy { limit: 586, ..gpu() }, &modules(&["g", "h"]))?);
    assert!(!is_imported(ImportPolicy { limit: 585, ..gpu() }, &modules(&["g", "h"]))?);
    // LLVM goes by the function alone.
    assert!(is_imported(llvm(), &modules(&["g", "h"]))?);
    // What is not inlined does not count.
    let mut large = modules(&["g", "h"]);
    large[2] = large[2].clone().flags("g", |flags| flags.no_inline = true);
    assert!(is_imported(gpu(), &large)?);
    let mut larger = modules(&["g", "h"]);
    larger[2] = larger[2].clone().instructions("g", 1009);
    assert!(is_imported(gpu(), &larger)?);
    Ok(())
}

#[test]
fn a_cycle_of_calls_counts_once() -> TestResult {
    let modules = [
        Module::new("a.cu").launched("k", &["f"]),
        Module::new("b.cu")
            .function("f", External, &["g", "f"])
            .function("g", External, &["f"])
            .instructions("f", 300)
            .instructions("g", 300),
    ];
    assert_eq!(imports(&link(gpu(), &modules)?, "a.cu"), ["b.cu:f", "b.cu:g"]);
    Ok(())
}

#[test]
fn a_tree_of_tiny_functions_is_not_imported_level_after_level() -> TestResult {
    // Four callees each, six levels: 4096 functions of 10 instructions.
    let mut modules = vec![Module::new("a.cu").launched("k", &["f"])];
    let mut level = vec!["f".to_owned()];
    for depth in 0..6 {
        let mut module = Module::new(&format!("b{depth}.cu"));
        let mut next = Vec::new();
        for name in &level {
            let callees: Vec<String> = (0..4).map(|it| format!("{name}{it}")).collect();
            let calls: Vec<&str> = callees.iter().map(String::as_str).collect();
            module = module.function(name, External, &calls);
            next.extend(callees);
        }
        modules.push(module);
        level = next;
    }
    assert!(imports(&link(gpu(), &modules)?, "a.cu").is_empty(), "it is 1365 functions");
    let by_count = ImportPolicy { limit: 500, ..llvm() };
    assert!(imports(&link(by_count, &modules)?, "a.cu").len() > 1000);
    Ok(())
}

#[test]
fn priorities_of_the_summary_count() -> TestResult {
    let with = |priority, count| {
        let [caller, target] = pair(count);
        [caller, target.priority("f", priority)]
    };
    assert!(is_imported(gpu(), &with(ImportPriority::Force, 100_000))?);
    assert!(is_imported(gpu(), &with(ImportPriority::Low, 50))?);
    assert!(!is_imported(gpu(), &with(ImportPriority::Low, 51))?);
    assert!(!is_imported(llvm(), &with(ImportPriority::Force, 101))?);
    Ok(())
}

#[test]
fn noinline_and_large_functions_only_when_forced() -> TestResult {
    let [caller, target] = pair(100_000);
    let modules = [caller, target.flags("f", |flags| flags.no_inline = true)];
    for policy in [llvm(), gpu()] {
        assert!(!is_imported(policy.clone(), &modules)?);
        assert!(is_imported(ImportPolicy { force_all: true, ..policy }, &modules)?);
    }
    Ok(())
}

#[test]
fn even_by_force_no_kernel_and_nothing_that_cannot_move() -> TestResult {
    let force = ImportPolicy { force_all: true, all_index: true, ..gpu() };
    let [caller, target] = pair(1);
    let kernel = target.clone().flags("f", |flags| flags.kernel = true);
    assert!(!is_imported(force.clone(), &[caller.clone(), kernel])?);
    let fixed = target.flags("f", |flags| flags.not_importable = true);
    assert!(!is_imported(force, &[caller, fixed])?);
    Ok(())
}

#[test]
fn the_budget_goes_to_direct_callees_first_and_to_the_smallest_of_them() -> TestResult {
    let modules = [
        Module::new("a.cu").launched("k", &["large", "small"]),
        Module::new("b.cu")
            .function("large", External, &[])
            .instructions("large", 90)
            .function("small", External, &["tiny"])
            .instructions("small", 50)
            .function("tiny", External, &[])
            .instructions("tiny", 1),
    ];
    let names = |cutoff| {
        let policy = ImportPolicy { cutoff: Some(cutoff), ..gpu() };
        link(policy, &modules).map(|it| imports(&it, "a.cu"))
    };
    assert!(names(0)?.is_empty());
    assert_eq!(names(1)?, ["b.cu:small"]);
    assert_eq!(names(2)?, ["b.cu:large", "b.cu:small"]);
    assert_eq!(names(3)?.len(), 3);
    Ok(())
}

#[test]
fn possible_targets_of_indirect_calls_come_last() -> TestResult {
    let modules = |caller: Module| {
        [
            caller,
            Module::new("b.cu")
                .variable("table", External, constant())
                .refers("table", &["method"])
                .function("method", External, &[])
                .instructions("method", 300),
        ]
    };
    let caller = Module::new("a.cu").launched("k", &[]).refers("k", &["table"]);
    let names = |policy, caller| link(policy, &modules(caller)).map(|it| imports(&it, "a.cu"));
    assert_eq!(names(gpu(), caller.clone())?, ["b.cu:table"], "it calls nothing");
    let calling = caller.calls_indirectly("k");
    assert_eq!(names(gpu(), calling.clone())?, ["b.cu:method", "b.cu:table"]);
    // One level below the caller: 0.7 of the limit.
    assert_eq!(names(ImportPolicy { limit: 429, ..gpu() }, calling.clone())?.len(), 2);
    assert_eq!(names(ImportPolicy { limit: 428, ..gpu() }, calling.clone())?.len(), 1);
    assert_eq!(names(ImportPolicy { limit: 1000, ..llvm() }, calling)?, ["b.cu:table"]);
    Ok(())
}

#[test]
fn constants_with_references_only_if_wanted() -> TestResult {
    let modules = [
        Module::new("a.cu").launched("k", &[]).refers("k", &["table", "plain"]),
        Module::new("b.cu")
            .variable("table", External, constant())
            .refers("table", &["method"])
            .variable("plain", External, constant())
            .function("method", External, &[]),
    ];
    for policy in [llvm(), gpu()] {
        assert_eq!(imports(&link(policy.clone(), &modules)?, "a.cu").len(), 2);
        let without = ImportPolicy { constants_with_refs: false, ..policy };
        assert_eq!(imports(&link(without, &modules)?, "a.cu"), ["b.cu:plain"]);
    }
    Ok(())
}

#[test]
fn llvm_takes_the_first_copy_that_fits_and_weft_the_one_that_prevails() -> TestResult {
    // `b.cu` has the copy that prevails; the one of `c.cu` was optimised to less.
    let modules = [
        Module::new("a.cu").launched("k", &["f"]),
        Module::new("b.cu").function("f", WeakOdr, &[]).instructions("f", 101),
        Module::new("c.cu").launched("k2", &["f"]).function("f", LinkonceOdr, &["local"]).function(
            "local",
            Internal,
            &[],
        ),
    ];
    let by_llvm = link(llvm(), &modules)?;
    assert_eq!(imports(&by_llvm, "a.cu"), ["c.cu:f", "c.cu:local"]);
    assert_eq!(fate(&by_llvm, "c.cu", "local"), Some(weft_artifact::Resolution::Promote));
    assert_eq!(imports(&link(gpu(), &modules)?, "a.cu"), ["b.cu:f"]);
    Ok(())
}

#[test]
fn a_workload_definition_replaces_thresholds_in_the_module_of_its_root() -> TestResult {
    let modules = [
        Module::new("a.cu").launched("k", &["f"]),
        Module::new("b.cu").function("f", External, &[]),
        Module::new("c.cu").launched("k2", &["f", "g"]).function("g", External, &[]),
        Module::new("d.cu")
            .function("huge", External, &["f"])
            .instructions("huge", 9999)
            .function("never", External, &[])
            .flags("never", |flags| flags.not_importable = true),
    ];
    let list = ["huge", "g", "never", "unknown"].map(str::to_owned).to_vec();
    for policy in [llvm(), gpu()] {
        let workload = [("k".to_owned(), list.clone()), ("nobody".to_owned(), Vec::new())];
        let policy = ImportPolicy { workload: workload.into(), ..policy };
        let link = link_by(&Policy { imports: policy, ..Policy::default() }, &modules)?;
        assert_eq!(imports(&link, "a.cu"), ["c.cu:g", "d.cu:huge"]);
        assert_eq!(imports(&link, "c.cu"), ["b.cu:f"]);
    }
    Ok(())
}

#[test]
fn all_of_the_index_if_wanted() -> TestResult {
    let modules = [
        Module::new("a.cu").launched("k", &[]),
        Module::new("b.cu").function("f", External, &["g"]).instructions("f", 9999),
        Module::new("c.cu").function("g", External, &[]).function("l", Internal, &[]),
    ];
    let policy = ImportPolicy { all_index: true, ..gpu() };
    let link = link_by(&Policy { imports: policy, ..Policy::default() }, &modules)?;
    assert_eq!(imports(&link, "a.cu"), ["b.cu:f", "c.cu:g"]);
    Ok(())
}
