//! Merged symbols: which copy stays, and what becomes of the others.

use weft_artifact::Linkage::{
    AvailableExternally, Common, External, LinkonceAny, LinkonceOdr, WeakAny, WeakOdr,
};
use weft_artifact::Resolution::{AvailableExternally as Inspected, Internalize, Keep, Remove};

use crate::support::{Module, TestResult, constant, device_variable, fate, imports, link};

fn with_copy(id: &str, kernel: &str, linkage: weft_artifact::Linkage) -> Module {
    Module::new(id).launched(kernel, &["f"]).function("f", linkage, &[])
}

#[test]
fn the_first_copy_in_module_order_prevails_whatever_the_order_of_arguments() -> TestResult {
    let [a, b] = [with_copy("a.cu", "ka", LinkonceOdr), with_copy("b.cu", "kb", LinkonceOdr)];
    for modules in [[a.clone(), b.clone()], [b, a]] {
        let link = link(&modules)?;
        assert_eq!(fate(&link, "a.cu", "f"), Some(Keep));
        assert_eq!(fate(&link, "b.cu", "f"), Some(Inspected));
        assert!(imports(&link, "b.cu").is_empty(), "b.cu has a body of its own");
    }
    Ok(())
}

#[test]
fn a_strong_definition_prevails_over_earlier_merged_ones() -> TestResult {
    let link = link(&[with_copy("a.cu", "ka", WeakOdr), with_copy("b.cu", "kb", External)])?;
    assert_eq!(fate(&link, "a.cu", "f"), Some(Inspected));
    assert_eq!(fate(&link, "b.cu", "f"), None);
    Ok(())
}

#[test]
fn replaceable_copies_that_do_not_prevail_go_and_are_not_inspected() -> TestResult {
    for linkage in [WeakAny, LinkonceAny] {
        let link = link(&[with_copy("a.cu", "ka", linkage), with_copy("b.cu", "kb", linkage)])?;
        let kept = (linkage == LinkonceAny).then_some(Keep);
        assert_eq!(fate(&link, "a.cu", "f"), kept);
        assert_eq!(fate(&link, "b.cu", "f"), Some(Remove));
        assert!(imports(&link, "b.cu").is_empty(), "what prevails is replaceable too");
    }
    Ok(())
}

#[test]
fn what_only_a_dropped_copy_names_is_neither_imported_nor_left_visible() -> TestResult {
    let link = link(&[
        with_copy("a.cu", "ka", WeakAny),
        Module::new("b.cu").launched("kb", &["f"]).function("f", WeakAny, &["g"]),
        Module::new("c.cu").function("g", External, &[]),
    ])?;
    assert!(imports(&link, "b.cu").is_empty());
    assert_eq!(fate(&link, "c.cu", "g"), Some(Internalize));
    Ok(())
}

#[test]
fn a_replaceable_copy_gives_way_to_the_import_of_the_strong_one() -> TestResult {
    let link = link(&[with_copy("a.cu", "ka", WeakAny), with_copy("b.cu", "kb", External)])?;
    assert_eq!(fate(&link, "a.cu", "f"), Some(Remove));
    assert_eq!(imports(&link, "a.cu"), ["b.cu:f"]);
    Ok(())
}

#[test]
fn weak_symbols_need_no_keeping() -> TestResult {
    let link = link(&[with_copy("a.cu", "ka", WeakOdr), with_copy("b.cu", "kb", WeakOdr)])?;
    assert_eq!(fate(&link, "a.cu", "f"), None);
    assert_eq!(fate(&link, "b.cu", "f"), Some(Inspected));
    Ok(())
}

#[test]
fn copies_of_variables_follow_the_same_rules() -> TestResult {
    let module = |id: &str, kernel: &str| {
        Module::new(id)
            .launched(kernel, &[])
            .refers(kernel, &["table", "tentative"])
            .variable("table", LinkonceOdr, constant())
            .variable("tentative", Common, device_variable())
    };
    let link = link(&[module("a.cu", "ka"), module("b.cu", "kb")])?;
    assert_eq!(fate(&link, "a.cu", "table"), Some(Keep));
    assert_eq!(fate(&link, "b.cu", "table"), Some(Inspected));
    assert_eq!(fate(&link, "a.cu", "tentative"), None);
    assert_eq!(fate(&link, "b.cu", "tentative"), Some(Remove));
    Ok(())
}

#[test]
fn a_merged_symbol_of_one_module_becomes_internal() -> TestResult {
    let link = link(&[with_copy("a.cu", "ka", LinkonceOdr)])?;
    assert_eq!(fate(&link, "a.cu", "f"), Some(Internalize));
    Ok(())
}

#[test]
fn a_definition_that_was_for_inspection_already_stays_so_and_never_prevails() -> TestResult {
    let link = link(&[
        with_copy("a.cu", "ka", AvailableExternally),
        with_copy("b.cu", "kb", LinkonceOdr),
        with_copy("c.cu", "kc", LinkonceOdr),
    ])?;
    assert_eq!(fate(&link, "a.cu", "f"), None);
    assert_eq!(fate(&link, "b.cu", "f"), Some(Keep));
    assert!(imports(&link, "a.cu").is_empty());
    Ok(())
}

#[test]
fn the_locals_of_a_copy_that_does_not_prevail_stay_for_it() -> TestResult {
    let module = |id: &str, kernel: &str| {
        Module::new(id).launched(kernel, &["f"]).function("f", LinkonceOdr, &["local"]).function(
            "local",
            weft_artifact::Linkage::Internal,
            &[],
        )
    };
    let link = link(&[module("a.cu", "ka"), module("b.cu", "kb")])?;
    assert_eq!(fate(&link, "b.cu", "local"), None);
    Ok(())
}

#[test]
fn what_an_alias_stands_for_stays_as_it_is() -> TestResult {
    let module = |id: &str, kernel: &str| {
        Module::new(id)
            .launched(kernel, &["name", &format!("{kernel}_name")])
            .function("f", WeakOdr, &[])
            .alias("name", WeakOdr, "f")
            .alias(&format!("{kernel}_name"), External, "f")
    };
    let link = link(&[module("a.cu", "ka"), module("b.cu", "kb")])?;
    assert_eq!(fate(&link, "b.cu", "f"), None, "an alias cannot stand for an inspected copy");
    assert_eq!(fate(&link, "b.cu", "name"), Some(Remove), "a.cu has the name");
    assert_eq!(fate(&link, "a.cu", "ka_name"), None, "aliases never become internal");
    Ok(())
}

#[test]
fn an_alias_keeps_its_target_alive_and_both_can_go() -> TestResult {
    let link = link(&[
        Module::new("a.cu").launched("k", &["name"]),
        Module::new("b.cu")
            .function("target", External, &[])
            .alias("name", External, "target")
            .function("other", External, &[])
            .alias("unused", External, "other"),
    ])?;
    assert_eq!(fate(&link, "b.cu", "target"), None);
    assert_eq!(fate(&link, "b.cu", "name"), None);
    assert_eq!(fate(&link, "b.cu", "other"), Some(Remove));
    assert_eq!(fate(&link, "b.cu", "unused"), Some(Remove));
    assert!(imports(&link, "a.cu").is_empty(), "aliases are not imported");
    Ok(())
}
