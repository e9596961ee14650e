//! A root folder in which a program finds its libraries and its declared files, and nothing else.
//!
//! bubblewrap makes the root: without a network and without other processes, with another user,
//! another host name, an empty environment and another working folder.
//!
//! strace watches the program from outside and shows every file that it asks for, including files
//! that do not exist: a file that a program would read if it were there is as undeclared as one
//! that it reads. To run on another day, the loader puts libfaketime into every program, including
//! those that start with an empty environment.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::{Outcome, Run, Workbench, workspace_root};

/// Folder of the declared files in the root.
const FOLDER: &str = "/far/away";
/// Folder of the programs in the root.
const PROGRAMS: &str = "/program/";
const PRELOADED: &str = "/clock.so";
const DEBIAN_FAKETIME: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

/// A run of programs in a private root.
#[derive(Debug)]
pub struct Sandbox<'bench> {
    bench: &'bench Workbench,
    /// Folder of the bench that becomes the only writable folder of the root.
    name: String,
    programs: Vec<PathBuf>,
    declared: BTreeSet<String>,
}

/// Result of a watched run.
#[derive(Debug)]
pub struct Traced {
    /// Exit code and streams.
    pub outcome: Outcome,
    /// Undeclared files that were asked for, and uses of the network.
    pub undeclared: BTreeSet<String>,
    /// Names of the programs that were started in the root, in order: the first program and its
    /// children.
    pub started: Vec<String>,
}

impl<'bench> Sandbox<'bench> {
    /// Makes a root for `programs`, of which the first is to be run. `name` is a new folder of the
    /// bench.
    pub fn new(bench: &'bench Workbench, name: &str, programs: &[&Path]) -> Self {
        if let Err(error) = std::fs::create_dir(bench.file(name)) {
            panic!("cannot make the folder {name} of the sandbox: {error}");
        }
        let programs = programs.iter().map(|program| (*program).to_owned()).collect();
        Self { bench, name: name.to_owned(), programs, declared: BTreeSet::new() }
    }

    /// Declares files of the bench as inputs.
    #[must_use]
    pub fn inputs(mut self, files: &[&str]) -> Self {
        for file in files {
            let copy = self.bench.file(&self.name).join(file);
            let made = copy.parent().map_or(Ok(()), std::fs::create_dir_all);
            if let Err(error) = made.and_then(|()| std::fs::copy(self.bench.file(file), copy)) {
                panic!("cannot copy {file} into the sandbox: {error}");
            }
            self.declared.insert((*file).to_owned());
        }
        self
    }

    /// Declares files as outputs.
    #[must_use]
    pub fn outputs(mut self, files: &[&str]) -> Self {
        self.declared.extend(files.iter().map(|file| (*file).to_owned()));
        self
    }

    /// Runs and watches the first program, which finds the others at the paths that
    /// [`Sandbox::place`] returns.
    pub fn run(&self, arguments: &[&str]) -> Traced {
        let log = format!("{}.strace", self.name);
        let trace = ["-f", "-qq", "-s", "4096", "-e", "trace=%file,%network", "-o", &log, "bwrap"];
        let strace = Run::new("strace", self.bench.path()).args(trace);
        let outcome = self.enter(strace, Vec::new()).args(arguments.iter().copied()).outcome();
        let log = String::from_utf8_lossy(&self.bench.read(&log)).into_owned();
        Traced { outcome, undeclared: self.undeclared(&log), started: started(&log) }
    }

    /// Runs the first program on February 3, 2001.
    pub fn run_on_another_day(&self, arguments: &[&str]) -> Outcome {
        self.bench.write("preload", format!("{PRELOADED}\n"));
        self.bench.write("clock", "@2001-02-03 04:05:06\n");
        let mut clock = vec![
            (DEBIAN_FAKETIME.into(), PRELOADED.to_owned()),
            (self.bench.file("preload"), "/etc/ld.so.preload".to_owned()),
            (self.bench.file("clock"), "/etc/faketimerc".to_owned()),
        ];
        clock.extend(libraries(Path::new(DEBIAN_FAKETIME)));
        let bubblewrap = Run::new("bwrap", self.bench.path());
        self.enter(bubblewrap, clock).args(arguments.iter().copied()).outcome()
    }

    /// Adds bubblewrap's arguments and the first program's path.
    fn enter(&self, run: Run, more: Vec<(PathBuf, String)>) -> Run {
        let mut files = more;
        for program in &self.programs {
            files.push((program.canonicalize().unwrap_or_default(), Self::place(program)));
            files.extend(libraries(program));
        }
        let mounts = files.into_iter().flat_map(|(from, to)| {
            ["--ro-bind".to_owned(), from.to_string_lossy().into_owned(), to]
        });
        run.args(["--unshare-all", "--die-with-parent", "--clearenv"])
            .args(["--uid", "4711", "--gid", "4711", "--hostname", "elsewhere"])
            .args(mounts)
            .args(["--tmpfs", "/tmp", "--dev-bind", "/dev/null", "/dev/null"])
            .args(["--bind", &self.name, FOLDER, "--chdir", FOLDER])
            .arg(Self::place(&self.programs[0]))
    }

    /// Returns the path of a program in the root.
    pub fn place(program: &Path) -> String {
        let name = program.file_name().unwrap_or_default();
        format!("{PROGRAMS}{}", name.to_string_lossy())
    }

    fn undeclared(&self, log: &str) -> BTreeSet<String> {
        let start = format!("execve(\"{PROGRAMS}");
        // Before its first program starts, bubblewrap builds the root, in separate processes.
        let mut builders: BTreeSet<&str> = BTreeSet::new();
        let mut undeclared = BTreeSet::new();
        let mut has_started = false;
        for line in log.lines() {
            let (process, call) = line.split_once(' ').unwrap_or_default();
            if !has_started {
                has_started = line.contains(&start);
                if has_started {
                    builders.remove(process)
                } else {
                    builders.insert(process)
                };
            }
            if builders.contains(process) {
                continue;
            }
            let (name, rest) = call.trim_start().split_once('(').unwrap_or_default();
            if NETWORK.contains(&name) {
                undeclared.insert(call.to_owned());
            }
            // A call without a path, or with an empty path, asks about an open file.
            let path = rest.split('"').nth(1).unwrap_or_default();
            if !path.is_empty() && !self.is_declared(path) {
                undeclared.insert(path.to_owned());
            }
        }
        undeclared
    }

    fn is_declared(&self, path: &str) -> bool {
        let here = path.strip_prefix(FOLDER).unwrap_or(path).trim_start_matches(['/', '.']);
        // Outputs are written beside their final path, under a temporary name.
        let is_inside = path.starts_with(FOLDER) || !path.starts_with('/');
        let temporary = is_inside && format!("/{path}").contains("/.weft-");
        let is_or_holds = |declared: &String| {
            declared == here
                || here.is_empty()
                || declared.strip_prefix(here).is_some_and(|rest| rest.starts_with('/'))
        };
        temporary
            || is_inside && self.declared.iter().any(is_or_holds)
            || is_inside && ACTION_FILES.contains(&path)
            || SCRATCH.iter().any(|prefix| path.starts_with(prefix))
            || SYSTEM.contains(&path)
            || path.starts_with(MEMORY_NODES)
            || is_loading(path)
    }
}

/// System calls that use the network. Calls for pipes between parent and child are not among them.
const NETWORK: [&str; 3] = ["socket", "connect", "bind"];
/// Names that `backend-job` gives the assembler's input and output.
const ACTION_FILES: [&str; 2] = ["module.ptx", "module.cubin"];
/// Prefix of temporary folders, which are empty at first.
const SCRATCH: [&str; 1] = ["/tmp/weft-job-"];
/// Files of the kernel: the share of the machine that a process may use, how the kernel hands out
/// memory, and the process's own memory and executable. The share decides the number of threads,
/// and the allocator asks for memory in larger or smaller pieces, which change no byte of the
/// outputs. The temporary directory is searched for remains of dead jobs.
const SYSTEM: [&str; 8] = [
    "/tmp",
    "/proc/self/cgroup",
    "/sys/fs/cgroup/cgroup.controllers",
    "/proc/self/maps",
    "/proc/self/exe",
    "/proc/sys/vm/overcommit_memory",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/dev/null",
];

/// Beginning of the kernel's folder for each part of the memory of a machine with several. The
/// allocator counts them when a job starts its second thread, to hand out memory that is near to
/// the processor, which changes no byte of the outputs either.
const MEMORY_NODES: &str = "/sys/devices/system/node/node";

/// Returns the programs of the root that were started according to a log.
fn started(log: &str) -> Vec<String> {
    let name = |line: &str| {
        let (_, call) = line.split_once("execve(\"")?;
        let (path, result) = call.split_once('"')?;
        let has_failed = result.contains(" = -1 ");
        (!has_failed).then(|| path.strip_prefix(PROGRAMS).unwrap_or(path).to_owned())
    };
    // bubblewrap itself is started first.
    log.lines().filter_map(name).skip_while(|name| name.contains("bwrap")).collect()
}

/// Returns whether the dynamic loader looks for libraries at this path.
fn is_loading(path: &str) -> bool {
    let folders = ["/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", PROGRAMS];
    path.starts_with("/etc/ld.so.") || folders.iter().any(|folder| path.starts_with(folder))
}

/// Returns the files that the loader maps into a program, with their paths, which are the same in
/// the root.
fn libraries(program: &Path) -> Vec<(PathBuf, String)> {
    let listing = Run::new("ldd", workspace_root()).arg(program).succeed().stdout;
    let path =
        |line: &str| line.split_whitespace().find(|word| word.starts_with('/')).map(str::to_owned);
    listing.lines().filter_map(path).map(|file| (PathBuf::from(&file), file)).collect()
}

/// Fails the test with the reason if bubblewrap cannot make a root.
pub fn assert_possible(bench: &Workbench) {
    let arguments = ["--unshare-all", "--ro-bind", "/", "/", "true"];
    if let Err(story) = Run::new("bwrap", bench.path()).args(arguments).attempt() {
        panic!(
            "bubblewrap cannot make a root here. It needs user namespaces (see \
             /proc/sys/user/max_user_namespaces and kernel.unprivileged_userns_clone; a container \
             must allow them): {story}"
        );
    }
}
