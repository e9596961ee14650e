//! The curves of docs/scale.md: wall times for 1 to 1,000 workers.

use std::path::Path;

use crate::chart::{Curve, draw as draw_chart};
use crate::cluster::Cluster;
use crate::draw::draw;
use crate::engine::simulate;
use crate::jobs::Jobs;
use crate::model::count;
use crate::priority::Rule;
use dev_process::{Result, while_trying};

/// Numbers of workers.
pub const WORKERS: [usize; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/// Sizes of the drawn programs.
const UNITS: [usize; 3] = [100, 1_000, 10_000];
const SEED: u64 = 1;
/// Share of results that the cluster has, for the builds of a program of 1,000 units.
const HIT_RATES: [(f64, &str); 3] =
    [(0.0, "all jobs run"), (0.9, "9 of 10 results known"), (0.99, "99 of 100 results known")];
/// Links of the client, in bits per second, for the same program.
const LINKS: [(f64, &str); 3] = [(1e8, "100 Mbit/s"), (1e9, "1 Gbit/s"), (1e10, "10 Gbit/s")];

/// Draws all pictures into a folder.
pub fn write(jobs: &Jobs, cluster: &Cluster, folder: &Path) -> Result<()> {
    let title = |rest: &str| format!("Device link of {rest}");
    let sizes = UNITS
        .into_iter()
        .map(|units| {
            let drawn = draw(jobs, units, SEED)?;
            curve(&format!("{units} units"), &drawn, cluster)
        })
        .collect::<Result<Vec<_>>>()?;
    save(folder, "scale-units", &title("programs of 100 to 10,000 units"), &sizes)?;
    let drawn = draw(jobs, 1_000, SEED)?;
    let rates = HIT_RATES
        .into_iter()
        .map(|(hit_rate, name)| curve(name, &drawn, &Cluster { hit_rate, ..cluster.clone() }))
        .collect::<Result<Vec<_>>>()?;
    save(folder, "scale-hits", &title("1,000 units, with results that are known"), &rates)?;
    let links = LINKS
        .into_iter()
        .map(|(bits, name)| {
            let client_link = Some(bits / 8.0);
            curve(&format!("client at {name}"), &drawn, &Cluster { client_link, ..cluster.clone() })
        })
        .collect::<Result<Vec<_>>>()?;
    save(folder, "scale-links", &title("1,000 units, by the client's link"), &links)
}

fn curve(name: &str, jobs: &Jobs, cluster: &Cluster) -> Result<Curve> {
    let point = |workers: usize| {
        let outcome = simulate(jobs, &Cluster { workers, ..cluster.clone() }, Rule::Hlfet, SEED)?;
        Ok((count(workers), outcome.wall))
    };
    let points = WORKERS.into_iter().map(point).collect::<Result<Vec<_>>>()?;
    Ok(Curve { name: name.to_owned(), points })
}

fn save(folder: &Path, name: &str, title: &str, curves: &[Curve]) -> Result<()> {
    let path = folder.join(format!("{name}.svg"));
    let svg = draw_chart(title, "workers", "seconds", curves);
    std::fs::write(&path, svg).map_err(while_trying("write", &path))
}
