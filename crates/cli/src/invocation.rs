//! The name of the build that this process is a part of.
//!
//! A cluster's pages show the calls of one build together, and a server that is down is said once a
//! build, so all processes of a build need the same name without having talked to each other. A
//! build system that says nothing is recognized: by make's jobserver, which every process below
//! make inherits, or by the program that the process was started by, through any shells between
//! them. The name reaches no action and no output.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use weft_remote::Invocation;

use crate::variables::Variables;

/// Programs that build, by the names of their processes.
const BUILD_TOOLS: [&str; 9] =
    ["make", "gmake", "bmake", "ninja", "ninja-build", "samu", "cmake", "scons", "meson"];
/// Programs that only start others.
const BETWEEN: [&str; 10] =
    ["sh", "dash", "bash", "zsh", "ksh", "fish", "busybox", "env", "time", "nice"];
/// Largest number of ancestors that are looked at.
const DEEPEST: usize = 64;

/// A process of this machine. Its start tells it from later ones with the same id.
struct Process {
    name: String,
    parent: u32,
    started: u64,
}

/// Returns the name of the build: the one that is given, else one that follows from the jobserver
/// or from the processes above this one.
pub(crate) fn invocation(given: Option<String>, environment: &Variables) -> Invocation {
    if let Some(id) = given {
        return Invocation { id, is_build: true };
    }
    let flags = environment("MAKEFLAGS").map(|flags| flags.to_string_lossy().into_owned());
    let jobserver = flags.as_deref().and_then(jobserver);
    let (text, is_build) = match jobserver {
        Some(text) => (text, true),
        None => starter(std::os::unix::process::parent_id(), &read),
    };
    // Process ids mean something below one kernel and in one space of processes.
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let text = format!("{boot}\n{}\n{text}", space.display());
    Invocation { id: as_uuid(weft_artifact::digest(text.as_bytes()).as_bytes()), is_build }
}

/// Returns what identifies the jobserver that make's flags name.
fn jobserver(flags: &str) -> Option<String> {
    let value = flags.split_whitespace().rev().find_map(|word| {
        word.strip_prefix("--jobserver-auth=").or_else(|| word.strip_prefix("--jobserver-fds="))
    })?;
    if let Some(path) = value.strip_prefix("fifo:") {
        let data = fs::metadata(path).ok()?;
        return Some(format!("{path} {} {} {}", data.ino(), data.ctime(), data.ctime_nsec()));
    }
    let (number, _) = value.split_once(',')?;
    let number: u32 = number.parse().ok()?;
    let link = fs::read_link(Path::new("/proc/self/fd").join(number.to_string())).ok()?;
    let link = link.to_str()?;
    link.starts_with("pipe:").then(|| link.to_owned())
}

/// Returns what identifies the outermost build tool above a process with the parent `parent`, or
/// the parent itself, and whether it is a build tool.
fn starter(parent: u32, read: &dyn Fn(u32) -> Option<Process>) -> (String, bool) {
    let identity = |id: u32, process: &Process| format!("{id} {}", process.started);
    let mut outermost = None;
    let mut next = parent;
    for _ in 0..DEEPEST {
        let Some(process) = read(next) else { break };
        if BUILD_TOOLS.contains(&process.name.as_str()) {
            outermost = Some(identity(next, &process));
        } else if !BETWEEN.contains(&process.name.as_str()) {
            break;
        }
        next = process.parent;
    }
    match outermost {
        Some(identity) => (identity, true),
        None => (read(parent).map_or_else(String::new, |own| identity(parent, &own)), false),
    }
}

fn read(id: u32) -> Option<Process> {
    parse(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
}

/// Reads a line of `/proc/ID/stat`. The name in it may hold spaces and parentheses.
fn parse(line: &str) -> Option<Process> {
    let (head, tail) = line.rsplit_once(')')?;
    let (_, name) = head.split_once('(')?;
    let fields: Vec<&str> = tail.split_whitespace().collect();
    let parent = fields.get(1)?.parse().ok()?;
    let started = fields.get(19)?.parse().ok()?;
    Some(Process { name: name.to_owned(), parent, started })
}

/// Writes 16 bytes as a UUID of version 8, which is for names that are made in a way of one's own.
fn as_uuid(bytes: &[u8; 32]) -> String {
    let mut bytes = bytes.iter().copied();
    let mut digits = String::new();
    for index in 0..16 {
        let byte = bytes.next().unwrap_or_default();
        let byte = match index {
            6 => byte & 0x0f | 0x80,
            8 => byte & 0x3f | 0x80,
            _ => byte,
        };
        if [4, 6, 8, 10].contains(&index) {
            digits.push('-');
        }
        // Writing to a String cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads from a table of ids, names and parents.
    fn table(id: u32) -> Option<Process> {
        let rows = [
            (9, "sh", 8),
            (8, "ninja", 7),
            (7, "cmake", 6),
            (6, "bash", 5),
            (5, "sshd", 1),
            (20, "sh", 21),
            (21, "python3", 6),
            (30, "make", 31),
            (31, "make", 6),
        ];
        let (_, name, parent) = rows.into_iter().find(|row| row.0 == id)?;
        Some(Process { name: name.to_owned(), parent, started: 100 + u64::from(id) })
    }

    #[test]
    fn the_outermost_build_tool_names_the_build_and_else_the_parent() {
        for (parent, expected) in [
            (9, ("7 107", true)),
            (8, ("7 107", true)),
            (30, ("31 131", true)),
            (20, ("20 120", false)),
            (6, ("6 106", false)),
            (77, ("", false)),
        ] {
            let (text, is_build) = starter(parent, &table);
            assert_eq!((text.as_str(), is_build), expected, "{parent}");
        }
    }

    #[test]
    fn processes_are_read_whatever_their_names() {
        let line = format!("7 (a) (b c)) S 5 {} 77 0", "0 ".repeat(17));
        let process = parse(&line).unwrap();
        assert_eq!((process.name.as_str(), process.parent, process.started), ("a) (b c)", 5, 77));
        assert!(parse("7 (a S").is_none());
        assert!(
            read(std::process::id())
                .is_some_and(|own| own.parent == std::os::unix::process::parent_id())
        );
    }

    #[test]
    fn a_jobserver_is_one_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        for path in [&one, &other] {
            fs::write(path, "").unwrap();
        }
        let of = |path: &Path| jobserver(&format!("-j4 --jobserver-auth=fifo:{}", path.display()));
        assert!(of(&one).is_some() && of(&one) == of(&one) && of(&one) != of(&other));
        assert_eq!(of(Path::new("/nowhere")), None);
        for flags in ["", "k", "--jobserver-auth=-2,-2", "--jobserver-auth=9999,9999"] {
            assert_eq!(jobserver(flags), None, "{flags}");
        }
    }

    #[test]
    fn names_that_nobody_gave_are_uuids() {
        let none = |_: &str| None;
        let (one, again) = (invocation(None, &none), invocation(None, &none));
        assert_eq!(one.id, again.id);
        let lengths: Vec<usize> = one.id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        let given = invocation(Some("mine".to_owned()), &none);
        assert_eq!((given.id.as_str(), given.is_build), ("mine", true));
    }
}
