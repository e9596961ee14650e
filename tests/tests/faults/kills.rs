//! Builds that are killed at random moments and started again end with the outputs of an
//! undisturbed build, and leave nothing behind.
//!
//! `WEFT_KILLS` sets the least number of killed builds and `WEFT_SEED` the first seed. With
//! `WEFT_KILLS_ON_CLUSTER`, some builds run on a real server. `WEFT_KILLS_OF_BAZEL` sets the least
//! number of killed builds by Bazel, of which a test run has none, because a chain of them takes
//! most of a minute. `cargo xtask kill` sets all four.

use std::os::unix::fs::PermissionsExt as _;

use weft_tests::killed::{COUNT, Chain, Place, Tally, Way, write_units};
use weft_tests::{Casd, RealServer, Workbench, setting};

#[test]
fn killed_builds_leave_nothing_and_are_finished_by_the_next_one() {
    let (seed, kills) = (setting("WEFT_SEED", 1), setting("WEFT_KILLS", 16));
    let kills_of_bazel = setting("WEFT_KILLS_OF_BAZEL", 0);
    let bench = Workbench::new();
    write_units(&bench);
    let shared = bench.file("shared");
    std::fs::create_dir(&shared).unwrap();
    std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o2775)).unwrap();
    let server = (setting("WEFT_KILLS_ON_CLUSTER", 0) > 0).then(|| RealServer::start(Casd::Newer));
    let mut places = vec![Place::Nowhere, Place::Own, Place::Shared(shared)];
    places.extend(server.iter().map(|server| Place::Cluster(server.url())));
    let mut chains = chains(&bench, &Way::WITHOUT_SERVER, &places);
    let mut tally = kill(&chains, seed, kills);
    if kills_of_bazel > 0 {
        let of_bazel = self::chains(&bench, &[Way::Bazel], &[Place::Nowhere, Place::Own]);
        let Tally { kills, wrong } = kill(&of_bazel, seed, kills_of_bazel);
        println!("metric strain.kills_of_bazel {kills}");
        tally.kills += kills;
        tally.wrong.extend(wrong);
        chains.extend(of_bazel);
    }
    println!("metric strain.kills {}", tally.kills);
    println!("metric strain.kills_wrong {}", tally.wrong.len());
    assert_eq!(chains[0].cubins().len(), COUNT);
    let with_cubins = chains.iter().filter(|chain| !chain.cubins().is_empty());
    assert!(with_cubins.into_iter().all(|chain| chain.cubins() == chains[0].cubins()));
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}

/// Builds the program without disturbance, once for each way and place.
fn chains<'bench>(bench: &'bench Workbench, ways: &[Way], places: &[Place]) -> Vec<Chain<'bench>> {
    let groups = ways.iter().flat_map(|way| places.iter().map(move |place| (*way, place.clone())));
    groups.map(|(way, place)| Chain::new(bench, way, place)).collect()
}

/// Kills at least this number of builds, in chains with a different seed each.
fn kill(chains: &[Chain<'_>], seed: u64, kills: u64) -> Tally {
    let mut tally = Tally::default();
    for (number, chain) in (seed..).zip(chains.iter().cycle()) {
        if tally.kills >= kills {
            break;
        }
        chain.run(number, &mut tally);
    }
    tally
}
