//! The graph of jobs and of the jobs whose outputs they read.
//!
//! A build folder holds the report of the last run of each job, and a build runs only what has
//! changed. So the reports come from several builds, and none says from which. But within one build
//! a job runs after all jobs whose outputs it reads. A job that had ended before one of these
//! started is therefore of an earlier build, and so is every job that started before its end.

use std::collections::BTreeMap;

use super::placed::Placed;
use super::table::position;

/// Phases in the order of a build.
const PHASES: [&str; 5] = ["summarize", "thinlink", "import", "codegen", "assemble"];

/// Jobs by phase, architecture and module.
type Index = BTreeMap<(usize, Option<u32>, Option<u32>), Vec<usize>>;

/// The graph of some jobs, which are numbered by their start.
pub(super) struct JobGraph<'jobs> {
    placed: &'jobs [Placed],
    /// For each job, the jobs whose outputs it reads, the most telling first.
    inputs: Vec<Vec<usize>>,
    /// Whether each job is of an earlier build.
    earlier: Vec<bool>,
}

impl<'jobs> JobGraph<'jobs> {
    /// Makes the graph of `placed`, given the modules that each module imports from.
    pub(super) fn new(placed: &'jobs [Placed], imports: &dyn Fn(u32) -> Vec<u32>) -> Self {
        let mut index = Index::new();
        for (at, job) in placed.iter().enumerate() {
            let key = (rank(job), job.link, job.module);
            index.entry(key).or_default().push(at);
        }
        let inputs: Vec<_> = placed.iter().map(|job| inputs(job, &index, imports)).collect();
        let earlier = earlier(placed, &inputs);
        Self { placed, inputs, earlier }
    }

    /// Whether the job is of an earlier build.
    pub(super) fn is_earlier(&self, at: usize) -> bool {
        self.earlier[at]
    }

    /// Returns the chain of jobs that ends with the last one, each of which waited for the one
    /// before it.
    pub(super) fn critical_path(&self) -> Vec<u32> {
        let current = (0..self.placed.len()).filter(|at| !self.earlier[*at]);
        let ends_last = |jobs: &mut dyn Iterator<Item = usize>| {
            // Of jobs that end at the same time, the first one counts.
            jobs.min_by_key(|at| std::cmp::Reverse(self.placed[*at].end()))
        };
        let mut path = Vec::new();
        let mut next = ends_last(&mut current.into_iter());
        while let Some(at) = next {
            path.push(position(at));
            let inputs = self.inputs[at].iter().copied();
            next = ends_last(&mut inputs.filter(|input| !self.earlier[*input]));
        }
        path.reverse();
        path
    }

    /// Returns the reason why a job ran again: the first of its inputs that this build made. It is
    /// empty for a first build.
    pub(super) fn why(&self, at: usize, id: &dyn Fn(u32) -> String) -> String {
        if self.earlier[at] || !self.earlier.contains(&true) {
            return String::new();
        }
        let job = &self.placed[at];
        let made = self.inputs[at].iter().copied().find(|input| !self.earlier[*input]);
        let name =
            |input: &Placed| input.module.map_or_else(|| format!("'{}'", input.record.subject), id);
        match (rank(job), made.map(|input| &self.placed[input])) {
            (0, _) => "the unit's object was made again".to_owned(),
            (_, None) => String::new(),
            (1, Some(input)) => format!("the summary of {} was made again", name(input)),
            (2, Some(input)) if rank(input) == 1 => "the plan was made again".to_owned(),
            (2, Some(input)) if input.module == job.module => {
                "the module's bitcode was made again".to_owned()
            }
            (2, Some(input)) => {
                format!("the bitcode of {}, which it imports from, was made again", name(input))
            }
            (3, Some(_)) => "the linked module was made again".to_owned(),
            _ => "the PTX was made again".to_owned(),
        }
    }
}

/// Returns the position of a job's phase among all phases.
fn rank(job: &Placed) -> usize {
    PHASES.iter().position(|phase| *phase == job.record.phase).unwrap_or(PHASES.len())
}

/// Returns the jobs whose outputs `job` reads.
fn inputs(job: &Placed, index: &Index, imports: &dyn Fn(u32) -> Vec<u32>) -> Vec<usize> {
    let of = |rank: usize, module: Option<u32>| {
        let links = [job.link, None];
        let links = if job.link.is_some() { &links[..] } else { &links[..1] };
        let found = links.iter().filter_map(move |link| index.get(&(rank, *link, module)));
        found.flatten().copied().collect::<Vec<_>>()
    };
    match (rank(job), job.module) {
        (1, _) => {
            let summaries = index.range((0, None, None)..(1, None, None));
            let fits = |link: &Option<u32>| link.is_none() || *link == job.link;
            let mut all: Vec<usize> = summaries
                .filter(|((_, link, _), _)| fits(link))
                .flat_map(|(_, jobs)| jobs.clone())
                .collect();
            all.sort_unstable();
            all
        }
        (2, Some(module)) => {
            let sources = std::iter::once(module).chain(imports(module));
            sources.flat_map(|source| of(0, Some(source))).chain(of(1, None)).collect()
        }
        (rank @ 3.., Some(module)) => of(rank - 1, Some(module)),
        _ => Vec::new(),
    }
}

/// Finds the jobs of earlier builds.
fn earlier(placed: &[Placed], inputs: &[Vec<usize>]) -> Vec<bool> {
    // For each job, the latest start among the jobs that its inputs come from, over any number of
    // steps. A phase reads outputs of phases before it alone, so they are done in that order.
    let mut latest = vec![0_u64; placed.len()];
    let mut order: Vec<usize> = (0..placed.len()).collect();
    order.sort_by_key(|at| rank(&placed[*at]));
    for at in order {
        let of_inputs =
            inputs[at].iter().map(|input| latest[*input].max(placed[*input].record.start));
        latest[at] = of_inputs.max().unwrap_or(0);
    }
    let outlived = placed.iter().zip(&latest).filter(|(job, latest)| job.end() <= **latest);
    let end = outlived.map(|(job, _)| job.end()).max().unwrap_or(0);
    placed.iter().map(|job| job.record.start < end).collect()
}
