//! Device code without bitcode, and host code that goes by device names.

use thinlink::Policy;
use weft_artifact::Linkage::{External, Internal, LinkonceOdr, WeakAny};
use weft_artifact::NamedKind::{Constant, Kernel, Variable};
use weft_artifact::Resolution::{AvailableExternally, Internalize, Keep, Remove};
use weft_artifact::{HostEntryKind, Linkage};

use crate::support::{Module, TestResult, complete, device_variable, fate, imports, link, link_by};

#[test]
fn what_an_opaque_image_needs_stays_under_its_name() -> TestResult {
    let link = link(&[
        Module::new("a.cu")
            .function("needed", External, &["helper"])
            .function("helper", External, &[])
            .function("unneeded", External, &[]),
        Module::new("b.o").cubin(&[], &["needed", "vprintf"]),
    ])?;
    assert_eq!(fate(&link, "a.cu", "needed"), None);
    assert_eq!(fate(&link, "a.cu", "helper"), Some(Internalize));
    assert_eq!(fate(&link, "a.cu", "unneeded"), Some(Remove));
    assert_eq!(link.warnings.len(), 1, "{:?}", link.warnings);
    assert!(link.warnings[0].starts_with("b.o.summary holds device code that is not built"));
    assert_eq!(link.plans.len(), 1, "an opaque unit has no plan");
    Ok(())
}

#[test]
fn a_discardable_function_that_an_image_needs_is_kept_and_not_made_internal() -> TestResult {
    let link = link(&[
        Module::new("a.cu").function("f", LinkonceOdr, &[]),
        Module::new("b.cu").launched("k", &["f"]).function("f", LinkonceOdr, &[]),
        Module::new("c.o").cubin(&[], &["f"]),
    ])?;
    assert_eq!(fate(&link, "a.cu", "f"), Some(Keep));
    assert_eq!(fate(&link, "b.cu", "f"), Some(AvailableExternally));
    Ok(())
}

#[test]
fn a_symbol_that_an_image_defines_too_neither_goes_nor_becomes_internal() -> TestResult {
    // The image may define it weakly, and its own code then ends up with ours.
    for linkage in [External, WeakAny, LinkonceOdr] {
        let link = link(&[
            Module::new("a.cu")
                .function("f", linkage, &[])
                .variable("v", linkage, device_variable())
                .launched("k", &[])
                .refers("k", &["v"]),
            Module::new("b.o").cubin(&["f", "v"], &[]),
        ])?;
        let kept = (linkage == LinkonceOdr).then_some(Keep);
        assert_eq!(fate(&link, "a.cu", "f"), kept, "{linkage:?}");
        assert_eq!(fate(&link, "a.cu", "v"), kept, "{linkage:?}");
    }
    Ok(())
}

#[test]
fn a_symbol_that_only_an_image_defines_is_left_to_the_final_link() -> TestResult {
    let link =
        link(&[Module::new("a.cu").launched("k", &["f"]), Module::new("b.o").cubin(&["f"], &[])])?;
    assert_eq!(fate(&link, "a.cu", "k"), None);
    assert!(imports(&link, "a.cu").is_empty());
    Ok(())
}

#[test]
fn a_local_of_the_name_that_an_image_needs_is_another_symbol() -> TestResult {
    let link = link(&[
        Module::new("a.cu").function("f", Internal, &[]),
        Module::new("b.o").cubin(&[], &["f"]),
    ])?;
    assert_eq!(fate(&link, "a.cu", "f"), Some(Remove));
    Ok(())
}

#[test]
fn an_image_of_unknown_symbols_keeps_everything_and_is_named() -> TestResult {
    let modules = [
        Module::new("a.cu").kernel("dead", &[]).function("lonely", External, &[]).function(
            "local",
            Internal,
            &[],
        ),
        Module::new("b.o").lto_ir(),
        Module::new("c.o").lto_ir(),
    ];
    let closed = link(&modules)?;
    assert_eq!(fate(&closed, "a.cu", "dead"), None);
    assert_eq!(fate(&closed, "a.cu", "lonely"), None);
    assert_eq!(fate(&closed, "a.cu", "local"), Some(Remove));
    let [warning] = closed.warnings.as_slice() else {
        return Err(format!("{:?}", closed.warnings).into());
    };
    for part in ["b.o.summary (and 1 more)", "NVIDIA LTO IR", "cannot be known", "module 'b.o'"] {
        assert!(warning.contains(part), "{part}: {warning}");
    }
    let open = link_by(&Policy::default(), &modules)?;
    assert!(open.warnings.is_empty(), "nothing was promised: {:?}", open.warnings);
    Ok(())
}

#[test]
fn a_kernel_that_nvcc_compiled_host_code_names_stays() -> TestResult {
    let link = link(&[
        Module::new("a.cu").kernel("_Z4stepPf", &[]).kernel("_Z4stopPf", &[]).function(
            "_Z4stepi",
            External,
            &[],
        ),
        Module::new("main.o").host_names(Kernel, false, "_Z4step*"),
    ])?;
    assert_eq!(fate(&link, "a.cu", "_Z4stepPf"), None);
    assert_eq!(fate(&link, "a.cu", "_Z4stopPf"), Some(Remove));
    assert_eq!(fate(&link, "a.cu", "_Z4stepi"), Some(Remove), "a table of kernels, not functions");
    Ok(())
}

#[test]
fn variables_that_nvcc_compiled_host_code_names_stay() -> TestResult {
    let policy = Policy { optimize_unused_variables: true, ..complete() };
    let variable = |module: Module, name: &str| {
        module.variable(name, External, device_variable()).entry(
            name,
            HostEntryKind::Variable,
            false,
        )
    };
    let module = ["global", "constant", "unused"].into_iter().fold(Module::new("a.cu"), variable);
    let names = Module::new("main.o")
        .host_names(Variable, false, "global")
        .host_names(Constant, false, "constant")
        .host_names(Kernel, false, "unused");
    let link = link_by(&policy, &[module, names])?;
    assert_eq!(fate(&link, "a.cu", "global"), None);
    assert_eq!(fate(&link, "a.cu", "constant"), None);
    assert_eq!(fate(&link, "a.cu", "unused"), Some(Remove));
    Ok(())
}

#[test]
fn a_name_in_a_table_of_internal_symbols_is_its_units_own() -> TestResult {
    let link = link(&[
        Module::new("a.cu").kernel("k", &[]),
        Module::new("main.o").host_names(Kernel, true, "k*"),
    ])?;
    assert_eq!(fate(&link, "a.cu", "k"), Some(Remove));
    Ok(())
}

#[test]
fn an_internal_kernel_is_apart_from_an_external_one_of_its_name() -> TestResult {
    let module = |id: &str, linkage: Linkage, local_stub: bool| {
        Module::new(id).function("k", linkage, &[]).flags("k", |flags| flags.kernel = true).entry(
            "k",
            HostEntryKind::Kernel,
            local_stub,
        )
    };
    let link = link(&[module("a.cu", External, false), module("b.cu", Internal, true)])?;
    assert_eq!(fate(&link, "a.cu", "k"), Some(Remove));
    assert_eq!(fate(&link, "b.cu", "k"), None);
    Ok(())
}
