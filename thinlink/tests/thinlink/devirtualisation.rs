//! Virtual calls: when their targets are known, and what becomes of them.

use thinlink::{Link, Policy};
use weft_artifact::Linkage::{External, Internal, LinkonceOdr};
use weft_artifact::Resolution::Promote;
use weft_artifact::{ModuleId, VirtualCallOutcome, promoted_name};

use crate::support::{Module, TestResult, complete, fate, imports, link, link_by};

/// A kernel that makes an object of each class and calls the first virtual function of `Base`.
fn caller(tables: &[&str]) -> Module {
    Module::new("call.cu").launched("k", &[]).refers("k", tables).virtual_call("k", "Base", 0)
}

/// A unit with a class, its table and its one virtual function.
fn class(name: &str) -> Module {
    let function = format!("{name}_f");
    Module::new(&format!("{name}.cu")).function(&function, External, &[]).table(
        &format!("_ZTV{name}"),
        External,
        &[&function],
        &["Base", name],
    )
}

fn outcome(link: &Link) -> Option<&VirtualCallOutcome> {
    let plan = link.plans.iter().find(|plan| plan.module_id.as_str() == "call.cu")?;
    plan.virtual_calls.first().map(|resolution| &resolution.outcome)
}

fn calls(names: &[&str]) -> VirtualCallOutcome {
    VirtualCallOutcome::Calls(names.iter().map(|&name| name.to_owned()).collect())
}

#[test]
fn a_single_implementation_is_called_and_imported() -> TestResult {
    let link = link(&[caller(&["_ZTVA"]), class("A")])?;
    assert_eq!(outcome(&link), Some(&calls(&["A_f"])));
    assert_eq!(imports(&link, "call.cu"), ["A.cu:A_f", "A.cu:_ZTVA"]);
    assert_eq!(fate(&link, "A.cu", "A_f"), None, "it stays visible");
    Ok(())
}

#[test]
fn a_few_implementations_are_tested_for_and_more_are_left_alone() -> TestResult {
    let names = ["A", "B", "C", "D"];
    for count in 1..=names.len() {
        let names = &names[..count];
        let tables: Vec<String> = names.iter().map(|name| format!("_ZTV{name}")).collect();
        let tables: Vec<&str> = tables.iter().map(String::as_str).collect();
        let mut modules = vec![caller(&tables)];
        modules.extend(names.iter().map(|name| class(name)));
        let link = link(&modules)?;
        let functions: Vec<String> = names.iter().map(|name| format!("{name}_f")).collect();
        let expected = (count <= 3).then_some(VirtualCallOutcome::Calls(functions));
        assert_eq!(outcome(&link), expected.as_ref());
    }
    Ok(())
}

#[test]
fn tables_of_classes_without_objects_and_empty_slots_do_not_count() -> TestResult {
    let abstract_class = Module::new("base.cu")
        .table("_ZTV4Base", External, &[""], &["Base"])
        .table("_ZTV4Pure", External, &["__cxa_pure_virtual"], &["Base"]);
    let link = link(&[
        caller(&["_ZTVA", "_ZTV4Base", "_ZTV4Pure"]),
        class("A"),
        class("B"),
        abstract_class,
    ])?;
    assert_eq!(outcome(&link), Some(&calls(&["A_f"])), "nobody makes a B");
    Ok(())
}

#[test]
fn one_result_of_all_implementations_takes_the_place_of_the_call() -> TestResult {
    let module = |name: &str, result| {
        let function = format!("{name}_f");
        class(name).facts(&function, |facts| facts.constant_result = result)
    };
    let tables = ["_ZTVA", "_ZTVB"];
    for (results, expected) in [
        ([Some(3), Some(3)], VirtualCallOutcome::Returns(3)),
        ([Some(3), Some(4)], calls(&["A_f", "B_f"])),
        ([Some(3), None], calls(&["A_f", "B_f"])),
    ] {
        let link = link(&[caller(&tables), module("A", results[0]), module("B", results[1])])?;
        assert_eq!(outcome(&link), Some(&expected), "{results:?}");
    }
    Ok(())
}

#[test]
fn a_local_implementation_is_called_by_its_promoted_name() -> TestResult {
    let module = Module::new("A.cu").function("A_f", Internal, &[]).table(
        "_ZTVA",
        External,
        &["A_f"],
        &["Base"],
    );
    let linked = link(&[caller(&["_ZTVA"]), module.clone()])?;
    let promoted = promoted_name(&ModuleId::new("A.cu")?, "A_f");
    assert_eq!(outcome(&linked), Some(&calls(&[&promoted])));
    assert_eq!(fate(&linked, "A.cu", "A_f"), Some(Promote));
    let pinned = link(&[caller(&["_ZTVA"]), module.used("A_f")])?;
    assert_eq!(outcome(&pinned), None, "it cannot get another name");
    Ok(())
}

#[test]
fn types_are_closed_only_where_all_is_known() -> TestResult {
    let program = || vec![caller(&["_ZTVA"]), class("A")];
    let with = |module: Module| program().into_iter().chain([module]).collect::<Vec<_>>();
    let runtime = Module::new("libcudadevrt.a/x.o").cubin(&["cudaMalloc"], &[]);
    assert!(outcome(&link(&with(runtime))?).is_some(), "NVIDIA's runtime has no classes of ours");
    let cases = [
        ("host", link_by(&Policy::default(), &program())?),
        ("opaque", link(&with(Module::new("b.o").cubin(&["g"], &[])))?),
        ("switch", link_by(&Policy { devirtualise: false, ..complete() }, &program())?),
        ("undefined", link(&[caller(&["_ZTVA", "_ZTVother"]), class("A")])?),
        (
            "untyped",
            link(&[
                caller(&["_ZTVA", "_ZTVU"]),
                class("A"),
                Module::new("u.cu").table("_ZTVU", LinkonceOdr, &["g"], &[]).function(
                    "g",
                    External,
                    &[],
                ),
            ])?,
        ),
    ];
    for (case, link) in &cases {
        assert_eq!(outcome(link), None, "{case}");
        let says = link.log.iter().any(|line| line.starts_with("virtual calls: left alone, as "));
        assert_eq!(says, *case != "switch", "{case}: {:?}", link.log);
    }
    Ok(())
}

#[test]
fn only_modules_with_such_calls_are_told() -> TestResult {
    let other = Module::new("z.cu").launched("l", &[]).refers("l", &["_ZTVA"]);
    let link = link(&[caller(&["_ZTVA"]), class("A"), other])?;
    let told: Vec<_> = link.plans.iter().filter(|plan| !plan.virtual_calls.is_empty()).collect();
    assert_eq!(told.len(), 1);
    Ok(())
}
