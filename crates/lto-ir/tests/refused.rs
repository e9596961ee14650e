//! Texts of nvlink that are not what a summary or a plan needs, and the messages about them.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use weft_artifact::{LtoIrPlan, LtoIrRole, LtoIrSymbol, ModuleId};
use weft_lto_ir::job::{Texts, rewrite};
use weft_lto_ir::{Background, describe};

const EMPTY: &str = ".version 9.5\n.target sm_90\n.address_size 64\n";

/// A plan whose job has these kernels, and defines these symbols for other jobs.
fn plan(kernels: &[&str], defined: &[&str]) -> LtoIrPlan {
    let symbol = |name: &&str| LtoIrSymbol {
        name: (*name).to_owned(),
        linked_name: None,
        role: LtoIrRole::Define,
        alignment: None,
    };
    LtoIrPlan {
        kernels: kernels.iter().map(|&name| name.to_owned()).collect(),
        symbols: defined.iter().map(symbol).collect(),
        ..LtoIrPlan::default()
    }
}

/// Returns the message about a job that nvlink wrote `texts` for.
fn refused(texts: &Texts<'_>, plan: &LtoIrPlan) -> String {
    rewrite(texts, plan, &[]).unwrap_err().to_string()
}

#[test]
fn a_job_names_what_nvlink_did_not_write() {
    let empty = Texts::of_kernels(EMPTY);
    assert_eq!(
        refused(&empty, &plan(&["absent"], &[])),
        "nvlink wrote no kernel 'absent', which the plan names"
    );
    assert_eq!(
        refused(&empty, &plan(&[], &["absent"])),
        "nvlink wrote no function 'absent' for other jobs, which the plan names"
    );
    let both = Texts { whole: Some(EMPTY), ..empty };
    assert_eq!(
        refused(&both, &plan(&[], &["absent"])),
        "nvlink wrote no definition of 'absent', which the plan names"
    );
}

#[test]
fn a_job_names_the_shared_variable_that_nvlink_changed() {
    let own = format!("{EMPTY}.visible .global .align 8 .u64 counter = 3;\n");
    let kernels = format!("{EMPTY}.visible .global .align 4 .u32 counter = 3;\n");
    let texts = Texts { kernels: &kernels, whole: None, own: Some(&own), plain: None };
    let message = refused(&texts, &plan(&[], &["counter"]));
    assert!(
        message.starts_with("nvlink changed the shared variable 'counter' from '.global .align 8"),
        "{message}"
    );
    let unchanged = Texts { kernels: &own, ..texts };
    assert!(rewrite(&unchanged, &plan(&[], &["counter"]), &[]).is_ok());
}

#[test]
fn a_summary_needs_text() {
    let module_id = ModuleId::new("a").unwrap();
    let ptx = [EMPTY.as_bytes(), b"// \xFF\n"].concat();
    let error = describe(&ptx, &module_id, &Background::default()).unwrap_err();
    assert_eq!(error.to_string(), "PTX that is not UTF-8");
    assert!(describe(EMPTY.as_bytes(), &module_id, &Background::default()).is_ok());
}
