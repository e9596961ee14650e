//! Random call graphs of many modules, for benches and tests of the thin link.
//!
//! One seed gives one program, on every machine. Its shape follows that of large CUDA programs:
//!
//! | property | distribution |
//! |---|---|
//! | symbols defined per module | uniform from half to one and a half times the mean |
//! | kinds | 1 in 25 a kernel, 1 in 12 a constant table, the rest functions |
//! | linkage of functions | 40 % external, 45 % `linkonce_odr`, 15 % internal |
//! | copies of a `linkonce_odr` function | from a pool of templates; a few in nearly every module |
//! | instructions | drawn from [`SIZES`]: median 13, mean about 50 |
//! | calls | in proportion to the instructions, uniform from none to twice that |
//! | callees of a template | at most six other templates, the same in every copy |
//! | other callees | 70 % of the module itself, 25 % of one of 8 neighbors, 5 % of the utilities |
//!
//! Neighbors are modules close by in the order of ids, so that calls stay in folders. The utility
//! modules are the first one in a hundred.

mod dense;
mod generate;
mod ir;
mod program;

pub use dense::Dense;
pub use generate::{Graph, Shape};
pub use ir::{architecture_of_ir, module_text};
pub use program::{Function, Heat, Kind, Linkage, Module, Program, SIZES, Symbol};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_stands_for_one_program_with_the_stated_numbers() {
        let shape = Shape { modules: 60, symbols: 100, density: 70, seed: 7 };
        let graph = Graph::new(shape);
        let (mut defined, mut calls, mut functions) = (0, 0, 0);
        for module in 0..graph.modules() {
            let built = graph.module(module);
            assert!(built.symbols.is_sorted_by(|one, other| one.name < other.name));
            assert_eq!(format!("{built:?}"), format!("{:?}", Graph::new(shape).module(module)));
            for symbol in &built.symbols {
                defined += usize::from(!matches!(symbol.kind, Kind::Declaration));
                if let Kind::Function(function) = &symbol.kind {
                    functions += 1;
                    calls += function.calls.len();
                }
            }
        }
        assert!((5000..7000).contains(&defined), "{defined} definitions");
        assert!((18..30).contains(&(10 * calls / functions)), "{calls} calls");
    }

    #[test]
    fn a_dense_program_has_the_stated_numbers() {
        let dense = Dense { modules: 100, functions: 200, calls: 8, seed: 3 };
        let (mut calls, mut inside, mut kernels) = (0, 0, 0);
        for number in 0..dense.modules() {
            let module = dense.module(number);
            assert!(module.symbols.is_sorted_by(|one, other| one.name < other.name));
            assert_eq!(format!("{module:?}"), format!("{:?}", dense.module(number)));
            let definition = |symbol: &Symbol| match &symbol.kind {
                Kind::Function(function) => Some(function.clone()),
                Kind::Table | Kind::Declaration => None,
            };
            let functions: Vec<Function> = module.symbols.iter().filter_map(definition).collect();
            assert_eq!(functions.len(), 200);
            kernels += functions.iter().filter(|function| function.kernel).count();
            for callee in functions.iter().flat_map(|function| &function.calls) {
                let callee = &module.symbols[*callee as usize].kind;
                assert!(!matches!(callee, Kind::Function(Function { kernel: true, .. })));
                calls += 1;
                inside += usize::from(matches!(callee, Kind::Function(_)));
            }
        }
        assert_eq!(kernels, 40);
        assert!((75..82).contains(&(calls / 2000)), "{calls} calls");
        assert!(
            (68..72).contains(&(100 * inside / calls)),
            "{inside} of {calls} calls stay inside"
        );
    }
}
