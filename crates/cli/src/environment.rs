//! The variables that the executables read.

use std::ffi::OsStr;

/// Prefix of Weft's own variables.
const OWN: &str = "WEFT_";

/// Variables that Weft and the libraries under it read, none of which can affect an output: folders
/// of programs, caches and temporary files, make's jobserver, the look of messages, and the ways to
/// servers.
const READ: [&str; 30] = [
    "PATH",
    "HOME",
    "NETRC",
    "XDG_CACHE_HOME",
    "TMPDIR",
    "MAKEFLAGS",
    "MFLAGS",
    "CARGO_MAKEFLAGS",
    "TERM",
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
    "REQUEST_METHOD",
    "TOKIO_WORKER_THREADS",
    "LLVM_PROFILE_FILE",
    "LD_LIBRARY_PATH",
];

/// Whether an executable may have the variable `name` in its environment. All others are removed
/// before LLVM is used, as LLVM reads variables that no action declares.
pub fn is_read(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(OWN.as_bytes()) || READ.iter().any(|read| name == *read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_does_not_stay() {
        let kept = |name: &str| is_read(OsStr::new(name));
        assert!(kept("PATH") && kept("WEFT_CACHE_DIR") && kept("https_proxy"));
        for name in ["LLVM_OVERRIDE_PRODUCER", "PATHS", "", "weft_cache", "NVVM_OPTIONS"] {
            assert!(!kept(name), "{name}");
        }
    }
}
