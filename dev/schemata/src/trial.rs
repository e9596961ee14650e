//! The trial of each mutant by the tests that reach its place.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use dev_process::{Error, Result, while_trying};

use crate::mutant::Fate;
use crate::programs::{Program, Test};

/// Time of tests that run in one process, in seconds: the next ones are not needed if these notice.
const AT_A_TIME: f64 = 0.5;
/// Time of tests that pass after which a mutant counts as missed, in seconds without a mutant. All
/// tests together take some hundred, and a full run should end on the same day.
const PATIENCE: f64 = 90.0;

/// Tries `mutants` with the tests that reach them. `is_own` says whether a program holds tests of
/// the mutant's own package, and `report` gets the fate of each mutant.
pub(crate) fn run(
    programs: &[Program],
    tests: &[Test],
    mutants: &[usize],
    temporary: &Path,
    is_own: impl Fn(usize, &Program) -> bool + Sync,
    report: impl FnMut(usize, Fate) -> Result<()> + Send,
) -> Result<()> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let catches: Vec<AtomicU32> = tests.iter().map(|_| AtomicU32::new(0)).collect();
    let queue = Mutex::new(mutants.iter());
    let report = Mutex::new((report, Ok(())));
    thread::scope(|scope| {
        for worker in 0..workers {
            let (queue, report, catches, is_own) = (&queue, &report, &catches, &is_own);
            let folder = temporary.join(worker.to_string());
            scope.spawn(move || {
                loop {
                    let next = queue.lock().ok().and_then(|mut queue| queue.next());
                    let Some(&mutant) = next else { break };
                    let is_own = |test: &Test| is_own(mutant, &programs[test.program]);
                    let fate = try_out(programs, tests, catches, mutant, &is_own, &folder);
                    let Ok(mut report) = report.lock() else { break };
                    let outcome = fate.and_then(|fate| (report.0)(mutant, fate));
                    if outcome.is_err() {
                        report.1 = outcome;
                        break;
                    }
                }
            });
        }
    });
    match report.into_inner() {
        Ok((_, outcome)) => outcome,
        Err(_) => Err(Error::new("a thread of the trials ended by a panic")),
    }
}

/// Tries one mutant, first with the tests of its package, and of these and of the others first with
/// those that take little time for each mutant that they caught. Late ones do not run.
fn try_out(
    programs: &[Program],
    tests: &[Test],
    catches: &[AtomicU32],
    mutant: usize,
    is_own: &dyn Fn(&Test) -> bool,
    folder: &Path,
) -> Result<Fate> {
    let cost = |number: usize| {
        tests[number].seconds / f64::from(1 + catches[number].load(Ordering::Relaxed))
    };
    let mut reaching: Vec<(usize, &Test)> =
        tests.iter().enumerate().filter(|(_, test)| test.reaches.contains(&mutant)).collect();
    if reaching.is_empty() {
        return Ok(Fate::Unreached);
    }
    // Tests of one program run in one process, which takes longer to start than most tests.
    reaching.sort_by(|one, other| {
        let by_package = is_own(other.1).cmp(&is_own(one.1));
        by_package.then_with(|| cost(one.0).total_cmp(&cost(other.0)))
    });
    let mut passed = 0.0;
    while !reaching.is_empty() && passed < PATIENCE {
        let program = reaching[0].1.program;
        let (mut now, mut later, mut seconds) = (Vec::new(), Vec::new(), 0.0);
        for (number, test) in reaching {
            let fits = now.is_empty() || seconds + test.seconds <= AT_A_TIME;
            if test.program == program && fits {
                seconds += test.seconds;
                now.push((number, test));
            } else {
                later.push((number, test));
            }
        }
        fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
        let is_noticed = programs[program].notices(&now, mutant, folder)?;
        // A test that is ended leaves its folders.
        fs::remove_dir_all(folder).map_err(while_trying("remove", folder))?;
        if is_noticed {
            // Several tests share the merit, as which of them failed is not asked.
            for (number, _) in now {
                catches[number].fetch_add(1, Ordering::Relaxed);
            }
            return Ok(Fate::Caught);
        }
        passed += seconds;
        reaching = later;
    }
    Ok(Fate::Missed)
}
