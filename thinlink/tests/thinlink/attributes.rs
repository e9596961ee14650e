//! What modules are told of functions that others define.

use thinlink::{Link, Policy};
use weft_artifact::Linkage::{External, Internal, LinkonceOdr, WeakAny};
use weft_artifact::{FunctionAttributes, FunctionSummary, Linkage, MemoryEffects};

use crate::support::{Module, TestResult, complete, link, link_by};

/// A function that does nothing with memory by itself.
fn quiet(module: Module, name: &str, linkage: Linkage, calls: &[&str]) -> Module {
    module
        .function(name, linkage, calls)
        .facts(name, |facts| facts.own_memory = MemoryEffects::NONE)
}

fn told(link: &Link, module: &str, name: &str) -> Option<FunctionAttributes> {
    let plan = link.plans.iter().find(|plan| plan.module_id.as_str() == module)?;
    plan.attributes.iter().find(|symbol| symbol.name == name).map(|symbol| symbol.attributes)
}

fn memory(link: &Link, module: &str, name: &str) -> Option<MemoryEffects> {
    told(link, module, name).map(|known| known.memory)
}

#[test]
fn facts_come_through_several_modules_to_the_caller() -> TestResult {
    let linked = link(&[
        Module::new("a.cu").launched("k", &["f"]),
        quiet(Module::new("b.cu"), "f", External, &["g"]),
        quiet(Module::new("c.cu"), "g", External, &[])
            .facts("g", |facts| facts.own_memory = MemoryEffects::READS_ARGUMENTS),
    ])?;
    let reads = MemoryEffects::READS_ARGUMENTS;
    assert_eq!(memory(&linked, "b.cu", "g"), Some(reads));
    let both = reads.or(MemoryEffects::READS_OTHER);
    assert_eq!(memory(&linked, "a.cu", "f"), Some(both), "the caller's arguments may be others");
    assert_eq!(memory(&linked, "b.cu", "f"), Some(both), "its own module does not know either");
    assert!(told(&linked, "a.cu", "f").is_some_and(|known| known.no_recurse && known.no_unwind));
    assert_eq!(told(&linked, "c.cu", "f"), None, "c.cu does not call it");
    Ok(())
}

#[test]
fn what_is_not_known_stays_unknown() -> TestResult {
    let caller = |name: &str| Module::new("a.cu").launched("k", &[name]);
    let cases: [(&str, Module); 4] = [
        (
            "indirect",
            quiet(Module::new("b.cu"), "f", External, &[]).facts("f", |it| it.indirect_calls = 1),
        ),
        ("undefined", quiet(Module::new("b.cu"), "f", External, &["nowhere"])),
        ("replaceable", quiet(Module::new("b.cu"), "f", WeakAny, &["nowhere"])),
        (
            "unwinding",
            Module::new("b.cu")
                .function("f", External, &["nowhere"])
                .flags("f", |flags| flags.has_unwind_info = true),
        ),
    ];
    for (case, module) in cases {
        let known = told(&link(&[caller("f"), module])?, "a.cu", "f");
        assert_eq!(known, None, "{case}");
    }
    Ok(())
}

#[test]
fn the_drivers_functions_call_nothing_of_the_program() -> TestResult {
    let module = quiet(Module::new("b.cu"), "f", External, &["vprintf"]);
    let known = told(&link(&[Module::new("a.cu").launched("k", &["f"]), module])?, "a.cu", "f");
    let known = known.ok_or("nothing is known")?;
    assert!(known.no_recurse);
    assert_eq!(known.memory, MemoryEffects::ANY);
    Ok(())
}

#[test]
fn recursion_is_found_within_and_between_modules() -> TestResult {
    let modules = [
        Module::new("a.cu").launched("k", &["itself", "one", "alone"]),
        quiet(Module::new("b.cu"), "itself", External, &["itself"]),
        quiet(Module::new("c.cu"), "one", External, &["two"]),
        quiet(Module::new("d.cu"), "two", External, &["one"]),
        quiet(Module::new("e.cu"), "alone", External, &[]),
    ];
    let link = link(&modules)?;
    for (name, expected) in [("itself", false), ("one", false), ("alone", true)] {
        let known = told(&link, "a.cu", name).ok_or(name)?;
        assert_eq!(known.no_recurse, expected, "{name}");
        assert_eq!(known.memory, MemoryEffects::NONE, "{name}");
    }
    Ok(())
}

#[test]
fn all_copies_of_a_name_have_to_agree() -> TestResult {
    let copy = |id: &str, kernel: &str, memory| {
        quiet(Module::new(id).launched(kernel, &["f"]), "f", LinkonceOdr, &[])
            .facts("f", |facts: &mut FunctionSummary| facts.own_memory = memory)
    };
    let caller = Module::new("z.cu").launched("z", &["f"]);
    let writes = MemoryEffects::WRITES_OTHER;
    let link = link(&[copy("a.cu", "a", MemoryEffects::NONE), copy("b.cu", "b", writes), caller])?;
    assert_eq!(memory(&link, "z.cu", "f"), Some(writes));
    Ok(())
}

#[test]
fn a_body_that_an_image_may_replace_tells_nothing() -> TestResult {
    let modules = [
        Module::new("a.cu").launched("k", &["f"]),
        quiet(Module::new("b.cu"), "f", LinkonceOdr, &[]),
        Module::new("c.o").cubin(&["f"], &[]),
    ];
    assert_eq!(told(&link(&modules)?, "a.cu", "f"), None);
    Ok(())
}

#[test]
fn locals_are_told_of_by_their_promoted_names_and_the_switch_silences_all() -> TestResult {
    let modules = [
        Module::new("a.cu").launched("k", &["f"]),
        quiet(quiet(Module::new("b.cu"), "f", External, &["local"]), "local", Internal, &[]),
    ];
    let linked = link(&modules)?;
    let promoted = weft_artifact::promoted_name(&weft_artifact::ModuleId::new("b.cu")?, "local");
    assert_eq!(memory(&linked, "a.cu", &promoted), Some(MemoryEffects::NONE));
    assert_eq!(memory(&linked, "b.cu", &promoted), Some(MemoryEffects::NONE));
    let silent = link_by(&Policy { propagate_attributes: false, ..complete() }, &modules)?;
    assert!(silent.plans.iter().all(|plan| plan.attributes.is_empty()));
    Ok(())
}
