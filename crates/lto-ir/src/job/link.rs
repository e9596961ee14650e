//! The runs of nvlink for a job, each a declared action, and the job's PTX from what they write.

use weft_action::{Input, Phase, Session};
use weft_artifact::{LtoIrPlan, LtoIrRole, Plan};
use weft_cli::{Fault, failure};

use super::arguments::{OPTIONS_FILE, kernels_run, whole_run};
use super::lacking::{lacking_functions, removed_definitions, written_variables};
use super::rewrite::{Texts, rewrite};
use crate::nvlink::{Nvlink, Run};

/// LTO IR for a job.
#[derive(Clone, Debug)]
pub struct JobInput<'data> {
    /// Plan of the module.
    pub plan: &'data Plan,
    /// The part of the plan for modules of LTO IR.
    pub orders: &'data LtoIrPlan,
    /// Fat binaries of the modules that the job is of: of one, or of all members of a bundle.
    pub own: Vec<&'data [u8]>,
    /// Fat binaries of the modules of `orders.units`, in the same order.
    pub units: Vec<&'data [u8]>,
    /// Options for libnvvm.
    pub libnvvm_options: &'data [String],
}

/// Carries out the plan: returns the PTX of the job.
pub fn link(session: &Session, nvlink: &Nvlink, job: &JobInput<'_>) -> anyhow::Result<String> {
    let JobInput { plan, orders, own, .. } = job;
    if job.units.is_empty() && !orders.ptx_version.is_empty() {
        let head = empty(&orders.ptx_version, &plan.architecture);
        return Ok(rewrite(&Texts::of_kernels(&head), orders, &plan.dynamic_shared)?);
    }
    let units = if job.units.is_empty() { own.clone() } else { job.units.clone() };
    let optimized = |names: &str| job.run(session, nvlink, &units, Some(names), &[]);
    let shares_definitions = orders.symbols.iter().any(|symbol| symbol.role == LtoIrRole::Define);
    let plain_words = ["-r", "-Xnvvm=-opt=0"].map(str::to_owned);
    let unoptimized = |units: &[&[u8]]| job.run(session, nvlink, units, None, &plain_words);
    let own = if shares_definitions { Some(unoptimized(own)?) } else { None };
    let mut variables = Vec::new();
    let mut kernels = optimized(&kernels_run(orders, &variables))?;
    let (mut whole, mut plain) = (None, None);
    // Definitions from other runs may write variables that this run must then leave alone.
    loop {
        let lacking = lacking_functions(&kernels, own.as_deref(), orders)?;
        let mut more = Vec::new();
        if !lacking.is_empty() {
            let text = optimized(&whole_run(orders, &variables))?;
            more.extend(written_variables(&text, &lacking, orders)?);
            whole = Some(text);
        }
        let lacking = removed_definitions(&kernels, whole.as_deref(), orders)?;
        if !lacking.is_empty() && plain.is_none() {
            plain = Some(unoptimized(&units)?);
        }
        if let Some(plain) = &plain {
            more.extend(written_variables(plain, &lacking, orders)?);
        }
        if more.iter().all(|name| variables.contains(name)) {
            break;
        }
        variables.extend(more);
        variables.sort_unstable();
        variables.dedup();
        kernels = optimized(&kernels_run(orders, &variables))?;
    }
    let texts = Texts {
        kernels: &kernels,
        whole: whole.as_deref(),
        own: own.as_deref(),
        plain: plain.as_deref(),
    };
    Ok(rewrite(&texts, orders, &plan.dynamic_shared)?)
}

/// Returns the PTX that nvlink writes for a module without anything in it.
fn empty(version: &str, architecture: &str) -> String {
    format!(".version {version}\n.target {architecture}\n.address_size 64\n")
}

/// Returns the options of nvlink for libnvvm. There is always one: without any, nvlink 13.5 has
/// libnvvm compute by its defaults instead of what the units were compiled with (`-ftz`,
/// `-prec-div`, `-fmad`).
fn libnvvm_options(given: &[String]) -> Vec<String> {
    const LEVEL: &str = "-opt=";
    const DEFAULT: &str = "3";
    let mut options: Vec<String> = given.iter().map(|option| format!("-Xnvvm={option}")).collect();
    if !given.iter().any(|option| option.starts_with(LEVEL)) {
        options.push(format!("-Xnvvm={LEVEL}{DEFAULT}"));
    }
    options
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
            arguments.extend(libnvvm_options(self.libnvvm_options));
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
