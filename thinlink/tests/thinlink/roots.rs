//! What stays, and what goes.

use thinlink::Policy;
use weft_artifact::HostEntryKind::{Kernel, Other, Variable};
use weft_artifact::Linkage::{Appending, External, Internal, LinkonceOdr};
use weft_artifact::Resolution::{Internalize, Remove};

use crate::support::{Module, TestResult, complete, device_variable, fate, link, link_by};

#[test]
fn a_kernel_that_nothing_launches_goes_with_all_that_only_it_needs() -> TestResult {
    let link = link(&[
        Module::new("a.cu").kernel("dead", &["helper"]).launched("alive", &["shared"]),
        Module::new("b.cu").function("helper", External, &[]).function("shared", External, &[]),
    ])?;
    assert_eq!(fate(&link, "a.cu", "dead"), Some(Remove));
    assert_eq!(fate(&link, "b.cu", "helper"), Some(Remove));
    assert_eq!(fate(&link, "a.cu", "alive"), None);
    assert_eq!(fate(&link, "b.cu", "shared"), None);
    assert_eq!(link.removed_kernels, ["dead"]);
    Ok(())
}

#[test]
fn without_complete_host_information_nothing_visible_goes_or_becomes_internal() -> TestResult {
    let modules = [Module::new("a.cu")
        .kernel("dead", &[])
        .function("lonely", External, &[])
        .function("local", Internal, &[])];
    let link = link_by(&Policy::default(), &modules)?;
    assert_eq!(fate(&link, "a.cu", "dead"), None);
    assert_eq!(fate(&link, "a.cu", "lonely"), None);
    assert_eq!(fate(&link, "a.cu", "local"), Some(Remove));
    assert!(link.warnings.is_empty());
    Ok(())
}

#[test]
fn a_unit_without_host_side_makes_the_information_incomplete_and_is_named() -> TestResult {
    let link = link(&[
        Module::new("a.cu").kernel("dead", &[]),
        Module::new("bitcode.cu").device_only().function("f", External, &[]),
    ])?;
    assert_eq!(fate(&link, "a.cu", "dead"), None);
    assert_eq!(fate(&link, "bitcode.cu", "f"), None);
    assert_eq!(link.warnings.len(), 1);
    assert!(link.warnings[0].contains("bitcode.cu.summary"), "{}", link.warnings[0]);
    Ok(())
}

#[test]
fn a_launch_in_a_host_only_unit_keeps_the_kernel() -> TestResult {
    let link =
        link(&[Module::new("a.cu").kernel("k", &[]), Module::new("main.cpp").host_refers_to("k")])?;
    assert_eq!(fate(&link, "a.cu", "k"), None);
    assert_eq!(link.plans.len(), 1);
    Ok(())
}

#[test]
fn a_kernel_with_a_local_stub_stays() -> TestResult {
    let module = Module::new("a.cu")
        .function("k", External, &[])
        .flags("k", |flags| flags.kernel = true)
        .entry("k", Kernel, true);
    assert_eq!(fate(&link(&[module])?, "a.cu", "k"), None);
    Ok(())
}

#[test]
fn a_kernel_without_any_entry_stays() -> TestResult {
    let module =
        Module::new("a.cu").function("k", External, &[]).flags("k", |flags| flags.kernel = true);
    assert_eq!(fate(&link(&[module])?, "a.cu", "k"), None);
    Ok(())
}

#[test]
fn a_kernel_that_device_code_launches_stays() -> TestResult {
    let link = link(&[
        Module::new("a.cu").launched("parent", &[]).refers("parent", &["child"]),
        Module::new("b.cu").kernel("child", &[]),
    ])?;
    assert_eq!(fate(&link, "b.cu", "child"), None);
    assert!(link.removed_kernels.is_empty());
    Ok(())
}

#[test]
fn a_kept_name_stays_and_an_unknown_one_is_reported() -> TestResult {
    let policy = Policy { keep: ["f".to_owned(), "typo".to_owned()].into(), ..complete() };
    let link = link_by(&policy, &[Module::new("a.cu").function("f", External, &[])])?;
    assert_eq!(fate(&link, "a.cu", "f"), None);
    assert_eq!(link.warnings.len(), 1);
    assert!(link.warnings[0].contains("typo"), "{}", link.warnings[0]);
    Ok(())
}

#[test]
fn a_used_symbol_stays_even_if_only_a_declaration_says_so() -> TestResult {
    let link = link(&[
        Module::new("a.cu")
            .function("local", Internal, &[])
            .used("local")
            .declaration("f")
            .used("f"),
        Module::new("b.cu").function("f", External, &[]).function("g", External, &[]),
    ])?;
    assert_eq!(fate(&link, "a.cu", "local"), None);
    assert_eq!(fate(&link, "b.cu", "f"), None);
    assert_eq!(fate(&link, "b.cu", "g"), Some(Remove));
    Ok(())
}

#[test]
fn what_the_host_only_listed_goes_once_its_references_are_complete() -> TestResult {
    let modules = [
        Module::new("a.cu")
            .variable("__clang_gpu_used_external", Internal, device_variable())
            .refers("__clang_gpu_used_external", &["k"])
            .used("__clang_gpu_used_external")
            .used_by_host("k"),
        Module::new("b.cu").kernel("k", &[]),
    ];
    let with_host = link(&modules)?;
    assert_eq!(fate(&with_host, "b.cu", "k"), Some(Remove));
    assert_eq!(fate(&with_host, "a.cu", "__clang_gpu_used_external"), Some(Remove));
    let without_host = link_by(&Policy::default(), &modules)?;
    assert_eq!(fate(&without_host, "b.cu", "k"), None);
    assert_eq!(fate(&without_host, "a.cu", "__clang_gpu_used_external"), None);
    Ok(())
}

#[test]
fn variables_with_an_entry_stay_unless_told_otherwise() -> TestResult {
    let modules = [Module::new("a.cu")
        .variable("unused", External, device_variable())
        .entry("unused", Variable, false)
        .variable("copied", External, device_variable())
        .entry("copied", Variable, false)
        .host_refers_to("copied")
        .variable("elsewhere", External, device_variable())
        .in_address_space("elsewhere", 3)
        .entry("elsewhere", Variable, false)
        .variable("texture", External, device_variable())
        .entry("texture", Other, false)
        .variable("private", External, device_variable())
        .entry("private", Variable, true)];
    let names = ["unused", "copied", "elsewhere", "texture", "private"];
    let cautious = link(&modules)?;
    assert!(names.iter().all(|name| fate(&cautious, "a.cu", name).is_none()));
    let policy = Policy { optimize_unused_variables: true, ..complete() };
    let optimized = link_by(&policy, &modules)?;
    let gone: Vec<_> =
        names.iter().filter(|name| fate(&optimized, "a.cu", name) == Some(Remove)).collect();
    assert_eq!(gone, [&"unused"]);
    assert_eq!(optimized.removed_variables, ["unused"]);
    Ok(())
}

#[test]
fn a_variable_that_only_device_code_uses_keeps_its_name_for_its_entry() -> TestResult {
    let policy = Policy { optimize_unused_variables: true, ..complete() };
    let modules = [Module::new("a.cu")
        .variable("registered", External, device_variable())
        .entry("registered", Variable, false)
        .variable("plain", External, device_variable())
        .launched("k", &[])
        .refers("k", &["registered", "plain"])];
    let link = link_by(&policy, &modules)?;
    assert_eq!(fate(&link, "a.cu", "registered"), None);
    assert_eq!(fate(&link, "a.cu", "plain"), Some(Internalize));
    Ok(())
}

#[test]
fn arrays_of_the_compiler_keep_nothing_and_arrays_of_the_runtime_do() -> TestResult {
    let link = link(&[
        Module::new("a.cu")
            .variable("llvm.compiler.used", Appending, device_variable())
            .refers("llvm.compiler.used", &["listed"])
            .function("listed", External, &[])
            .variable("llvm.global_ctors", Appending, device_variable())
            .refers("llvm.global_ctors", &["constructor"])
            .function("constructor", Internal, &[]),
        Module::new("b.cu").variable("llvm.global_ctors", Appending, device_variable()),
    ])?;
    assert_eq!(fate(&link, "a.cu", "listed"), Some(Remove));
    assert_eq!(fate(&link, "a.cu", "constructor"), None);
    assert_eq!(fate(&link, "a.cu", "llvm.compiler.used"), None);
    assert_eq!(fate(&link, "a.cu", "llvm.global_ctors"), None);
    Ok(())
}

#[test]
fn recursion_and_cycles_between_modules_end() -> TestResult {
    let link = link(&[
        Module::new("a.cu").launched("k", &["f"]).function("f", External, &["f", "g"]),
        Module::new("b.cu").function("g", External, &["g", "f"]),
        Module::new("c.cu").function("island1", External, &["island2"]),
        Module::new("d.cu").function("island2", External, &["island1"]),
    ])?;
    assert_eq!(fate(&link, "c.cu", "island1"), Some(Remove));
    assert_eq!(fate(&link, "d.cu", "island2"), Some(Remove));
    assert_eq!(fate(&link, "a.cu", "f"), None);
    Ok(())
}

#[test]
fn entries_of_several_units_for_one_kernel_are_taken_together() -> TestResult {
    let instance = |id: &str| {
        Module::new(id)
            .function("k", LinkonceOdr, &[])
            .flags("k", |flags| flags.kernel = true)
            .entry("k", Kernel, false)
    };
    let link = link(&[instance("a.cu"), instance("b.cu").host_refers_to("k")])?;
    assert_eq!(fate(&link, "a.cu", "k"), Some(weft_artifact::Resolution::Keep));
    assert_eq!(fate(&link, "b.cu", "k"), Some(Remove));
    assert!(link.removed_kernels.is_empty());
    Ok(())
}
