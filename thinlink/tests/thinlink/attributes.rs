//! Attributes that a plan states, and those that it leaves out as a module knows them.

use std::error::Error;

use thinlink::Policy;
use weft_artifact::Linkage::External;
use weft_artifact::{FunctionAttributes, FunctionFlags, MemoryEffects};

use crate::links::{link_by, open};
use crate::support::{Module, TestResult};

/// Returns the attributes that the plan states of a function that calls `callees`, of which its
/// module states the given ones.
fn told(
    stated: FunctionAttributes,
    callees: &[&str],
) -> Result<Option<FunctionAttributes>, Box<dyn Error>> {
    let FunctionAttributes { no_unwind, no_recurse, will_return, memory } = stated;
    let module = Module::new("a.cu")
        .function("f", External, callees)
        .used("f")
        .flags("f", |flags| {
            *flags =
                FunctionFlags { no_unwind, no_recurse, will_return, ..FunctionFlags::default() };
        })
        .facts("f", |facts| (facts.memory, facts.own_memory) = (memory, MemoryEffects::NONE));
    let plan =
        link_by(&Policy { propagate_attributes: true, ..open() }, &[module])?.plans.remove(0);
    Ok(plan.attributes.into_iter().next().map(|symbol| symbol.attributes))
}

#[test]
fn a_plan_repeats_nothing_that_the_module_states() -> TestResult {
    for will_return in [false, true] {
        let all = FunctionAttributes {
            no_unwind: true,
            no_recurse: true,
            will_return,
            memory: MemoryEffects::NONE,
        };
        assert_eq!(told(all, &[])?, None);
        // clang marks everything as not unwinding, so that is no news.
        assert_eq!(told(FunctionAttributes { no_unwind: false, ..all }, &[])?, None);
        assert_eq!(told(FunctionAttributes { no_recurse: false, ..all }, &[])?, Some(all));
        let touches = FunctionAttributes { memory: MemoryEffects::READS_ARGUMENTS, ..all };
        assert_eq!(told(touches, &[])?, Some(all));
        // A function that calls itself recurses, so there is nothing to add.
        let recurses = FunctionAttributes { no_recurse: false, ..all };
        assert_eq!(told(recurses, &["f"])?, None);
    }
    Ok(())
}
