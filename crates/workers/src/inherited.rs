//! The jobserver that a process inherits: the one line of `unsafe` outside of `device-ir`.

use jobserver::Client;

/// Returns the jobserver that the process was started under, if there is one.
///
/// This must be called before the process opens any file: make names its jobserver by the numbers
/// of inherited file descriptors.
pub(crate) fn inherited() -> Option<Client> {
    #[expect(unsafe_code, reason = "files are named by number; see above")]
    // SAFETY: the process has opened no file yet, so the numbers are those of make's files or of
    // none, and the library checks that the files are pipes.
    unsafe { Client::from_env_ext(true) }.client.ok()
}
