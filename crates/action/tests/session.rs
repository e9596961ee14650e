//! A session gets results from the local cache or makes them, and says which it was.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use weft_action::store::entry::Entry;
use weft_action::store::{Found, Store};
use weft_action::{
    Action, ActionError, CacheMode, Input, JobRecord, Origin, Outcome, Phase, Session, Settings,
    Size, Tool,
};

/// Size of a unit whose summary takes seconds, in bytes.
const LARGE: usize = 4 << 20;

/// Settings with a cache in `folder`.
fn settings(folder: Option<&Path>) -> Settings {
    Settings {
        mode: CacheMode::On,
        folder: folder.map(Path::to_owned),
        size: Size::DEFAULT,
        stats: false,
        explain_misses: false,
        isolated: false,
        notices_on_stdout: false,
        shared: None,
        remote: None,
    }
}

/// An action of which every shell can make the output.
fn action(phase: Phase, content: &[u8]) -> Action<'_> {
    Action {
        phase,
        subject: "unit".to_owned(),
        program: Tool { name: "sh".to_owned(), path: "/bin/sh".into() },
        arguments: vec!["-c".to_owned(), "cp in out".to_owned()],
        tools: vec![],
        inputs: vec![Input::new("in", content)],
        outputs: vec!["out".to_owned()],
        time_limit: None,
        check: |_| Ok(()),
    }
}

/// Returns whether the result of `action` was made anew. All of its makings give the same outcome.
fn is_made(session: &Session, action: &Action<'_>) -> bool {
    let outcome = Outcome {
        outputs: vec![b"made".to_vec()],
        stdout: b"said".to_vec(),
        stderr: b"warned".to_vec(),
    };
    let is_made = Cell::new(false);
    let got = session.get(action, || {
        is_made.set(true);
        // The record of a result has its duration in whole microseconds.
        std::thread::sleep(Duration::from_millis(1));
        Ok::<_, ActionError>(outcome.clone())
    });
    assert_eq!(got.unwrap(), outcome);
    is_made.get()
}

fn is_cached(settings: &Settings, action: &Action<'_>) -> bool {
    let sessions = [0; 2].map(|_| Session::new("test", settings.clone()));
    let made = sessions.map(|session| is_made(&session, action));
    assert!(made[0], "{:?}: a cache knew a result that nobody had made", action.phase);
    !made[1]
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let files = |folder: &Path| fs::read_dir(folder).map(|files| files.map(|file| file.unwrap()));
    let shards = files(&folder.join("v1/entries")).into_iter().flatten();
    shards.flat_map(|shard| files(&shard.path()).unwrap()).map(|file| file.path()).collect()
}

#[test]
fn each_mode_keeps_the_results_of_its_phases() {
    use CacheMode::{All, Off, On};
    use Phase::{Assemble, Codegen, Compile, Import, Link, Summarize, Thinlink};
    let cases: [(_, &[Phase], &[Phase]); 3] = [
        (Off, &[], &Phase::ALL),
        (On, &[Codegen, Assemble, Compile, Link], &[Summarize, Thinlink, Import]),
        (All, &Phase::ALL, &[]),
    ];
    for (mode, kept, not_kept) in cases {
        for (phases, expected) in [(kept, true), (not_kept, false)] {
            for phase in phases {
                let folder = TempDir::new().unwrap();
                let settings = Settings { mode, ..settings(Some(folder.path())) };
                // A mode without any phase keeps nothing even where the phase would be costly.
                assert_eq!(
                    is_cached(&settings, &action(*phase, b"in")),
                    expected,
                    "{mode:?} {phase:?}"
                );
                let without = Settings { folder: None, ..settings };
                assert!(!is_cached(&without, &action(*phase, b"in")), "{mode:?} {phase:?}");
            }
        }
    }
}

#[test]
fn a_phase_is_kept_for_other_programs_and_the_summary_of_a_large_unit_for_its_time() {
    let folder = TempDir::new().unwrap();
    let shared = Settings { shared: Some(Phase::Import), ..settings(Some(folder.path())) };
    assert!(is_cached(&shared, &action(Phase::Import, b"in")));
    assert!(!is_cached(&shared, &action(Phase::Thinlink, b"in")));
    let cases = [
        (Phase::Summarize, LARGE, true),
        (Phase::Summarize, LARGE - 1, false),
        (Phase::Import, LARGE, false),
    ];
    for (phase, size, expected) in cases {
        let folder = TempDir::new().unwrap();
        let content = vec![0; size];
        let is_kept = is_cached(&settings(Some(folder.path())), &action(phase, &content));
        assert_eq!(is_kept, expected, "{phase:?} of {size} bytes");
    }
    let library = Tool { name: "library".to_owned(), path: "/bin/sh".into() };
    let with_library = Action { tools: vec![library], ..action(Phase::Summarize, b"in") };
    assert!(is_cached(&settings(Some(folder.path())), &with_library));
}

#[test]
fn callers_make_a_result_themselves_only_where_nothing_else_reads_the_action() {
    let folder = TempDir::new().unwrap();
    let on = settings(Some(folder.path()));
    let is_direct =
        |settings: &Settings, phase| Session::new("x", settings.clone()).is_direct(phase);
    assert!(is_direct(&on, Phase::Import));
    assert!(!is_direct(&on, Phase::Codegen));
    assert!(is_direct(&Settings { folder: None, ..on.clone() }, Phase::Codegen));
    assert!(!is_direct(&Settings { shared: Some(Phase::Import), ..on.clone() }, Phase::Import));
    assert!(!is_direct(&Settings { isolated: true, ..on.clone() }, Phase::Import));
    let remote = Settings { remote: Some(weft_action::RemoteSettings::default()), ..on };
    assert!(!is_direct(&remote, Phase::Import));
    assert_eq!(Session::new("x", remote).jobs_of_cluster(), None, "a cache runs nothing");
}

#[test]
fn a_cluster_runs_as_many_actions_at_a_time_as_is_set() {
    let client = weft_remote::Settings {
        executor: Some("grpc://127.0.0.1:1".to_owned()),
        jobs: 7,
        ..weft_remote::Settings::default()
    };
    let remote = weft_action::RemoteSettings { client, ..weft_action::RemoteSettings::default() };
    let with = Settings { remote: Some(remote), ..settings(None) };
    assert_eq!(Session::new("x", with).jobs_of_cluster(), Some(7));
    assert_eq!(Session::new("x", settings(None)).jobs_of_cluster(), None);
}

#[test]
fn the_record_says_where_each_result_came_from_and_why_it_was_made() {
    let folder = TempDir::new().unwrap();
    let session = Session::new("test", settings(Some(folder.path())));
    let (first, second) = (action(Phase::Codegen, b"1"), action(Phase::Codegen, b"2"));
    for action in [&first, &first, &second] {
        is_made(&session, action);
    }
    let records = session.records();
    let [made, found, other] = &records[..] else { panic!("{records:?}") };
    for JobRecord { phase, subject, took, .. } in &records {
        assert_eq!((phase.as_str(), subject.as_str()), ("codegen", "unit"));
        assert!(*took > 0);
    }
    assert_eq!((made.origin, made.saved, made.why.as_str()), (Origin::Here, 0, ""));
    assert_eq!((found.origin, found.why.as_str()), (Origin::Cache, ""));
    // The time that is saved is the time of the making, which slept for a millisecond.
    assert!(found.saved >= 1000, "{}", found.saved);
    assert_eq!((other.origin, other.saved), (Origin::Here, 0));
    assert!(other.why.starts_with("input in (was "), "{}", other.why);
    assert!(records.is_sorted_by_key(|record| record.start));
}

#[test]
fn the_counts_of_a_session_are_added_to_the_record_of_the_cache() {
    let folder = TempDir::new().unwrap();
    let codegen = action(Phase::Codegen, b"in");
    for _ in 0..2 {
        let session = Session::new("test", settings(Some(folder.path())));
        is_made(&session, &codegen);
        // A phase that no cache is used for is not counted.
        is_made(&session, &action(Phase::Import, b"in"));
        session.finish();
    }
    let entries = entries(folder.path());
    let [entry] = &entries[..] else { panic!("{entries:?}") };
    let bytes = fs::metadata(entry).unwrap().len();
    let totals = Store::new(folder.path(), Size::DEFAULT).totals().unwrap().to_string();
    let bytes = Size(bytes).to_string();
    let line = format!("\ncodegen          1       1{bytes:>12}{bytes:>12}");
    assert!(totals.contains(&line), "{totals}");
    assert!(totals.ends_with("\nmisses: new 1"), "{totals}");
    assert_eq!(totals.lines().count(), 3, "{totals}");
}

#[test]
fn a_result_that_fails_its_check_or_is_damaged_is_made_again() {
    let folder = TempDir::new().unwrap();
    let session = || Session::new("test", settings(Some(folder.path())));
    let sound = action(Phase::Codegen, b"in");
    assert!(is_made(&session(), &sound));
    let strict = Action { check: |_| Err("no PTX".to_owned()), ..sound.clone() };
    assert!(is_made(&session(), &strict));
    assert!(!is_made(&session(), &sound), "a result that was made here is kept unchecked");
    let [entry] = &entries(folder.path())[..] else { panic!("one entry") };
    fs::write(entry, "damaged").unwrap();
    let after = session();
    assert!(is_made(&after, &sound));
    after.finish();
    let totals = Store::new(folder.path(), Size::DEFAULT).totals().unwrap();
    assert!(totals.to_string().ends_with("\nmisses: damaged 1"), "{totals}");
    assert!(!is_made(&session(), &sound));
    // A folder in the place of a result is none.
    fs::remove_file(entry).unwrap();
    fs::create_dir(entry).unwrap();
    assert!(is_made(&session(), &sound));
}

#[test]
fn the_result_of_a_script_is_not_kept() {
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("script");
    fs::write(&script, "#!/bin/sh\n").unwrap();
    let cache = folder.path().join("cache");
    let plain = action(Phase::Codegen, b"in");
    let by_script = Action { program: Tool { name: "s".to_owned(), path: script }, ..plain };
    assert!(!is_cached(&settings(Some(&cache)), &by_script));
    assert_eq!(entries(&cache), Vec::<PathBuf>::new());
}

#[test]
fn an_isolated_session_starts_the_program_itself() {
    let isolated = Settings { isolated: true, ..settings(None) };
    let got = Session::new("test", isolated).get(&action(Phase::Import, b"content"), || {
        Err(ActionError::Failed {
            command: "here".to_owned(),
            status: String::new(),
            messages: String::new(),
        })
    });
    assert_eq!(got.unwrap(), Outcome::of(b"content".to_vec()));
}

#[test]
fn an_action_whose_program_cannot_be_read_gets_no_result_from_the_cache() {
    let folder = TempDir::new().unwrap();
    let plain = action(Phase::Codegen, b"in");
    let lost = Tool { name: "lost".to_owned(), path: folder.path().join("lost") };
    let action = Action { tools: vec![lost], ..plain };
    assert!(!is_cached(&settings(Some(&folder.path().join("cache"))), &action));
}

#[test]
fn a_store_finds_what_it_kept_and_remembers_what_ran() {
    let folder = TempDir::new().unwrap();
    let store = Store::new(folder.path().join("cache"), Size::DEFAULT);
    let session = Session::new("test", settings(Some(store.folder())));
    for content in [b"1", b"2"] {
        is_made(&session, &action(Phase::Codegen, content));
    }
    assert_eq!(store.history("codegen", "unit").runs.len(), 2);
    assert_eq!(store.history("codegen", "other").runs.len(), 0);
    assert_eq!(store.history("assemble", "unit").runs.len(), 0);
    let census = store.census().unwrap();
    assert_eq!(census.entries, 2);
    let verified = store.verify(|claim| match claim.outputs[..] {
        [("out", b"made")] => Ok(()),
        _ => Err("another".to_owned()),
    });
    assert_eq!(verified.unwrap().sound, 2);
    fs::write(&entries(store.folder())[0], "damaged").unwrap();
    let verified = store.verify(|_| Ok(())).unwrap();
    assert_eq!((verified.sound, verified.damaged, verified.left), (1, 1, 0));
    let verified = store.verify(|_| Err("none is good".to_owned())).unwrap();
    assert_eq!((verified.sound, verified.damaged, verified.left), (0, 1, 0));
    for name in ["weft-cleared-file", "folder/weft-cleared-file"] {
        let path = store.folder().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "of another program").unwrap();
    }
    fs::create_dir(store.folder().join("weft-cleared-by-a-killed-process")).unwrap();
    assert!(store.clear().unwrap().0 > 0);
    let names = fs::read_dir(store.folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["CACHEDIR.TAG", "folder", "weft-cleared-file"]);
    assert_eq!(store.census().unwrap().entries, 0);
    assert_eq!(store.history("codegen", "unit").runs.len(), 0);
    assert!(!store.folder().join("v1").exists());
}

#[test]
fn a_result_is_kept_if_the_whole_cache_can_hold_it() {
    let folder = TempDir::new().unwrap();
    let entry = Entry {
        fields: vec![],
        outputs: vec![vec![7; 1000]],
        stdout: vec![],
        stderr: vec![],
        microseconds: 0,
    };
    let key = weft_action::key::key(&entry.fields);
    let large = Store::new(folder.path().join("large"), Size::DEFAULT);
    let bytes = large.keep(&key, &entry).unwrap();
    assert!(bytes > 0);
    for (limit, expected) in [(bytes, bytes), (bytes - 1, 0)] {
        let store = Store::new(folder.path().join(limit.to_string()), Size(limit));
        assert_eq!(store.keep(&key, &entry).unwrap(), expected);
    }
    // A folder is in the result's place.
    let [path] = &entries(large.folder())[..] else { panic!("one entry") };
    fs::remove_file(path).unwrap();
    fs::create_dir(path).unwrap();
    assert!(large.keep(&key, &entry).is_err());
    assert!(matches!(large.look_up(&key).unwrap(), Found::Damaged));
}
