//! Laws of the import that hold for every program, on pseudo-random ones, for both models.
//!
//! The effect of a higher limit follows from two facts. Thresholds are products of the limit with
//! factors that do not depend on it, truncated, so they never fall when it rises; and the cost of a
//! candidate does not depend on it. A candidate counts with its highest threshold, and Weft follows
//! it with the highest limit for its callees. So in Weft's model a higher limit never takes an
//! import away, and only a cut-off may, since new imports can push out old ones. In LLVM's model
//! two more things may: definitions of a function that are not equal, since the first that fits is
//! taken, and calls of several classes, since a candidate that was met at a high threshold is not
//! followed again from a lower one with a higher limit for its callees. Without them the same
//! holds.

use std::collections::BTreeSet;
use std::error::Error;

use dev_graph::{Graph, Kind, Program as _, Shape};
use thinlink::{ImportModel, ImportPolicy, Policy, Unit};
use weft_artifact::Linkage::{External, Internal, LinkonceOdr};

use crate::declarations::declare_as_defined;
use crate::links::{link_units, open};
use crate::random_programs::{all_imports, linked_on, program, random};
use crate::support::{Module, TestResult, constant};

const MODELS: [ImportModel; 2] = [ImportModel::Gpu, ImportModel::Llvm];

fn by(imports: ImportPolicy) -> Policy {
    Policy { imports, ..open() }
}

/// A program in which, for LLVM's model, all copies of a function are equal.
fn program_for(model: ImportModel, seed: u64) -> Result<Vec<Unit>, Box<dyn Error>> {
    match model {
        ImportModel::Gpu => program(seed),
        ImportModel::Llvm => {
            let graph = Graph::new(Shape { modules: 12, symbols: 16, density: 80, seed });
            (0..graph.modules()).map(|module| of_generated(&graph.module(module)).build()).collect()
        }
    }
}

fn of_generated(generated: &dev_graph::Module) -> Module {
    let names = |positions: &[u32]| -> Vec<&str> {
        positions
            .iter()
            .map(|&position| generated.symbols[position as usize].name.as_str())
            .collect()
    };
    generated.symbols.iter().fold(Module::new(&generated.id), |module, symbol| {
        let name = &symbol.name;
        match &symbol.kind {
            Kind::Declaration => module,
            Kind::Table => module.variable(name, External, constant()),
            Kind::Function(function) if function.kernel => {
                module.launched(name, &names(&function.calls))
            }
            Kind::Function(function) => {
                let linkage = match function.linkage {
                    dev_graph::Linkage::External => External,
                    dev_graph::Linkage::Internal => Internal,
                    dev_graph::Linkage::LinkonceOdr => LinkonceOdr,
                };
                module
                    .function(name, linkage, &names(&function.calls))
                    .refers(name, &names(&function.reads))
                    .instructions(name, function.instructions)
                    .flags(name, |flags| {
                        flags.no_inline = function.no_inline;
                        flags.always_inline = function.always_inline;
                    })
            }
        }
    })
}

#[test]
fn a_higher_limit_imports_no_less() -> TestResult {
    for seed in 1..40 {
        for model in MODELS {
            let units = program_for(model, seed)?;
            let mut fewer = BTreeSet::new();
            for limit in [0, 10, 100, 300, 700, 1000, 1001, 2000, u32::MAX] {
                let policy = by(ImportPolicy { limit, ..ImportPolicy::of(model) });
                let more = all_imports(&link_units(&units, &policy)?);
                assert!(more.is_superset(&fewer), "seed {seed}, {model:?}, limit {limit}");
                fewer = more;
            }
        }
    }
    Ok(())
}

#[test]
fn a_higher_factor_imports_no_less() -> TestResult {
    for seed in 1..40 {
        for model in MODELS {
            let units = program_for(model, seed)?;
            let mut fewer = BTreeSet::new();
            for evolution_factor in [0.0, 0.3, 0.7, 0.9, 1.0] {
                let imports =
                    ImportPolicy { limit: 900, evolution_factor, ..ImportPolicy::of(model) };
                let more = all_imports(&link_units(&units, &by(imports))?);
                assert!(more.is_superset(&fewer), "seed {seed}, {model:?}, {evolution_factor}");
                fewer = more;
            }
        }
    }
    Ok(())
}

#[test]
fn a_cutoff_bounds_the_functions_of_each_module_and_nothing_else_changes() -> TestResult {
    let mut bounded = 0;
    for seed in 1..30 {
        let units = program(seed)?;
        for model in MODELS {
            let unbounded = ImportPolicy { limit: 5000, ..ImportPolicy::of(model) };
            let all = all_imports(&link_units(&units, &by(unbounded.clone()))?);
            for cutoff in [0, 1, 3, 1000] {
                let imports = ImportPolicy { cutoff: Some(cutoff), ..unbounded.clone() };
                let link = link_units(&units, &by(imports))?;
                let some = all_imports(&link);
                for plan in &link.plans {
                    let lists = plan.imports.iter().flat_map(|list| {
                        list.symbols.iter().map(move |symbol| (&list.module_id, symbol))
                    });
                    let functions = lists.filter(|(source, symbol)| {
                        let unit = units.iter().find(|unit| unit.summary.module_id == **source);
                        let symbols = unit.and_then(|unit| unit.summary.device.as_ref());
                        symbols.is_some_and(|device| {
                            device.symbols.iter().any(|defined| {
                                defined.name == **symbol && defined.function().is_some()
                            })
                        })
                    });
                    assert!(functions.count() <= cutoff as usize, "seed {seed}, {model:?}");
                }
                assert!(some.is_subset(&all), "seed {seed}, {model:?}, {cutoff}");
                assert!(cutoff < 1000 || some == all, "seed {seed}, {model:?}");
                bounded += usize::from(some.len() < all.len());
            }
        }
    }
    assert!(bounded > 50, "the programs are too simple");
    Ok(())
}

/// The unit launches a kernel of its own, and its dead code names symbols of other units.
#[test]
fn a_unit_that_nobody_refers_to_changes_no_other_plan() -> TestResult {
    for seed in 1..60 {
        let mut units = program(seed)?;
        for model in MODELS {
            let policy = by(ImportPolicy::of(model));
            let without = link_units(&units, &policy)?;
            for id in ["a.cu", "m5.cu.more", "z.cu"] {
                let unit = Module::new(id)
                    .launched("alone", &["alone_f", "alone_merged"])
                    .function("alone_f", External, &["alone_local"])
                    .function("alone_local", Internal, &[])
                    .function("alone_merged", LinkonceOdr, &[])
                    .kernel("alone_dead", &["global1_3", "global2_4", "merged1", "merged2"]);
                units.push(unit.build()?);
                declare_as_defined(&mut units);
                let with = link_units(&units, &policy)?;
                units.pop();
                let others = with.plans.iter().filter(|plan| plan.module_id.as_str() != id);
                assert!(others.eq(&without.plans), "seed {seed}, {model:?}, with {id}");
            }
        }
    }
    Ok(())
}

#[test]
fn knobs_keep_plans_independent_of_order_and_threads() -> TestResult {
    for seed in 1..10 {
        let mut units = program(seed)?;
        for model in MODELS {
            let policy = by(ImportPolicy {
                limit: 2000,
                cutoff: Some(2),
                evolution_factor: 0.9,
                ..ImportPolicy::of(model)
            });
            let expected = link_units(&units, &policy)?;
            for threads in [1, 3] {
                random(seed).shuffle(&mut units);
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
                let link = linked_on(&pool, &units, &policy)?;
                assert_eq!(link, expected, "seed {seed}, {threads} threads");
            }
        }
    }
    Ok(())
}
