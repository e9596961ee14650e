//! Facts of all bodies of a module, of which few are in memory at a time.

use std::collections::{BTreeMap, BTreeSet};

use super::body::{BodyFacts, facts_of_body};
use super::destination::Destination;
use crate::analyses::Analyses;
use crate::arithmetic::{self, ArithmeticFacts};
use crate::assembly::Assembly;
use crate::changes::Share;
use crate::error::IrError;
use crate::handles::{Function, Identity};
use crate::module::Module;

/// LLVM's functions that test types. A module without them makes no virtual call that is known as
/// one.
const TYPE_TESTS: [&str; 3] = ["llvm.type.test", "llvm.public.type.test", "llvm.type.checked.load"];

/// Everything about a module that only its bodies show.
pub(super) struct Bodies {
    of_functions: BTreeMap<Identity, BodyFacts>,
    pub(super) assembly: Assembly,
    pub(super) arithmetic: ArithmeticFacts,
}

impl Bodies {
    /// The facts of a module of which no body has been read.
    pub(super) fn none(module: &Module<'_>) -> Self {
        Self {
            of_functions: BTreeMap::new(),
            assembly: Assembly::outside_functions(module),
            arithmetic: ArithmeticFacts::default(),
        }
    }

    /// Reads the bodies of a share of a module that was read lazily, with about `limit`
    /// instructions in memory at a time. A share with no more of them is in memory afterwards.
    pub(super) fn read(
        module: &mut Module<'_>,
        share: Share,
        limit: usize,
    ) -> Result<Self, IrError> {
        let mut bodies = Self::none(module);
        loop {
            let is_last = module.read_bodies(limit, share)?;
            bodies.add(module);
            if is_last {
                return Ok(bodies);
            }
            module.empty_bodies();
        }
    }

    /// The facts of a function's body, if it has one.
    pub(super) fn of(&self, function: Function<'_>) -> Option<&BodyFacts> {
        self.of_functions.get(&function.identity())
    }

    /// All symbols that the bodies call.
    pub(super) fn callees(&self) -> BTreeSet<Identity> {
        self.of_functions.values().flat_map(|body| body.calls.keys().copied()).collect()
    }

    /// The facts with the identities that the values have in another context.
    pub(super) fn moved(self, to: &Destination) -> Self {
        Self {
            of_functions: to.symbols(self.of_functions, |body| body.moved(to)),
            assembly: self.assembly.moved(|template| to.template(template)),
            arithmetic: self.arithmetic,
        }
    }

    /// These facts and those of other bodies.
    pub(super) fn with(mut self, other: Self) -> Self {
        self.of_functions.extend(other.of_functions);
        Self {
            of_functions: self.of_functions,
            assembly: self.assembly.with(other.assembly),
            arithmetic: self.arithmetic.with(other.arithmetic),
        }
    }

    /// Adds the bodies that have been read since the last call.
    fn add(&mut self, module: &Module<'_>) {
        self.arithmetic = self.arithmetic.with(arithmetic::facts(module));
        let analyses = Analyses::of(module);
        let tests_types = TYPE_TESTS.iter().any(|name| module.function(name).is_some());
        for function in module.functions() {
            let is_new = !self.of_functions.contains_key(&function.identity());
            if !is_new || function.is_declaration() || !function.has_been_read() {
                continue;
            }
            self.assembly.add(function);
            let facts = facts_of_body(&analyses, function, tests_types);
            self.of_functions.insert(function.identity(), facts);
            analyses.forget(function);
        }
    }
}
