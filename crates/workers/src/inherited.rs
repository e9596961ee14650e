//! The jobserver that a process inherits: the one line of `unsafe` outside of `device-ir`.

use jobserver::Client;

/// The jobserver that the process was started under, if there is one.
///
/// To be called before the process opens files of its own: make names its jobserver by the numbers of
/// files that are open from the start.
pub(crate) fn inherited() -> Option<Client> {
    #[expect(unsafe_code, reason = "files are named by number; see above")]
    // SAFETY: nothing has been opened yet, so that the numbers are make's or of nothing; the library
    // checks that they are pipes.
    unsafe { Client::from_env_ext(true) }.client.ok()
}
