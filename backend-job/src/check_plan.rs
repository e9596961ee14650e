//! Checks that a plan is valid, and is the one that the caller means.
//!
//! The record's digest proves that the plan is unchanged. This check finds plans that no correct
//! writer makes, since module ids become names of symbols and of files.

use weft_artifact::{ModuleId, Plan};

/// Returns the fault of `plan`, if there is one. `expected` is the module whose bitcode the caller
/// has, if it states one.
pub(crate) fn fault_of(plan: &Plan, expected: Option<&ModuleId>) -> Option<String> {
    let module_id = &plan.module_id;
    let sources = || plan.imports.iter().map(|list| &list.module_id);
    let members = || {
        let others = plan.members.iter().map(|member| &member.module_id);
        std::iter::once(module_id).chain(others)
    };
    if let Some(fault) = members().chain(sources()).find_map(|id| id.validate().err()) {
        return Some(format!("the plan names a module that cannot be: {fault}"));
    }
    if let Some(expected) = expected.filter(|&expected| expected != module_id) {
        return Some(format!("the plan is for the module '{module_id}', not for '{expected}'"));
    }
    if let Some(source) = sources().find(|&source| members().any(|member| member == source)) {
        if source == module_id {
            return Some(format!("the plan of '{module_id}' imports from the module itself"));
        }
        return Some(format!("the plan of '{module_id}' imports from its own member '{source}'"));
    }
    let sources = sources().zip(sources().skip(1));
    let mut pairs = members().zip(members().skip(1)).chain(sources);
    let twice = pairs.find(|(one, next)| one >= next)?.1;
    Some(format!("the plan of '{module_id}' names '{twice}' twice or out of order"))
}

#[cfg(test)]
mod tests {
    use weft_artifact::{Arithmetic, ImportList, Member, ModuleIdError};

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
            members: Vec::new(),
            virtual_calls: Vec::new(),
            is_empty: false,
            import_metadata: false,
            dynamic_shared: Vec::new(),
            kernels: Vec::new(),
            constants: Vec::new(),
            definitions: Vec::new(),
            lto_ir: None,
            imports: sources.iter().map(list).collect::<Result<_, _>>()?,
        })
    }

    #[test]
    fn plans_that_cannot_be_meant_are_refused() -> Result<(), ModuleIdError> {
        let m = ModuleId::new("m")?;
        assert_eq!(fault_of(&plan(&["a", "b"])?, None), None);
        assert_eq!(fault_of(&plan(&["a", "b"])?, Some(&m)), None);
        let member = |id: &str| -> Result<Member, ModuleIdError> {
            let (module_id, arithmetic) = (ModuleId::new(id)?, Arithmetic::default());
            Ok(Member { module_id, arithmetic, symbols: Vec::new() })
        };
        for (members, part) in [
            (&["n", "o"][..], None),
            (&["n", "n"], Some("names 'n' twice or out of order")),
            (&["l"], Some("names 'l' twice or out of order")),
            (&["n", "z"], Some("imports from its own member 'z'")),
        ] {
            let members: Result<_, _> = members.iter().map(|id| member(id)).collect();
            let plan = Plan { members: members?, ..plan(&["z"])? };
            let fault = fault_of(&plan, None);
            assert_eq!(fault.is_some(), part.is_some(), "{fault:?}");
            assert!(fault.unwrap_or_default().contains(part.unwrap_or_default()));
        }
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
