//! Schedules with answers that were computed by hand, and what holds for all schedules.

use super::*;
use crate::cluster::{Client, Overhead, ideal};
use crate::jobs::graph;
use dev_random::SplitMix64;

fn wall(jobs: &Jobs, cluster: &Cluster, rule: Rule) -> f64 {
    simulate(jobs, cluster, rule, 1).unwrap().wall
}

#[track_caller]
fn assert_near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
}

#[test]
fn the_highest_level_goes_first() {
    // 3 -> 4 is the longest path. Who comes first is served first: 0 and 1, then 2, and 3 at 3.
    let jobs = graph(&[(3.0, &[]), (2.0, &[]), (2.0, &[]), (1.0, &[]), (5.0, &[3])]);
    assert_near(wall(&jobs, &ideal(2), Rule::Fifo), 9.0);
    // 3 and 0, then 4 from 1 to 6; the other worker runs 1 from 3 and 2 from 5 to 7.
    assert_near(wall(&jobs, &ideal(2), Rule::Hlfet), 7.0);
    assert_near(wall(&jobs, &ideal(1), Rule::Hlfet), 13.0);
    assert_near(wall(&jobs, &ideal(5), Rule::Hlfet), 6.0);
}

/// Graham's example of 1969: a list schedule takes 12 on three processors and 15 on four.
#[test]
fn an_anomaly_of_list_schedules_is_reproduced() {
    let four: &[usize] = &[3];
    let jobs = graph(&[
        (3.0, &[]),
        (2.0, &[]),
        (2.0, &[]),
        (2.0, &[]),
        (4.0, four),
        (4.0, four),
        (4.0, four),
        (4.0, four),
        (9.0, &[0]),
    ]);
    assert_near(wall(&jobs, &ideal(3), Rule::Fifo), 12.0);
    assert_near(wall(&jobs, &ideal(4), Rule::Fifo), 15.0);
    assert_near(wall(&jobs, &ideal(4), Rule::Hlfet), 12.0);
}

#[test]
fn files_take_the_time_of_the_slowest_link_and_tools_travel_once() {
    let mut jobs = graph(&[(1.0, &[]), (1.0, &[])]);
    let tool = jobs.file("tool", 100, true);
    for job in &mut jobs.jobs {
        job.reads.push(tool);
    }
    let (client_link, worker_link) = (Some(10.0), Some(50.0));
    let cluster = Cluster { client_link, worker_link, ..ideal(1) };
    let outcome = simulate(&jobs, &cluster, Rule::Fifo, 1).unwrap();
    // The second action is at the server at once and has the worker first: it fetches the tool in
    // 2 s, runs for 1 s and keeps a byte in 0.02 s. The first was sent in 10 s, and needs no more
    // than 1 s, 0.02 s and 0.1 s for its byte on the way back.
    assert_eq!(outcome.sent, 100);
    assert_near(outcome.spans[1].1, 3.12);
    assert_near(outcome.wall, 11.12);
    assert_eq!(outcome.binding(), ("link from the client", 10.0));
    // Two workers fetch the tool each.
    let cluster = Cluster { workers: 2, store_link: Some(10.0), client_link: None, ..cluster };
    let bounds = simulate(&jobs, &cluster, Rule::Fifo, 1).unwrap().bounds;
    assert!(bounds.contains(&("link out of the store", 20.2)), "{bounds:?}");
}

#[test]
fn overheads_hold_what_they_say() {
    let jobs = graph(&[(1.0, &[]), (1.0, &[])]);
    let overhead = Overhead { client: 0.25, worker: 0.5, waiting: 0.25, reply: 2.0 };
    let overheads = [("codegen".to_owned(), overhead)].into();
    let cluster = Cluster { overheads, round_trip_seconds: 0.5, ..ideal(1) };
    // Two clients share a processor for 0.5 s and ask for 1.5 s. Each action holds the only worker
    // for 1.75 s; the last answer comes 2.5 s after it.
    assert_near(wall(&jobs, &cluster, Rule::Fifo), 0.5 + 1.5 + 2.0 * 1.75 + 2.5);
}

#[test]
fn workers_of_one_machine_share_its_processors() {
    let jobs = graph(&[(1.0, &[]), (1.0, &[]), (1.0, &[])]);
    let on = |cores, workers| {
        let client = Client { cores, jobs: 9 };
        let cluster = Cluster { is_one_machine: true, client, ..ideal(workers) };
        wall(&jobs, &cluster, Rule::Fifo)
    };
    assert_near(on(1, 3), 3.0);
    assert_near(on(2, 3), 1.5);
    assert_near(on(2, 1), 3.0);
}

#[test]
fn a_client_starts_no_more_jobs_than_it_may() {
    let jobs = graph(&[(1.0, &[]), (1.0, &[]), (1.0, &[])]);
    let client = Client { cores: 1, jobs: 2 };
    let outcome = simulate(&jobs, &Cluster { client, ..ideal(9) }, Rule::Fifo, 1).unwrap();
    assert_near(outcome.wall, 2.0);
    assert_eq!(outcome.binding(), ("jobs of the client", 1.5));
}

#[test]
fn known_results_need_no_worker() {
    let mut jobs = graph(&[(9.0, &[]), (9.0, &[0]), (1.0, &[1])]);
    jobs.jobs[2].runs_here = true;
    let cluster = Cluster { hit_rate: 1.0, round_trip_seconds: 0.25, ..ideal(1) };
    let outcome = simulate(&jobs, &cluster, Rule::Hlfet, 1).unwrap();
    assert_near(outcome.wall, 0.75 + 0.75 + 1.0);
    assert_eq!(outcome.workers, [None; 3]);
    let half = Cluster { hit_rate: 0.5, ..cluster };
    let many: Vec<(f64, &[usize])> = vec![(1.0, &[]); 1000];
    let outcome = simulate(&graph(&many), &half, Rule::Hlfet, 1).unwrap();
    let run = outcome.workers.iter().flatten().count();
    assert!((450..550).contains(&run), "{run}");
}

/// Draws a graph of 60 jobs, each of which waits for up to three earlier ones.
fn random_graph(seed: u64) -> Jobs {
    let mut random = SplitMix64::new(seed);
    let mut index = |bound: u64| usize::try_from(random.below(bound)).unwrap();
    let mut nodes = Vec::new();
    for job in 0..60_u64 {
        let count = if job == 0 { 0 } else { index(4) };
        let before: Vec<usize> = (0..count).map(|_| index(job)).collect();
        nodes.push((count_of(1 + index(100)) / 10.0, before));
    }
    let nodes: Vec<(f64, &[usize])> =
        nodes.iter().map(|(seconds, before)| (*seconds, before.as_slice())).collect();
    graph(&nodes)
}

fn count_of(number: usize) -> f64 {
    count(number)
}

#[test]
fn every_schedule_keeps_the_rules() {
    for seed in 0..20 {
        let jobs = random_graph(seed);
        let predecessors = jobs.predecessors().unwrap();
        for workers in [1, 2, 3, 7] {
            for rule in [Rule::Hlfet, Rule::Fifo] {
                let outcome = simulate(&jobs, &ideal(workers), rule, seed).unwrap();
                assert_eq!(outcome, simulate(&jobs, &ideal(workers), rule, seed).unwrap());
                for (name, bound) in &outcome.bounds {
                    assert!(outcome.wall >= bound - 1e-9, "{name} {bound} {}", outcome.wall);
                }
                // Graham's bound holds for every list schedule.
                let (m, path) = (count(workers), outcome.critical_path);
                let most = jobs.work() / m + (1.0 - 1.0 / m) * path;
                assert!(outcome.wall <= most + 1e-9, "{} > {most}", outcome.wall);
                for (job, before) in predecessors.iter().enumerate() {
                    let ends = before.iter().map(|&job| outcome.spans[job].1);
                    assert!(ends.fold(0.0, f64::max) <= outcome.spans[job].0 + 1e-9);
                }
                assert!(outcome.workers.iter().all(|worker| worker.unwrap() < workers));
            }
        }
    }
}

#[test]
fn a_build_on_one_worker_takes_all_of_the_work() {
    let jobs = random_graph(7);
    assert_near(wall(&jobs, &ideal(1), Rule::Hlfet), jobs.work());
    assert_near(wall(&jobs, &ideal(1), Rule::Fifo), jobs.work());
    let outcome = simulate(&jobs, &ideal(60), Rule::Hlfet, 1).unwrap();
    assert_near(outcome.wall, outcome.critical_path);
}
