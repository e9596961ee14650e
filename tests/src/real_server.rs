//! Real servers for REAPI that tests start and stop: buildbox-casd in two versions.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::background::Background;
use crate::port::Port;
use crate::{Run, files_below, workspace_root};

/// A version of buildbox-casd. Both versions have a content store, an action cache and execution,
/// use SHA-256 and run actions with bubblewrap, in a root that holds the inputs of the action and
/// the system's folders with programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Casd {
    /// Version 1.3.11, which serves API 2.0 to 2.3.
    Older,
    /// Version 1.4.25, which serves API 2.1 to 2.12.
    Newer,
}

impl Casd {
    /// All versions.
    pub const ALL: [Self; 2] = [Self::Older, Self::Newer];

    fn folder(self) -> PathBuf {
        let name = match self {
            Self::Older => "buildbox-1.3.11",
            Self::Newer => "buildbox-1.4.25",
        };
        let folder = workspace_root().join(".toolchain").join(name);
        assert!(
            folder.join("stamp").is_file(),
            "{} is missing: run the tests with `cargo xtask test`, which downloads it first",
            folder.display()
        );
        folder
    }
}

/// A running server with a private store, which is empty at first. The server listens on this
/// machine only. The server ends and its store is removed when this value is dropped.
#[derive(Debug)]
pub struct RealServer {
    process: Background,
    store: TempDir,
    port: Port,
    casd: Casd,
    options: Vec<String>,
}

impl RealServer {
    /// Starts a server that runs two actions at a time.
    pub fn start(casd: Casd) -> Self {
        Self::with_options(casd, &["--jobs=2"])
    }

    /// Starts a server with options of casd.
    pub fn with_options(casd: Casd, options: &[&str]) -> Self {
        let store = TempDir::with_prefix("weft-test-casd-")
            .unwrap_or_else(|error| panic!("cannot make a folder for the server: {error}"));
        let port = Port::take();
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        let process = launch(casd, &options, port.number(), store.path());
        Self { process, store, port, casd, options }
    }

    /// Returns the server's URL.
    pub fn url(&self) -> String {
        format!("grpc://127.0.0.1:{}", self.port())
    }

    /// Returns the server's port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port.number()
    }

    /// Returns the id of the server's process, which is also the id of its process group.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Returns the files of the server's blobs, each named by parts of its digest. Other contents
    /// of the store are not listed: the server mounts the roots of actions there, and a mount that
    /// disappears cannot be read.
    pub fn blobs(&self) -> Vec<PathBuf> {
        files_below(&self.store.path().join("store/cas/objects"))
    }

    /// Returns the files of the results in the server's action cache.
    pub fn results(&self) -> Vec<PathBuf> {
        files_below(&self.store.path().join("store/actioncache/objects"))
    }

    /// Returns the output of the server so far.
    pub fn log(&self) -> String {
        self.process.log()
    }

    /// Ends the server. No other test gets its port before this value is dropped.
    pub fn stop(&mut self) {
        self.process.stop();
    }

    /// Kills the server and starts it again with the same store at the same port.
    pub fn restart(&mut self) {
        self.process.kill();
        unmount(self.store.path());
        self.process = launch(self.casd, &self.options, self.port.number(), self.store.path());
    }
}

impl Drop for RealServer {
    /// Ends the server before its store is removed, because the process writes to the store until
    /// its end.
    fn drop(&mut self) {
        self.process.stop();
        unmount(self.store.path());
    }
}

/// Unmounts the roots of actions that a killed server has left mounted below `folder`.
fn unmount(folder: &Path) {
    let mounts = std::fs::read_to_string("/proc/mounts").unwrap_or_default();
    let places = mounts.lines().filter_map(|line| line.split(' ').nth(1));
    for place in places.filter(|place| Path::new(place).starts_with(folder)) {
        Run::new("fusermount3", "/").args(["-u", "-z", place]).outcome();
    }
}

fn launch(casd: Casd, options: &[String], port: u16, folder: &Path) -> Background {
    let programs = casd.folder();
    let mut arguments = vec![
        format!("--bind=127.0.0.1:{port}"),
        "--quota-high=2G".to_owned(),
        // The default reserves more disk space than a small disk has free.
        "--reserved=64M".to_owned(),
        format!("--buildbox-run={}", programs.join("buildbox-run").display()),
    ];
    let system = ["/usr", "/bin", "/lib", "/lib64", "/sbin", "/etc"];
    arguments.extend(system.map(|folder| format!("--runner-arg=--bind-mount={folder}:{folder}")));
    arguments.extend(options.iter().cloned());
    arguments.push(folder.join("store").display().to_string());
    let log = folder.join("log");
    let program = programs.join("buildbox-casd");
    // casd looks on PATH for the program that mounts its store.
    let mut process = Background::start(&program, &arguments, Some(&programs), &log);
    process.wait_for_port(port);
    process
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_start_and_stop() {
        for casd in Casd::ALL {
            let mut server = RealServer::start(casd);
            server.restart();
            let port = server.port();
            let store = server.store.path().to_owned();
            assert!(store.join("store/cas/objects").is_dir());
            drop(server);
            assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
            assert!(!store.exists(), "{} is still there", store.display());
        }
    }
}
