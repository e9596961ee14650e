//! An nginx server that tests start and stop.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::background::Background;
use crate::port::Port;

/// A running nginx with private files.
#[derive(Debug)]
pub struct Nginx {
    // Fields are dropped in this order.
    process: Background,
    folder: TempDir,
    port: Port,
}

impl Nginx {
    /// Starts nginx with one server. `listen` holds the words that follow the port in its directive
    /// `listen`, and `directives` the rest of the server's block. The word FOLDER in `directives`
    /// is replaced by this server's private folder, to which `files` are written first.
    pub fn start(listen: &str, directives: &str, files: &[(&str, &[u8])]) -> Self {
        let folder = TempDir::with_prefix("weft-test-nginx-")
            .unwrap_or_else(|error| panic!("cannot make a folder for nginx: {error}"));
        let port = Port::take();
        let path = folder.path();
        for name in ["temp", "files"] {
            std::fs::create_dir(path.join(name))
                .unwrap_or_else(|error| panic!("cannot make a folder for nginx: {error}"));
        }
        for (name, content) in files {
            std::fs::write(path.join(name), content)
                .unwrap_or_else(|error| panic!("cannot write {name} for nginx: {error}"));
        }
        let text = configuration(path, port.number(), listen, directives);
        let file = path.join("nginx.conf");
        std::fs::write(&file, text)
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
        let arguments = ["-c", &file.display().to_string(), "-p", &path.display().to_string()]
            .map(str::to_owned);
        // Debian installs nginx in a folder that is not in a user's PATH.
        let program = ["/usr/sbin/nginx", "/usr/bin/nginx"].map(PathBuf::from);
        let program = program.iter().find(|program| program.is_file());
        let program = program.unwrap_or_else(|| {
            panic!("nginx is missing: run the tests with `cargo xtask test`, which installs it")
        });
        let mut process = Background::start(program, &arguments, None, &path.join("log"));
        process.wait_for_port(port.number());
        Self { process, folder, port }
    }

    /// Ends the server. No other test gets its port before this value is dropped.
    pub fn stop(&mut self) {
        self.process.stop();
    }

    /// Returns the server's port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port.number()
    }

    /// Returns the folder that replaces FOLDER.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

fn configuration(folder: &Path, port: u16, listen: &str, directives: &str) -> String {
    let folder = folder.display().to_string();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {folder}/temp/{name};"))
        .join("\n");
    let user = if Path::new("/etc/nginx").exists() && is_root() { "user root;" } else { "" };
    format!(
        "{user}\ndaemon off;\nworker_processes 1;\npid {folder}/pid;\nerror_log stderr;\n\
         events {{ worker_connections 512; }}\n\
         http {{\n{temporary}\naccess_log off;\nclient_max_body_size 0;\n\
         server {{\nlisten 127.0.0.1:{port} {listen};\n{}\n}}\n}}\n",
        directives.replace("FOLDER", &folder)
    )
}

/// Returns whether this process runs as root. The workers of an nginx that root started run as
/// another user unless the configuration names one.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    Path::new("/proc/self").metadata().is_ok_and(|data| data.uid() == 0)
}
