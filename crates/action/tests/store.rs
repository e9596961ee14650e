//! The cache under damage, at its limit, without room, and under many processes that are killed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use weft_action::Size;
use weft_action::key::{Field, FieldKind, Key, key};
use weft_action::store::entry::Entry;
use weft_action::store::{Found, Store};

/// Returns the result of a made-up action, whose size and content follow from `number`.
fn entry(number: u64) -> Entry {
    let field = |kind, name: &str, value| Field { kind, name: name.to_owned(), value };
    let input = field(FieldKind::Input, "in", format!("{number:016x}"));
    let fields = vec![input, field(FieldKind::Output, "out", String::new())];
    let length = usize::try_from(number % 4096).unwrap() + 1;
    let output = number.to_le_bytes().into_iter().cycle().take(length).collect();
    let messages = (b"said".to_vec(), b"told".to_vec());
    let (stdout, stderr) = messages;
    Entry { fields, outputs: vec![output], stdout, stderr, microseconds: number }
}

fn key_of(number: u64) -> Key {
    key(&entry(number).fields)
}

fn found(store: &Store, number: u64) -> Option<Entry> {
    match store.look_up(&key_of(number)).unwrap() {
        Found::Entry(entry, _) => Some(*entry),
        Found::Nothing | Found::WasDamaged => None,
        other => panic!("entry {number}: {other:?}"),
    }
}

/// Returns the files of all entries, oldest first.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let list = |path: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(path).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
    };
    let shards = list(&folder.join("v1/entries"));
    let mut files: Vec<_> = shards.iter().flat_map(|shard| list(shard)).collect();
    // Temporary files of killed processes are no entries.
    files.retain(|path| !path.file_name().unwrap().as_encoded_bytes().starts_with(b"."));
    files.sort_by_key(|path| path.metadata().unwrap().modified().unwrap());
    files
}

#[test]
fn what_is_kept_is_found_by_another_store_in_the_same_folder() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = [0, 1].map(|_| Store::new(folder.path().join("new"), Size::DEFAULT));
    assert_eq!(found(&one, 7), None);
    one.keep(&key_of(7), &entry(7)).unwrap();
    assert_eq!(found(&other, 7), Some(entry(7)));
    assert_eq!(found(&other, 8), None);
}

#[test]
fn a_damaged_entry_is_never_used_and_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path(), Size::DEFAULT);
    store.keep(&key_of(100), &entry(100)).unwrap();
    let path = entries(folder.path()).remove(0);
    let sound = std::fs::read(&path).unwrap();
    let flipped = (0..sound.len()).map(|position| {
        let mut content = sound.clone();
        content[position] ^= 0x10;
        content
    });
    let cut = (0..sound.len()).map(|length| sound[..length].to_vec());
    let longer = [[&sound[..], b"x"].concat(), vec![0; 1 << 20]];
    for content in flipped.chain(cut).chain(longer) {
        std::fs::write(&path, content).unwrap();
        assert!(matches!(store.look_up(&key_of(100)).unwrap(), Found::Damaged));
        assert!(!path.exists());
        store.keep(&key_of(100), &entry(100)).unwrap();
        assert_eq!(found(&store, 100), Some(entry(100)));
    }
}

#[test]
fn an_entry_under_the_name_of_another_is_never_used() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path(), Size::DEFAULT);
    store.keep(&key_of(1), &entry(1)).unwrap();
    let one = entries(folder.path()).remove(0);
    store.keep(&key_of(2), &entry(2)).unwrap();
    let other = entries(folder.path()).into_iter().find(|path| *path != one).unwrap();
    std::fs::copy(&one, &other).unwrap();
    let verified = store.verify(|_| Ok(())).unwrap();
    assert_eq!((verified.sound, verified.damaged), (1, 1));
    assert_eq!((found(&store, 1), found(&store, 2)), (Some(entry(1)), None));
}

#[test]
fn the_least_recently_used_go_first() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path(), Size(100_000));
    // Entries of about 4 KB, the first the oldest.
    let numbers: Vec<u64> = (1..=23).map(|number| number * 4096 - 1).collect();
    for (age, number) in (1..).zip(numbers.iter().rev()) {
        store.keep(&key_of(*number), &entry(*number)).unwrap();
        let name = key_of(*number).0.to_hex();
        let path = folder.path().join("v1/entries").join(&name[..2]).join(name.as_str());
        let used = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 - age);
        std::fs::File::open(path).unwrap().set_modified(used).unwrap();
    }
    assert!(found(&store, numbers[0]).is_some(), "and is the youngest from now on");
    store.keep(&key_of(8191 + 4096 * 90), &entry(8191 + 4096 * 90)).unwrap();
    let census = store.census().unwrap();
    assert!(census.bytes <= Size(90_000), "{census:?}");
    assert!(census.bytes > Size(80_000), "no more than needed: {census:?}");
    assert!(found(&store, numbers[0]).is_some());
    assert_eq!(found(&store, numbers[1]), None);
    assert!(found(&store, numbers[22]).is_some());
    // An entry that is larger than the cache leaves the others alone.
    let mut large = entry(5);
    large.outputs = vec![vec![1; 200_000]];
    assert_eq!(store.keep(&key_of(5), &large).unwrap(), 0);
    assert_eq!(store.census().unwrap().bytes, census.bytes);
}

#[test]
fn a_lost_or_senseless_count_is_set_right() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path(), Size(1 << 20));
    for (number, count) in (0..).zip(["", "no number", "18446744073709551615", "\u{fffd}"]) {
        store.keep(&key_of(number), &entry(number)).unwrap();
        std::fs::write(folder.path().join("v1/size"), count).unwrap();
        store.keep(&key_of(number + 10), &entry(number + 10)).unwrap();
        store.keep(&key_of(number + 20), &entry(number + 20)).unwrap();
        assert_eq!(found(&store, number), Some(entry(number)));
    }
    let count = std::fs::read_to_string(folder.path().join("v1/size")).unwrap();
    let count: u64 = count.trim().parse().unwrap();
    assert!((store.census().unwrap().bytes.0..1 << 20).contains(&count), "{count}");
}

#[test]
fn clearing_leaves_what_is_not_of_the_cache() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path(), Size::DEFAULT);
    assert_eq!(store.clear().unwrap(), Size(0));
    assert_eq!(store.make_room().unwrap(), Size(0));
    std::fs::write(folder.path().join("mine"), "").unwrap();
    store.keep(&key_of(1), &entry(1)).unwrap();
    std::fs::create_dir(folder.path().join("weft-cleared-before")).unwrap();
    assert!(store.clear().unwrap() > Size(0));
    assert_eq!(found(&store, 1), None);
    let mut left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["CACHEDIR.TAG", "mine"]);
    store.keep(&key_of(1), &entry(1)).unwrap();
    assert!(found(&store, 1).is_some());
}

/// Starts this program again, as a process that works on the cache in `folder`.
#[expect(clippy::disallowed_methods, reason = "other processes are what is tested")]
fn worker(folder: &Path, limit: u64, seed: u64, limits: &str) -> Child {
    let program = std::env::current_exe().unwrap();
    let script = format!("{limits} exec \"$0\" --exact what_is_found_is_what_was_kept");
    Command::new("/bin/sh")
        .args(["-c", &script])
        .arg(program)
        .env("WEFT_TEST_CACHE", format!("{limit} {seed} {}", folder.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Keeps and looks up entries, in a folder of its own or, as what [`worker`] starts, in a shared
/// one.
#[test]
#[expect(clippy::disallowed_methods, reason = "a parent speaks to its child by a variable")]
fn what_is_found_is_what_was_kept() {
    let own = tempfile::tempdir().unwrap();
    let order = std::env::var("WEFT_TEST_CACHE");
    let order = order.unwrap_or_else(|_| format!("20000 5 {}", own.path().display()));
    let mut words = order.splitn(3, ' ');
    let mut number = || words.next().unwrap().parse::<u64>().unwrap();
    let (limit, mut state) = (number(), number());
    let store = Store::new(words.next().unwrap(), Size(limit));
    for _ in 0..400 {
        // A linear congruential generator suffices, as any spread will do.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (state >> 33) % 300 * 13;
        match store.look_up(&key_of(number)).unwrap() {
            Found::Entry(kept, _) => assert_eq!(*kept, entry(number)),
            Found::Nothing | Found::WasDamaged => {
                store.keep(&key_of(number), &entry(number)).unwrap();
            }
            other => panic!("entry {number}: {other:?}"),
        }
    }
}

#[test]
fn many_processes_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    // The limit is so small that clean-ups happen all the time.
    let workers: Vec<Child> = (1..=4).map(|seed| worker(folder.path(), 20_000, seed, "")).collect();
    for worker in workers {
        let output = worker.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let store = Store::new(folder.path(), Size(20_000));
    let verified = store.verify(|_| Ok(())).unwrap();
    assert!(verified.sound > 0 && verified.damaged == 0, "{verified:?}");
    assert!(store.census().unwrap().bytes <= Size(24_000), "{:?}", store.census());
}

#[test]
fn a_process_killed_at_any_point_leaves_a_cache_that_works() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path(), Size(20_000));
    for round in 0_u64..30 {
        let mut workers = [1, 2].map(|seed| worker(folder.path(), 20_000, round * 10 + seed, ""));
        // The waits end between the time before the first entry and the middle of the work.
        std::thread::sleep(Duration::from_micros(round * round * 60));
        for worker in &mut workers {
            worker.kill().unwrap();
            worker.wait().unwrap();
        }
        assert_eq!(store.verify(|_| Ok(())).unwrap().damaged, 0, "round {round}");
        store.keep(&key_of(round), &entry(round)).unwrap();
        assert_eq!(found(&store, round), Some(entry(round)));
    }
    let count = std::fs::read_to_string(folder.path().join("v1/size")).unwrap();
    let total: u64 = entries(folder.path()).iter().map(|path| path.metadata().unwrap().len()).sum();
    assert!(count.trim().parse::<u64>().unwrap() >= total, "{count} counts less than {total}");
    // Temporary files of killed processes are removed with time.
    let shard = entries(folder.path())[0].parent().unwrap().to_owned();
    for (name, age) in [(".weft-old", 7200), (".weft-new", 60)] {
        let file = std::fs::File::create(shard.join(name)).unwrap();
        let now = shard.join(name).metadata().unwrap().modified().unwrap();
        file.set_modified(now - Duration::from_secs(age)).unwrap();
    }
    store.make_room().unwrap();
    assert!(!shard.join(".weft-old").exists() && shard.join(".weft-new").exists());
}

#[test]
fn a_full_disk_fails_the_writing_and_leaves_nothing_in_part() {
    let folder = tempfile::tempdir().unwrap();
    // The kernel refuses to let any file grow beyond a block or two, as a full disk would.
    let output = worker(folder.path(), 1 << 30, 1, "trap '' XFSZ; ulimit -f 1;");
    let output = output.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && said.contains("FileTooLarge"), "{said}");
    let store = Store::new(folder.path(), Size(1 << 30));
    assert_eq!(store.verify(|_| Ok(())).unwrap().damaged, 0);
    store.keep(&key_of(4095), &entry(4095)).unwrap();
    assert_eq!(found(&store, 4095), Some(entry(4095)));
}
