//! Arguments of nvlink for the runs of a job.

use weft_artifact::{LtoIrPlan, LtoIrRole, LtoIrSymbol};

/// Name of the file that holds long lists of names.
pub const OPTIONS_FILE: &str = "names.txt";

/// Name that is part of no symbol's, for a job without kernels: an empty list would mean all.
const NO_KERNEL: &str = "$weft$none";

/// Returns the text of [`OPTIONS_FILE`] for the run that makes the plan's kernels. `variables` are
/// kept as they are, besides those of the plan.
pub fn kernels_run(plan: &LtoIrPlan, variables: &[String]) -> String {
    let kernels = plan.kernels.join(",");
    let kernels = if kernels.is_empty() { NO_KERNEL } else { &kernels };
    // nvlink takes a weak definition for the last one, unless more is to be linked.
    let is_overridden = |symbol: &LtoIrSymbol| symbol.role == LtoIrRole::Overridden;
    let more = if plan.symbols.iter().any(is_overridden) { "-r\n" } else { "" };
    format!("{more}-kernels-used={kernels}\n{}", variables_used(plan, variables))
}

/// Returns the text of [`OPTIONS_FILE`] for the run that keeps all visible functions.
pub fn whole_run(plan: &LtoIrPlan, variables: &[String]) -> String {
    format!("-r\n{}", variables_used(plan, variables))
}

fn variables_used(plan: &LtoIrPlan, others: &[String]) -> String {
    let mut names: Vec<&str> =
        plan.used_variables.iter().chain(others).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { String::new() } else { format!("-variables-used={}\n", names.join(",")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_once_and_no_list_is_empty() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let plan = LtoIrPlan {
            kernels: names(&["a", "k"]),
            used_variables: names(&["v", "x"]),
            ..LtoIrPlan::default()
        };
        let found = kernels_run(&plan, &names(&["w", "v"]));
        assert_eq!(found, "-kernels-used=a,k\n-variables-used=v,w,x\n");
        assert_eq!(whole_run(&plan, &[]), "-r\n-variables-used=v,x\n");
        let empty = LtoIrPlan::default();
        assert_eq!(kernels_run(&empty, &[]), format!("-kernels-used={NO_KERNEL}\n"));
        assert_eq!(whole_run(&empty, &[]), "-r\n");
    }
}
