//! The local cache from the view of a user of `backend-job`: hits, misses and the messages about
//! them, and outputs that are equal with and without it.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use weft_tests::chain::{NAMES, UNITS};
use weft_tests::{Outcome, Run, Workbench, tools};

/// Returns a checkout of the program, with plans, in a private folder.
fn checkout() -> Workbench {
    checkout_with(str::to_owned)
}

fn checkout_with(edit: impl Fn(&str) -> String) -> Workbench {
    let bench = Workbench::new();
    for (name, text) in UNITS {
        bench.write(&format!("{name}.ll"), edit(text));
    }
    bench.prepare(&NAMES);
    bench.thinlink(&NAMES, &[]);
    bench
}

/// A cache folder.
struct Cache(TempDir);

impl Cache {
    fn new() -> Self {
        Self(TempDir::with_prefix("weft-cache-").unwrap())
    }

    /// Makes `run` use this cache and print statistics and messages.
    fn used_by(&self, run: Run) -> Run {
        run.variable("WEFT_CACHE", "on")
            .variable("WEFT_CACHE_DIR", self.0.path())
            .args(["--stats", "--explain-miss"])
    }

    /// Returns the command `backend-job run` for module `a`.
    fn job(&self, bench: &Workbench) -> Run {
        self.job_with(bench, &tools().cuda("ptxas"))
    }

    fn job_with(&self, bench: &Workbench, ptxas: &Path) -> Run {
        let run = bench
            .weft("backend-job")
            .args(["run", "--plan", "plans/a.plan", "--module", "a.bc", "-o", "a.cubin"])
            .args(["--import", "b=b.bc", "--import", "c=c.bc", "--emit=linked,ptx,cubin"])
            .arg("--ptxas")
            .arg(ptxas);
        self.used_by(run)
    }

    /// Runs `weft cache` with the given words and returns its output.
    fn look_after(&self, bench: &Workbench, words: &[&str]) -> String {
        let run = bench.weft("weft").arg("cache").args(words.iter().copied());
        run.arg("--cache-dir").arg(self.0.path()).succeed().stdout
    }

    /// Returns the paths of the results in the cache.
    fn entries(&self) -> Vec<PathBuf> {
        let shards = std::fs::read_dir(self.0.path().join("v1/entries")).unwrap();
        let files = shards.flat_map(|shard| std::fs::read_dir(shard.unwrap().path()).unwrap());
        files.map(|file| file.unwrap().path()).collect()
    }
}

/// Returns the hits and misses of each phase, according to `--stats`.
fn counts(outcome: &Outcome) -> Vec<(String, u64, u64)> {
    let rows = outcome.stderr.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |index: usize| words.get(index)?.parse().ok();
        Some((words.first()?.to_string(), number(1)?, number(2)?))
    });
    rows.collect()
}

fn assert_counts(outcome: &Outcome, codegen: (u64, u64), assemble: (u64, u64)) {
    let row = |name: &str, (hits, misses)| (name.to_owned(), hits, misses);
    let expected = [row("codegen", codegen), row("assemble", assemble)];
    assert_eq!(counts(outcome), expected, "{}", outcome.stderr);
}

const HIT: (u64, u64) = (1, 0);
const MISS: (u64, u64) = (0, 1);

fn artifacts(bench: &Workbench) -> [Vec<u8>; 3] {
    ["a.linked.bc", "a.ptx", "a.cubin"].map(|name| bench.read(name))
}

#[test]
fn a_second_checkout_gets_everything_from_the_cache() {
    let cache = Cache::new();
    let one = checkout();
    let outcome = cache.job(&one).succeed();
    assert_counts(&outcome, MISS, MISS);
    outcome.says(&["miss: codegen a: no earlier run of it is known", "misses: new 2"]);

    // The second run has another folder, another order of arguments, another environment and
    // another time.
    let other = checkout();
    let run = other
        .weft("backend-job")
        .args(["run", "--inline-model", "gpu", "-o", "a.cubin", "--import", "c=c.bc"])
        .args(["--emit=linked,ptx,cubin", "--ptxas", &tools().cuda("ptxas").to_string_lossy()])
        .args(["--import", "b=b.bc", "--module", "a.bc"])
        .args(["--plan", "plans/a.plan"])
        .variable("LANG", "tlh")
        .variable("HOME", "/nowhere");
    assert_counts(&cache.used_by(run).succeed(), HIT, HIT);
    assert!(artifacts(&one) == artifacts(&other), "what the cache gives differs");

    // The outputs equal those of the phases' own commands without a cache.
    other.codegen("a").succeed();
    other.assemble("a").succeed();
    assert!(artifacts(&one) == artifacts(&other), "what the cache gives differs from a run");
}

#[test]
fn phases_in_commands_of_their_own_share_results_with_run() {
    let cache = Cache::new();
    let bench = checkout();
    cache.job(&bench).succeed();
    let before = artifacts(&bench);
    cache.used_by(bench.codegen("a")).succeed().says(&["codegen          1       0"]);
    cache.used_by(bench.assemble("a")).succeed().says(&["assemble         1       0"]);
    assert!(artifacts(&bench) == before);
    let import = cache.used_by(bench.import("a", &["b", "c"]));
    import.succeed().says(&["the cache was not used"]);
}

#[test]
fn a_shared_module_is_imported_once() {
    let cache = Cache::new();
    let import = |bench: &Workbench| {
        cache.used_by(bench.import("a", &["b", "c"])).args(["--shared", "--depfile=a.d"]).succeed()
    };
    let of_import = |hits, misses| vec![("import".to_owned(), hits, misses)];
    let one = checkout();
    assert_eq!(counts(&import(&one)), of_import(0, 1));
    let other = checkout();
    assert_eq!(counts(&import(&other)), of_import(1, 0));
    for file in ["a.linked.bc", "a.d"] {
        assert!(one.read(file) == other.read(file), "{file} from the cache differs");
    }
    other.import("a", &["b", "c"]).succeed();
    assert!(one.read("a.linked.bc") == other.read("a.linked.bc"), "it differs from a run");

    // The content of an import source counts.
    let edited = checkout_with(|text| text.replace("add i32", "sub i32"));
    let outcome = import(&edited);
    assert_eq!(counts(&outcome), of_import(0, 1));
    outcome.says(&["miss: import a: against the nearest earlier run, input "]);
    assert!(one.read("a.linked.bc") != edited.read("a.linked.bc"));

    // With the cache switched off the option does nothing.
    let import = edited.import("a", &["b", "c"]).args(["--shared", "--stats"]);
    import.variable("WEFT_CACHE", "off").succeed().says(&["the cache was not used"]);
}

#[test]
fn every_change_that_matters_misses_and_is_named() {
    let cache = Cache::new();
    let bench = checkout();
    cache.job(&bench).succeed();
    // A level is for ptxas, too.
    for (option, message, count) in [
        ("--inline-model=llvm", "option --inline-model (was gpu, is llvm)", "options 1"),
        ("--inline-budget=225", "option --inline-budget (was not given, is 225)", "options 1"),
        ("-O1", "option -O (was not given, is 1)", "options 2"),
    ] {
        let outcome = cache.job(&bench).arg(option).succeed();
        outcome.says(&["miss: codegen a: against the nearest earlier run,", message, count]);
        assert_eq!(counts(&outcome)[0], ("codegen".to_owned(), 0, 1));
    }
    for (option, message) in [
        ("--Xptxas=--maxrregcount=32", "option --maxrregcount (was not given, is 32)"),
        ("--Xptxas=-O1", "option -O (was not given, is 1)"),
    ] {
        let outcome = cache.job(&bench).arg(option).succeed();
        outcome.says(&["miss: assemble a: against the nearest earlier run,", message]);
        assert_counts(&outcome, HIT, MISS);
    }

    // Another assembler under the same name is a miss, because its content counts and its path does
    // not.
    let ptxas = std::fs::read(tools().cuda("ptxas")).unwrap();
    let place = bench.write_program("ptxas", &ptxas);
    assert_counts(&cache.job_with(&bench, &place).succeed(), HIT, HIT);
    bench.write_program("ptxas", [&ptxas[..], b"\0"].concat());
    let outcome = cache.job_with(&bench, &place).succeed();
    assert_counts(&outcome, HIT, MISS);
    outcome.says(&["program ptxas (was ", "program 1"]);

    // The code differs, and the earlier run of the same module is the nearest one.
    let edited = checkout_with(|text| text.replace("add i32", "sub i32"));
    let outcome = cache.job(&edited).succeed();
    assert_counts(&outcome, MISS, MISS);
    outcome.says(&["miss: codegen a: against the nearest earlier run, input module.bc (was "]);
    outcome.says(&["miss: assemble a: ", "input module.ptx (was ", "inputs 2"]);
}

#[test]
fn an_edit_that_was_not_imported_stops_at_the_linked_module() {
    let cache = Cache::new();
    let before = checkout();
    cache.job(&before).succeed();
    let more =
        "\ndefine void @nobody_calls(ptr %p) {\n  store volatile i32 7, ptr %p\n  ret void\n}\n";
    let after = checkout_with(|text| [text, &more.replace("nobody", name_of(text))].concat());
    assert!(before.read("b.bc") != after.read("b.bc"), "the edit changes the import source");
    assert_counts(&cache.job(&after).succeed(), HIT, HIT);
    assert!(artifacts(&before) == artifacts(&after));
}

/// Returns the name of the unit with the text, which gives each unit a distinct function.
fn name_of(text: &str) -> &'static str {
    UNITS.iter().find(|(_, known)| *known == text).map_or("x", |(name, _)| name)
}

#[test]
fn a_damaged_result_is_dropped_said_and_replaced() {
    let cache = Cache::new();
    let bench = checkout();
    cache.job(&bench).succeed();
    let before = artifacts(&bench);
    let entries = cache.entries();
    assert_eq!(entries.len(), 2);
    for path in &entries {
        let mut content = std::fs::read(path).unwrap();
        // The change is in the last bytes of the output, where only a digest can tell.
        let position = content.len() - 40;
        content[position] ^= 1;
        std::fs::write(path, content).unwrap();
    }
    let outcome = cache.job(&bench).succeed();
    outcome.says(&["warning: codegen a: a damaged result of it was dropped", "damaged 2"]);
    assert_counts(&outcome, MISS, MISS);
    assert!(artifacts(&bench) == before);
    assert_counts(&cache.job(&bench).succeed(), HIT, HIT);

    for path in &entries {
        std::fs::remove_file(path).unwrap();
    }
    let outcome = cache.job(&bench).succeed();
    outcome.says(&["miss: codegen a: its result had to make room for others", "dropped 2"]);
    // A result that a check of the cache dropped is recorded as damaged until it is stored again.
    for path in &entries {
        std::fs::write(path, "").unwrap();
    }
    let messages = cache.look_after(&bench, &["verify"]);
    assert_eq!(messages, "0 results are sound, 2 were damaged and dropped\n");
    let outcome = cache.job(&bench).succeed();
    let says = "miss: codegen a: its result in the cache was damaged or cannot be read";
    outcome.says(&[says, "damaged 2"]);
    for path in &entries {
        std::fs::remove_file(path).unwrap();
    }
    cache.job(&bench).succeed().says(&["dropped 2"]);
}

#[test]
fn a_cache_that_cannot_be_used_is_warned_of_once_and_fails_nothing() {
    let bench = checkout();
    let cache = Cache::new();
    cache.job(&bench).succeed();
    let before = artifacts(&bench);
    let warnings = |outcome: &Outcome| outcome.stderr.matches("warning: cannot").count();
    // A folder cannot be made at the path of a file.
    let blocked = bench.file("a.ll");
    let outcome = cache.job(&bench).arg("--cache-dir").arg(blocked).succeed();
    assert_eq!(warnings(&outcome), 1, "{}", outcome.stderr);
    assert!(artifacts(&bench) == before);
    // Nothing can be written, but existing results are used.
    let count = cache.0.path().join("v1/size");
    std::fs::remove_file(&count).unwrap();
    std::fs::create_dir(&count).unwrap();
    let outcome = cache.job(&bench).arg("--Xptxas=-O1").succeed();
    assert_counts(&outcome, HIT, MISS);
    assert_eq!(warnings(&outcome), 1, "{}", outcome.stderr);
    outcome.says(&["cannot write the cache in"]);
}

#[test]
fn a_failure_is_not_kept() {
    let cache = Cache::new();
    let bench = checkout();
    bench.import("a", &["b", "c"]).succeed();
    bench.codegen("a").succeed();
    let assemble = cache.used_by(bench.assemble("a")).arg("--Xptxas=--no-such-option");
    for _ in 0..2 {
        assemble.expect(5).says(&["ptxas", "no-such-option"]);
    }
    assert!(!cache.0.path().join("v1/entries").exists());
}

#[test]
fn a_cache_can_be_looked_after() {
    let cache = Cache::new();
    let bench = checkout();
    assert!(cache.look_after(&bench, &["stats"]).contains(": 0 results, 0 B of 10.0 GiB"));
    cache.job(&bench).succeed();
    cache.job(&bench).succeed();
    let stats = cache.look_after(&bench, &["stats", "--zero", "--cache-size=1M"]);
    for part in [
        ": 2 results, ",
        " of 1.0 MiB",
        "codegen          1       1",
        "assemble         1       1",
        "new 2",
    ] {
        assert!(stats.contains(part), "{part:?} is not in {stats}");
    }
    assert!(!cache.look_after(&bench, &["stats"]).contains("codegen"));
    let dropped = cache.look_after(&bench, &["gc", "--cache-size=1B"]);
    assert!(dropped.ends_with(", 0 results are left, 0 B\n"), "{dropped}");
    cache.job(&bench).succeed();
    assert!(cache.look_after(&bench, &["clear"]).starts_with("dropped "));
    assert!(cache.look_after(&bench, &["stats"]).contains(": 0 results, 0 B"));
    let job = cache.job(&bench).variable("WEFT_CACHE", "of");
    job.expect(2).says(&["WEFT_CACHE: 'of' is none of off, on and all"]);
}

#[test]
fn a_settings_file_is_read_where_it_is_named() {
    let cache = Cache::new();
    let bench = checkout();
    bench.write("weft.toml", "[cache]\nmode = \"all\"\ndir = \"kept\"\n");
    // Empty variables count as unset, and the settings file in the folder is not looked for.
    let job = || cache.job(&bench).variable("WEFT_CACHE", "").variable("WEFT_CACHE_DIR", "");
    job().arg("--no-cache").succeed().says(&["the cache was not used"]);
    let outcome = job().args(["--config", "weft.toml"]).succeed();
    assert!(bench.file("kept/v1").is_dir());
    assert_eq!(counts(&outcome)[0], ("import".to_owned(), 0, 1), "mode is all");
    bench.write("weft.toml", "[cash]\n");
    job().variable("WEFT_CONFIG", "weft.toml").expect(2).says(&["weft.toml", "cash"]);
}

/// Each phase makes the same bytes when it is started from its description alone: as a process with
/// the described arguments, in a folder that holds only the described files.
#[test]
fn every_phase_can_be_run_again_from_its_description() {
    let bench = checkout();
    for name in NAMES {
        bench.import(name, &NAMES).succeed();
    }
    bench.codegen("a").succeed();
    let files = ["a.summary", "plans/a.plan", "plans/manifest.json", "a.linked.bc", "a.ptx"];
    let before = files.map(|file| bench.read(file));
    let report = |options: &[&str]| {
        let link = bench.thinlink(&NAMES, &[&["--print-imports", "--verbose"], options].concat());
        (link.stdout, link.stderr)
    };
    let messages = report(&[]);
    for file in files {
        std::fs::remove_file(bench.file(file)).unwrap();
    }
    let summarize = bench.weft("summarize").args(["--module-id=a", "-o", "a.summary", "a.o"]);
    summarize.arg("--isolated").succeed();
    assert_eq!(report(&["--isolated"]), messages);
    bench.import("a", &NAMES).arg("--isolated").succeed();
    bench.codegen("a").arg("--isolated").succeed();
    for (file, before) in files.iter().zip(before) {
        assert!(bench.read(file) == before, "{file} differs");
    }
}
