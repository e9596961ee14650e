//! Every input that has once broken a reader, or could have, in the folder of that reader.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::alloc::System;
use std::fs;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use cap::Cap;
use dev_readers::{LARGEST_INPUT, MEMORY, READERS, reader};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, MEMORY);

/// Time after which a reader counts as one that does not return.
const PATIENCE: Duration = Duration::from_mins(1);

/// A reader that takes too much memory ends the test program, which names the input first.
#[test]
fn every_finding_is_read_within_bounds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("inputs");
    let mut count = 0;
    for folder in fs::read_dir(&root).unwrap() {
        let folder = folder.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap();
        let reader = reader(name).unwrap_or_else(|| panic!("there is no reader called {name}"));
        for file in fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            let input = fs::read(&path).unwrap();
            assert!(input.len() <= LARGEST_INPUT, "{} is too large", path.display());
            println!("{}", path.display());
            let (done, end) = mpsc::channel();
            let thread = thread::spawn(move || {
                (reader.read)(&input);
                let _ = done.send(());
            });
            let runs_on = end.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout);
            assert!(!runs_on, "{} makes its reader run on", path.display());
            thread.join().unwrap_or_else(|_| panic!("{} makes its reader panic", path.display()));
            count += 1;
        }
    }
    assert!(count > 0, "no input was found in {}", root.display());
}

#[test]
fn readers_are_sorted_and_return_for_nothing() {
    assert!(READERS.is_sorted_by_key(|reader| reader.name));
    for reader in READERS {
        for input in [&b""[..], b"\0", b"\x7FELF", b"{}"] {
            let _ = (reader.read)(input);
        }
    }
}
