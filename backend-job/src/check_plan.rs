//! Checks that a plan can be carried out, and is the one that the caller means.
//!
//! The record's digest proves that the plan is unchanged. This check finds plans that no correct
//! writer makes, since module ids become names of symbols and of files.

use weft_artifact::{ModuleId, Plan};

/// Returns the fault of `plan`, if there is one. `expected` is the module whose bitcode the caller
/// has, if it states one.
pub(crate) fn fault_of(plan: &Plan, expected: Option<&ModuleId>) -> Option<String> {
    let module_id = &plan.module_id;
    let sources = || plan.imports.iter().map(|list| &list.module_id);
    if let Some(fault) =
        std::iter::once(module_id).chain(sources()).find_map(|id| id.validate().err())
    {
        return Some(format!("the plan names a module that cannot be: {fault}"));
    }
    if let Some(expected) = expected.filter(|&expected| expected != module_id) {
        return Some(format!("the plan is for the module '{module_id}', not for '{expected}'"));
    }
    if sources().any(|source| source == module_id) {
        return Some(format!("the plan of '{module_id}' imports from the module itself"));
    }
    let twice = sources().zip(sources().skip(1)).find(|(one, next)| one >= next)?.1;
    Some(format!("the plan of '{module_id}' names '{twice}' twice or out of order"))
}

#[cfg(test)]
mod tests {
    use weft_artifact::{Arithmetic, ImportList, ModuleIdError};

    use super::*;

    fn plan(sources: &[&str]) -> Result<Plan, ModuleIdError> {
        let list = |&source: &&str| {
            ModuleId::new(source).map(|module_id| ImportList {
                module_id,
                arithmetic: Arithmetic::default(),
                symbols: Vec::new(),
                copies: Vec::new(),
            })
        };
        Ok(Plan {
            module_id: ModuleId::new("m")?,
            architecture: "sm_90".to_owned(),
            symbols: Vec::new(),
            attributes: Vec::new(),
            options: weft_artifact::PhaseOptions::default(),
            arithmetic: Arithmetic::default(),
            virtual_calls: Vec::new(),
            is_empty: false,
            import_metadata: false,
            dynamic_shared: Vec::new(),
            imports: sources.iter().map(list).collect::<Result<_, _>>()?,
        })
    }

    #[test]
    fn plans_that_cannot_be_meant_are_refused() -> Result<(), ModuleIdError> {
        let m = ModuleId::new("m")?;
        assert_eq!(fault_of(&plan(&["a", "b"])?, None), None);
        assert_eq!(fault_of(&plan(&["a", "b"])?, Some(&m)), None);
        for (sources, expected, part) in [
            (&["a"][..], "n", "for the module 'm', not for 'n'"),
            (&["a", "m"], "m", "imports from the module itself"),
            (&["b", "a"], "m", "names 'a' twice or out of order"),
            (&["a", "a"], "m", "names 'a' twice or out of order"),
        ] {
            let fault = fault_of(&plan(sources)?, Some(&ModuleId::new(expected)?));
            assert!(fault.as_ref().is_some_and(|fault| fault.contains(part)), "{fault:?}");
        }
        Ok(())
    }
}
