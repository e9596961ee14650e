//! A cache folder that several users share, or that an attacker has prepared: only the users that
//! may use it do so, links in it are not followed, and no entry blocks a job or makes it fail.
//!
//! The tests run as other real users by setpriv, which only root may run.

use std::ffi::OsString;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};

use weft_tests::chain;
use weft_tests::{Outcome, Run, Workbench, files_below, tools};

/// Two users, and a group that contains both. No other account has these numbers.
const USERS: [u32; 2] = [47_110, 47_111];
const GROUP: u32 = 47_120;

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Returns a checkout that every user can read, with a linked module, copies of the programs that
/// every user can run, a folder `out` that every user can write to, and an empty folder `cache`.
fn checkout() -> Workbench {
    let bench = chain::imported();
    set_mode(bench.path(), 0o755);
    set_mode(&bench.file("a.linked.bc"), 0o644);
    for program in ["backend-job", "weft"] {
        bench.write_program(program, std::fs::read(tools().weft(program)).unwrap());
    }
    for (name, mode) in [("out", 0o777), ("cache", 0o700)] {
        std::fs::create_dir(bench.file(name)).unwrap();
        set_mode(&bench.file(name), mode);
    }
    bench
}

/// Returns a command that runs the program that is the first of `words` with the others as
/// arguments, as one of the users with a mask that excludes others, or as this user. A hanging
/// command is ended.
fn as_user(bench: &Workbench, user: Option<u32>, words: &[&str]) -> Run {
    let run = match user {
        None => Run::new("timeout", bench.path()).arg("120"),
        Some(user) => {
            let user = user.to_string();
            let groups = format!("--groups={GROUP}");
            let script = "umask 077; exec timeout 120 \"$@\"";
            Run::new("setpriv", bench.path())
                .args(["--reuid", &user, "--regid", &user, &groups, "sh", "-c", script, "sh"])
        }
    };
    let program = if words.first() == Some(&"cache") { "weft" } else { "backend-job" };
    run.arg(bench.file(program)).args(words.iter().copied()).variable("HOME", "/nowhere")
}

/// Runs the codegen phase with `option`. Its PTX must equal that of a run without a cache.
fn codegen(bench: &Workbench, user: Option<u32>, option: &str) -> Outcome {
    let output = format!("out/{}{option}.ptx", user.unwrap_or_default());
    let words = ["codegen", "a.linked.bc", "-o", &output, option, "--stats"];
    let cached = ["--cache=on", "--cache-dir=cache"];
    let outcome = as_user(bench, user, &[&words[..], &cached].concat()).succeed();
    let plain = bench.weft("backend-job").args(["codegen", "a.linked.bc", "-o", "plain.ptx"]);
    plain.arg(option).succeed();
    assert!(bench.read(&output) == bench.read("plain.ptx"), "{}", outcome.stderr);
    outcome
}

fn is_hit(outcome: &Outcome) -> bool {
    outcome.stderr.contains("codegen          1       0")
}

fn warns(outcome: &Outcome) -> bool {
    outcome.stderr.contains("warning")
}

fn look_after(bench: &Workbench, user: Option<u32>, request: &str) -> Outcome {
    as_user(bench, user, &["cache", request, "--cache-dir=cache"]).succeed()
}

/// Returns the path of the only result in the cache.
fn entry(bench: &Workbench) -> PathBuf {
    let files = |path: PathBuf| std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut entries = files(bench.file("cache/v1/entries")).flat_map(files);
    let entry = entries.next().unwrap();
    assert!(entries.next().is_none());
    entry
}

/// Returns the name of the folder that keeps the result of `option`. It is that of the key's first
/// two digits, so two options have the same one in every 256th build of the programs.
fn folder_of(option: &str) -> OsString {
    let bench = checkout();
    codegen(&bench, None, option);
    entry(&bench).parent().unwrap().file_name().unwrap().to_owned()
}

#[test]
fn users_share_a_folder_that_is_made_for_them() {
    for (mode, group) in [(0o2775, GROUP), (0o2770, GROUP), (0o1777, 0)] {
        let bench = checkout();
        chown(bench.file("cache"), Some(0), Some(group)).unwrap();
        set_mode(&bench.file("cache"), mode);
        let [one, other] = USERS.map(Some);
        for (user, option, hits) in [
            (one, "-O1", false),
            (other, "-O1", true),
            (other, "-O2", false),
            (one, "-O2", true),
            (None, "-O2", true),
            (None, "-O3", false),
            (one, "-O3", true),
        ] {
            let outcome = codegen(&bench, user, option);
            assert_eq!(is_hit(&outcome), hits, "{mode:o} {user:?} {option} {}", outcome.stderr);
            assert!(!warns(&outcome), "{mode:o} {user:?} {option} {}", outcome.stderr);
        }
        let verified = look_after(&bench, other, "verify").stdout;
        assert_eq!(verified, "3 results are sound, 0 were damaged and dropped\n", "{mode:o}");
        let stats = look_after(&bench, one, "stats").stdout;
        assert!(stats.contains("codegen          4       3"), "{mode:o} {stats}");
        look_after(&bench, other, "gc");
        let small = ["cache", "gc", "--cache-size=1B", "--cache-dir=cache"];
        let left = as_user(&bench, other, &small).succeed().stdout;
        // In a folder that every user may write to, a user can only remove results of his own.
        let expected = if mode == 0o1777 { ", 2 results are left" } else { ", 0 results are left" };
        assert!(left.contains(expected), "{mode:o} {left}");
    }
}

#[test]
fn what_others_keep_takes_no_room_of_a_user() {
    let bench = checkout();
    set_mode(&bench.file("cache"), 0o1777);
    let [one, other] = USERS.map(Some);
    for option in ["-O1", "-O2", "-O3"] {
        codegen(&bench, one, option);
    }
    let sizes = files_below(&bench.file("cache/v1/entries"));
    let sizes = sizes.iter().map(|path| path.metadata().unwrap().len());
    let limit = format!("--cache-size={}B", 3 * sizes.max().unwrap());
    let step = || {
        let words = ["codegen", "a.linked.bc", "-o", "out/a.ptx", "-O0", "--stats"];
        let cached = ["--cache=on", "--cache-dir=cache", &limit];
        as_user(&bench, other, &[&words[..], &cached].concat()).succeed()
    };
    assert!(!is_hit(&step()));
    let again = step();
    assert!(is_hit(&again), "{}", again.stderr);
    // Nobody but root counts all and can remove all.
    let small = ["cache", "gc", "--cache-size=1B", "--cache-dir=cache"];
    for (user, left) in [(other, ", 3 results are left"), (None, ", 0 results are left")] {
        let said = as_user(&bench, user, &small).succeed().stdout;
        assert!(said.contains(left), "{user:?}: {said}");
    }
}

#[test]
fn results_that_a_user_may_not_read_or_remove_are_left_to_their_owner() {
    let bench = checkout();
    set_mode(&bench.file("cache"), 0o1777);
    let [one, other] = USERS.map(Some);
    codegen(&bench, one, "-O1");
    let result = entry(&bench);
    set_mode(&result, 0o600);
    let left = "0 results are sound, 0 were damaged and dropped, \
                1 of other users are not sound or not readable, and stay\n";
    assert_eq!(look_after(&bench, other, "verify").stdout, left, "unreadable");
    let outcome = codegen(&bench, other, "-O1");
    assert!(!is_hit(&outcome) && !warns(&outcome), "no result for them: {}", outcome.stderr);
    set_mode(&result, 0o644);
    let content = std::fs::read(&result).unwrap();
    std::fs::write(&result, &content[..content.len() / 2]).unwrap();
    assert_eq!(look_after(&bench, other, "verify").stdout, left, "damaged");
    assert!(result.exists());
    let dropped = "0 results are sound, 1 were damaged and dropped\n";
    assert_eq!(look_after(&bench, one, "verify").stdout, dropped);
    codegen(&bench, one, "-O1");
    let private = entry(&bench).parent().unwrap().to_owned();
    set_mode(&private, 0o700);
    let stats = look_after(&bench, other, "stats").stdout;
    assert!(stats.contains(": 0 results, "), "{stats}");
    let is_elsewhere = |option: &&str| Some(folder_of(option).as_os_str()) != private.file_name();
    let option = ["-O2", "-O3", "-O0"].into_iter().find(is_elsewhere).unwrap();
    let outcome = codegen(&bench, other, option);
    assert!(!warns(&outcome), "a folder beside another user's private one: {}", outcome.stderr);
}

#[test]
fn a_folder_that_is_not_to_be_written_serves_hits_without_a_word() {
    let bench = checkout();
    set_mode(&bench.file("cache"), 0o755);
    codegen(&bench, None, "-O1");
    let hit = codegen(&bench, Some(USERS[0]), "-O1");
    assert!(is_hit(&hit) && !warns(&hit), "{}", hit.stderr);
    let miss = codegen(&bench, Some(USERS[0]), "-O2");
    assert!(!is_hit(&miss));
    assert_eq!(
        miss.stderr.matches("warning: cannot write the cache").count(),
        1,
        "{}",
        miss.stderr
    );
    let private = checkout();
    codegen(&private, None, "-O1");
    let outcome = codegen(&private, Some(USERS[0]), "-O1");
    assert!(!is_hit(&outcome), "{}", outcome.stderr);
}

#[test]
fn a_folder_of_somebody_else_is_not_believed() {
    let bench = checkout();
    let [one, other] = USERS.map(Some);
    chown(bench.file("cache"), one, one).unwrap();
    for mode in [0o755, 0o777, 0o775] {
        set_mode(&bench.file("cache"), mode);
        let own = codegen(&bench, one, "-O1");
        assert!(!warns(&own), "{mode:o} {}", own.stderr);
        for user in [other, None] {
            let outcome = codegen(&bench, user, "-O1");
            outcome
                .says(&["warning: the cache in cache is not used: it belongs to the user 47110"]);
            assert!(!is_hit(&outcome), "{mode:o} {}", outcome.stderr);
        }
    }
    assert!(is_hit(&codegen(&bench, one, "-O1")));
    let words = ["codegen", "a.linked.bc", "-o", "out/off.ptx", "--cache=off"];
    let outcome = as_user(&bench, other, &[&words[..], &["--cache-dir=cache"]].concat()).succeed();
    assert!(!warns(&outcome), "a folder that is not used: {}", outcome.stderr);
}

#[test]
fn links_in_the_folder_are_not_followed() {
    let bench = checkout();
    codegen(&bench, None, "-O1");
    let files =
        ["stats", "stats.lock", "size", "lock"].map(|name| bench.file("cache/v1").join(name));
    for path in files.iter().chain([&entry(&bench)]) {
        let content = std::fs::read(path).unwrap_or_default();
        bench.write("precious", "precious");
        let _ = std::fs::remove_file(path);
        symlink(bench.file("precious"), path).unwrap();
        codegen(&bench, None, "-O1");
        codegen(&bench, None, "-O2");
        as_user(&bench, None, &["cache", "stats", "--zero", "--cache-dir=cache"]).outcome();
        as_user(&bench, None, &["cache", "verify", "--cache-dir=cache"]).outcome();
        as_user(&bench, None, &["cache", "gc", "--cache-size=1B", "--cache-dir=cache"]).outcome();
        assert_eq!(bench.read("precious"), b"precious", "{}", path.display());
        let _ = std::fs::remove_file(path);
        std::fs::write(path, content).unwrap();
    }
    // A link to another folder is not followed, and that folder is not emptied.
    let elsewhere = bench.file("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let name = "0".repeat(64);
    std::fs::write(elsewhere.join(&name), "precious").unwrap();
    symlink(&elsewhere, bench.file("cache/v1/entries/zz")).unwrap();
    let small = ["cache", "gc", "--cache-size=1B", "--cache-dir=cache"];
    as_user(&bench, None, &small).succeed();
    look_after(&bench, None, "verify");
    look_after(&bench, None, "clear");
    assert!(elsewhere.join(&name).exists());
}

#[test]
fn nothing_in_the_folder_is_waited_for() {
    let bench = checkout();
    codegen(&bench, None, "-O1");
    let mut paths: Vec<PathBuf> = ["stats", "stats.lock", "size", "lock"]
        .map(|name| bench.file("cache/v1").join(name))
        .into();
    paths.push(entry(&bench));
    for kind in ["history", "tools"] {
        let folder = bench.file("cache/v1").join(kind);
        paths.extend(files_below(&folder));
    }
    assert!(paths.len() >= 6, "{paths:?}");
    for path in paths {
        let content = std::fs::read(&path).unwrap_or_default();
        let _ = std::fs::remove_file(&path);
        Run::new("mkfifo", bench.path()).arg(&path).succeed();
        // The results are right and arrive in time, regardless of the printed messages.
        codegen(&bench, None, "-O1");
        codegen(&bench, None, "-O2");
        for request in ["stats", "verify", "gc"] {
            let outcome = as_user(&bench, None, &["cache", request, "--cache-dir=cache"]).outcome();
            let code = outcome.code;
            assert!(matches!(code, Some(0 | 4)), "{request} {} {code:?}", path.display());
        }
        let _ = std::fs::remove_file(&path);
        std::fs::write(&path, content).unwrap();
    }
}

#[test]
fn files_of_other_programs_in_the_cache_stay_and_do_no_harm() {
    let bench = checkout();
    codegen(&bench, None, "-O1");
    let shard = entry(&bench).parent().unwrap().to_owned();
    let root = bench.file("cache/v1");
    let strays = [
        root.join("entries/stray"),
        root.join("history/stray"),
        shard.join("stray"),
        shard.join(".hidden"),
        root.join("stray"),
    ];
    for stray in &strays {
        std::fs::write(stray, "stray").unwrap();
    }
    std::fs::create_dir(shard.join("folder")).unwrap();
    std::fs::write(bench.file("cache/weft-cleared-stray"), "stray").unwrap();
    let verified = look_after(&bench, None, "verify").stdout;
    assert_eq!(verified, "1 results are sound, 0 were damaged and dropped\n");
    assert!(look_after(&bench, None, "stats").stdout.contains(": 1 results, "));
    let small = ["cache", "gc", "--cache-size=1B", "--cache-dir=cache"];
    let collected = as_user(&bench, None, &small).succeed().stdout;
    assert!(collected.ends_with(", 0 results are left, 0 B\n"), "{collected}");
    for stray in strays {
        assert_eq!(std::fs::read(&stray).unwrap(), b"stray", "{}", stray.display());
    }
    assert!(shard.join("folder").is_dir());
    assert!(is_hit(&{
        codegen(&bench, None, "-O1");
        codegen(&bench, None, "-O1")
    }));
    look_after(&bench, None, "clear");
}
