//! Lists of what is used, patterns to keep, and switches.

use thinlink::{Policy, RootPolicy};
use weft_artifact::HostEntryKind::Variable;
use weft_artifact::Linkage::{External, Internal};
use weft_artifact::NamedKind::{Constant, Kernel, Variable as DeviceVariable};
use weft_artifact::Resolution::Remove;
use weft_artifact::{NamedKind, NamedReference};

use crate::support::{Module, TestResult, complete, device_variable, fate, link_by};

fn listed(lists: &[(NamedKind, bool, &str)]) -> Policy {
    let reference = |&(kind, internal, pattern): &(NamedKind, bool, &str)| NamedReference {
        kind,
        internal,
        pattern: pattern.to_owned(),
    };
    let host_references = Some(lists.iter().map(reference).collect());
    with(RootPolicy { host_references, ..RootPolicy::default() })
}

fn with(roots: RootPolicy) -> Policy {
    Policy { roots, ..complete() }
}

/// Bitcode of whose host side nothing is known.
fn bitcode() -> Module {
    let kernel = |module: Module, name: &str, linkage| {
        module.function(name, linkage, &[]).flags(name, |flags| flags.kernel = true)
    };
    let module = kernel(Module::new("a.bc").device_only(), "_Z4stepPf", External);
    let module = kernel(module, "_Z4dumpPf", External);
    let module = kernel(module, "_ZL5localPf", Internal);
    module.variable("table", External, device_variable()).in_address_space("table", 4).variable(
        "counter",
        External,
        device_variable(),
    )
}

const NAMES: [&str; 5] = ["_Z4stepPf", "_Z4dumpPf", "_ZL5localPf", "table", "counter"];

/// Which of the names stay.
fn staying(
    policy: &Policy,
    module: &Module,
) -> Result<Vec<&'static str>, Box<dyn std::error::Error>> {
    let link = link_by(policy, std::slice::from_ref(module))?;
    Ok(NAMES.into_iter().filter(|name| fate(&link, "a.bc", name) != Some(Remove)).collect())
}

#[test]
fn lists_of_the_hosts_references_are_all_there_is_to_know_of_bitcode() -> TestResult {
    assert_eq!(staying(&complete(), &bitcode())?, NAMES, "its host side is unknown");
    let tables = [
        (&[(Kernel, false, "_Z4step*")][..], vec!["_Z4stepPf", "table", "counter"]),
        (&[(Kernel, true, "_ZL5local*")], vec!["_ZL5localPf", "table", "counter"]),
        (&[(Kernel, false, "_ZL5local*")], vec!["table", "counter"]),
    ];
    for (lists, expected) in tables {
        assert_eq!(staying(&listed(lists), &bitcode())?, expected, "{lists:?}");
    }
    let variables = [
        (Constant, "table", vec!["table"]),
        (DeviceVariable, "count*", vec!["counter"]),
        (DeviceVariable, "nothing", vec![]),
    ];
    for (kind, name, expected) in variables {
        let policy = Policy { optimize_unused_variables: true, ..listed(&[(kind, false, name)]) };
        assert_eq!(staying(&policy, &bitcode())?, expected, "{name}");
    }
    Ok(())
}

#[test]
fn ignored_host_information_removes_nothing_visible() -> TestResult {
    let policy = with(RootPolicy { ignore_host_info: true, ..RootPolicy::default() });
    let link = link_by(&policy, &[Module::new("a.cu").kernel("dead", &[])])?;
    assert_eq!(fate(&link, "a.cu", "dead"), None);
    Ok(())
}

#[test]
fn lists_of_what_is_used_close_kernels_and_variables_whatever_else_is_known() -> TestResult {
    let kernels = |part: &str| {
        let roots =
            RootPolicy { kernels_used: Some(vec![part.to_owned()]), ..RootPolicy::default() };
        Policy { roots, ..Policy::default() }
    };
    assert_eq!(staying(&kernels("step"), &bitcode())?, ["_Z4stepPf", "table", "counter"]);
    let variables =
        RootPolicy { variables_used: Some(vec!["tab".to_owned()]), ..RootPolicy::default() };
    let policy = Policy { roots: variables, ..Policy::default() };
    let link = link_by(&policy, &[bitcode().refers("_Z4stepPf", &[])])?;
    assert_eq!(fate(&link, "a.bc", "counter"), Some(Remove));
    assert_eq!(fate(&link, "a.bc", "table"), None);
    assert_eq!(link.removed_variables, ["counter"]);
    let used = link_by(&policy, &[bitcode().refers("_Z4stepPf", &["counter"])])?;
    assert_ne!(fate(&used, "a.bc", "counter"), Some(Remove), "device code refers to it");
    let launched = link_by(&kernels("step"), &[bitcode().refers("_Z4stepPf", &["_Z4dumpPf"])])?;
    assert_eq!(fate(&launched, "a.bc", "_Z4dumpPf"), None, "device code launches it");
    let unknown = link_by(&kernels("step"), &[bitcode(), Module::new("b.o").lto_ir()])?;
    assert_eq!(fate(&unknown, "a.bc", "_Z4dumpPf"), None, "opaque code may launch it");
    Ok(())
}

#[test]
fn kept_names_may_hold_wildcards() -> TestResult {
    let keep = ["_Z4[a-s]*".to_owned(), "*Pg".to_owned()].into();
    let module = Module::new("a.cu").kernel("_Z4stepPf", &[]).kernel("_Z4zoomPf", &[]);
    let link = link_by(&Policy { keep, ..complete() }, &[module])?;
    assert_eq!(fate(&link, "a.cu", "_Z4stepPf"), None);
    assert_eq!(fate(&link, "a.cu", "_Z4zoomPf"), Some(Remove));
    assert_eq!(link.warnings, ["--keep *Pg: no module defines a symbol of that name"]);
    Ok(())
}

#[test]
fn without_dead_code_nothing_goes() -> TestResult {
    let policy = with(RootPolicy { compute_dead: false, ..RootPolicy::default() });
    let module = Module::new("a.cu")
        .kernel("dead", &["local"])
        .function("local", Internal, &[])
        .variable("v", External, device_variable())
        .entry("v", Variable, false);
    let link = link_by(&policy, &[module])?;
    assert!(["dead", "local", "v"].iter().all(|name| fate(&link, "a.cu", name) != Some(Remove)));
    assert!(link.removed_kernels.is_empty());
    Ok(())
}
