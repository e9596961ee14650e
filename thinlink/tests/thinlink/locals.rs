//! Visibility: what is promoted, what becomes internal, what must stay visible.

use weft_artifact::Linkage::{External, Internal, Private};
use weft_artifact::Resolution::{Internalize, Promote, Remove};

use crate::support::{Module, TestResult, constant, device_variable, fate, imports, link, literal};

#[test]
fn a_local_that_an_imported_body_names_is_promoted() -> TestResult {
    let link = link(&[
        Module::new("a.cu").launched("k", &["f"]),
        Module::new("b.cu")
            .function("f", External, &["called", "large"])
            .refers("f", &["counter"])
            .function("called", Internal, &["behind"])
            .function("behind", Private, &[])
            .function("large", Internal, &["only_large"])
            .instructions("large", 5000)
            .function("only_large", Internal, &[])
            .variable("counter", Internal, device_variable()),
    ])?;
    for name in ["called", "behind", "large", "counter"] {
        assert_eq!(fate(&link, "b.cu", name), Some(Promote), "{name}");
    }
    assert_eq!(fate(&link, "b.cu", "only_large"), None, "its caller is not imported");
    assert_eq!(imports(&link, "a.cu"), ["b.cu:behind", "b.cu:called", "b.cu:f"]);
    Ok(())
}

#[test]
fn a_literal_is_copied_and_what_it_names_is_promoted() -> TestResult {
    let link = link(&[
        Module::new("a.cu").launched("k", &["f"]),
        Module::new("b.cu")
            .function("f", External, &[])
            .refers("f", &["text"])
            .variable("text", Private, literal())
            .refers("text", &["inner"])
            .variable("inner", Private, literal())
            .refers("inner", &["inner", "named", "text"])
            .variable("named", Internal, device_variable()),
    ])?;
    assert_eq!(fate(&link, "b.cu", "text"), None);
    assert_eq!(fate(&link, "b.cu", "inner"), None);
    assert_eq!(fate(&link, "b.cu", "named"), Some(Promote));
    assert_eq!(imports(&link, "a.cu"), ["b.cu:f"]);
    Ok(())
}

#[test]
fn a_body_that_names_a_local_which_must_keep_its_name_stays_where_it_is() -> TestResult {
    let link = link(&[
        Module::new("a.cu").launched("k", &["f", "g", "h"]),
        Module::new("b.cu")
            .function("f", External, &[])
            .refers("f", &["marked"])
            .function("g", External, &[])
            .refers("g", &["text"])
            .function("h", External, &[])
            .variable("text", Private, literal())
            .refers("text", &["inner"])
            .variable("inner", Private, literal())
            .refers("inner", &["marked"])
            .variable("marked", Internal, device_variable())
            .used("marked"),
    ])?;
    assert_eq!(imports(&link, "a.cu"), ["b.cu:h"]);
    assert_eq!(fate(&link, "b.cu", "marked"), None);
    Ok(())
}

#[test]
fn what_nobody_outside_needs_becomes_internal() -> TestResult {
    let link = link(&[
        Module::new("a.cu").launched("k", &["f"]).function("f", External, &[]),
        Module::new("b.cu").function("dead", External, &[]).function("dead_local", Internal, &[]),
    ])?;
    assert_eq!(fate(&link, "a.cu", "f"), Some(Internalize));
    assert_eq!(fate(&link, "a.cu", "k"), None);
    assert_eq!(fate(&link, "b.cu", "dead"), Some(Remove));
    assert_eq!(fate(&link, "b.cu", "dead_local"), Some(Remove));
    Ok(())
}

#[test]
fn what_another_module_names_stays_visible_imported_or_not() -> TestResult {
    let link = link(&[
        Module::new("a.cu").launched("k", &["small", "large"]).refers("k", &["variable"]),
        Module::new("b.cu")
            .function("small", External, &[])
            .function("large", External, &[])
            .instructions("large", 5000)
            .variable("variable", External, constant()),
    ])?;
    for name in ["small", "large", "variable"] {
        assert_eq!(fate(&link, "b.cu", name), None, "{name}");
    }
    Ok(())
}

#[test]
fn a_third_module_stays_visible_to_imported_bodies() -> TestResult {
    // `hidden` is named by `local`, which only reaches a.cu as part of an import; and by c.cu.
    let link = link(&[
        Module::new("a.cu").launched("k", &["f"]),
        Module::new("b.cu").function("f", External, &["local"]).function(
            "local",
            Internal,
            &["third"],
        ),
        Module::new("c.cu")
            .function("third", External, &["fourth"])
            .function("fourth", External, &["fourth_local"])
            .function("fourth_local", Internal, &[]),
    ])?;
    assert_eq!(
        imports(&link, "a.cu"),
        ["b.cu:f", "b.cu:local", "c.cu:fourth", "c.cu:fourth_local", "c.cu:third"]
    );
    assert_eq!(fate(&link, "c.cu", "fourth"), None, "named by the imported body of third");
    assert_eq!(fate(&link, "c.cu", "fourth_local"), Some(Promote));
    Ok(())
}

#[test]
fn names_that_no_module_defines_are_left_to_the_device_runtime() -> TestResult {
    let link = link(&[
        Module::new("a.cu").launched("k", &["vprintf", "f"]),
        Module::new("b.cu").function("f", External, &["malloc"]),
    ])?;
    assert_eq!(imports(&link, "a.cu"), ["b.cu:f"]);
    assert_eq!(fate(&link, "a.cu", "vprintf"), None);
    Ok(())
}
