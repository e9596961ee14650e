//! The runs of nvlink for a job, each a declared action, and the job's PTX from what they write.

use weft_action::{Input, Phase, Session};
use weft_artifact::{LtoIrPlan, LtoIrRole, Plan};
use weft_cli::{Fault, failure};

use super::arguments::{OPTIONS_FILE, kernels_run, whole_run};
use super::lacking::{lacking_functions, written_variables};
use super::rewrite::{Texts, rewrite};
use crate::nvlink::{Nvlink, Run};

/// LTO IR for a job.
#[derive(Clone, Debug)]
pub struct JobInput<'data> {
    /// Plan of the module.
    pub plan: &'data Plan,
    /// The part of the plan for modules of LTO IR.
    pub orders: &'data LtoIrPlan,
    /// Fat binary of the module itself.
    pub own: &'data [u8],
    /// Fat binaries of the modules of `orders.units`, in the same order.
    pub units: Vec<&'data [u8]>,
    /// Options for libnvvm.
    pub libnvvm_options: &'data [String],
}

/// Carries out the plan: returns the PTX of the job.
pub fn link(session: &Session, nvlink: &Nvlink, job: &JobInput<'_>) -> anyhow::Result<String> {
    let JobInput { plan, orders, own, .. } = job;
    // An empty job has the head of PTX that nvlink writes for the module.
    let units = if job.units.is_empty() { vec![*own] } else { job.units.clone() };
    let optimized = |names: &str| job.run(session, nvlink, &units, Some(names), &[]);
    let mut variables = Vec::new();
    let mut kernels = optimized(&kernels_run(orders, &variables))?;
    let lacking = lacking_functions(&kernels, orders)?;
    let mut whole = None;
    // What the other run needs of variables may change what this run must leave alone.
    while !lacking.is_empty() {
        let text = optimized(&whole_run(orders, &variables))?;
        let more = written_variables(&text, &lacking, orders)?;
        let is_complete = more.iter().all(|name| variables.contains(name));
        whole = Some(text);
        if is_complete {
            break;
        }
        variables = [variables, more].concat();
        variables.sort_unstable();
        variables.dedup();
        kernels = optimized(&kernels_run(orders, &variables))?;
    }
    let shares_definitions = orders.symbols.iter().any(|symbol| symbol.role == LtoIrRole::Define);
    let own = if shares_definitions {
        let words = ["-r", "-Xnvvm=-opt=0"].map(str::to_owned);
        Some(job.run(session, nvlink, &[*own], None, &words)?)
    } else {
        None
    };
    let texts = Texts { kernels: &kernels, whole: whole.as_deref(), own: own.as_deref() };
    Ok(rewrite(&texts, orders, &plan.dynamic_shared)?)
}

impl JobInput<'_> {
    /// Returns the PTX that nvlink writes for `units`. `names` is the text of a file with options.
    fn run(
        &self,
        session: &Session,
        nvlink: &Nvlink,
        units: &[&[u8]],
        names: Option<&str>,
        words: &[String],
    ) -> anyhow::Result<String> {
        let mut arguments = words.to_vec();
        let mut inputs = Vec::new();
        if let Some(names) = names {
            arguments.extend(["-optf", OPTIONS_FILE].map(str::to_owned));
            arguments.extend(self.libnvvm_options.iter().map(|option| format!("-Xnvvm={option}")));
            inputs.push(Input::new(OPTIONS_FILE, names.as_bytes()));
        }
        let units = (1..).zip(units);
        inputs.extend(units.map(|(number, unit)| Input::new(format!("unit{number}.fatbin"), unit)));
        let run = Run {
            phase: Phase::Import,
            subject: self.plan.module_id.to_string(),
            architecture: &self.plan.architecture,
            arguments,
            inputs,
        };
        String::from_utf8(nvlink.ptx(session, run)?)
            .map_err(|_| failure(Fault::Tool, "nvlink wrote PTX that is no text"))
    }
}
