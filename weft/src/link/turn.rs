//! Lets links of one file follow each other.

use std::io::{self, Read as _};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::Path;

use weft_artifact::digest;

/// The right of a link to write a file, until it is dropped.
///
/// A host linker removes the old program before it writes the new one, so a link that checks its
/// program while another writes it would find a part of it, and remove it. A name among the
/// sockets of the machine is held by one process alone, leaves no file, and is free again when the
/// process ends, however it ends.
pub(super) struct Turn {
    _name: UnixListener,
}

impl Turn {
    /// Waits until no other link writes `output`. Returns `None` where the machine has no names for
    /// sockets.
    pub(super) fn wait(output: &Path) -> Option<Self> {
        // A link under another name of the folder writes the same file.
        let absolute = std::path::absolute(output).ok()?;
        let folder = absolute.parent()?.canonicalize().ok()?;
        let file = folder.join(absolute.file_name()?);
        let name = format!("weft link {}", digest(file.as_os_str().as_encoded_bytes()));
        let address = SocketAddr::from_abstract_name(name).ok()?;
        loop {
            match UnixListener::bind_addr(&address) {
                Ok(listener) => return Some(Self { _name: listener }),
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                    // Nobody answers: the connection ends when the other link does.
                    if let Ok(mut other) = UnixStream::connect_addr(&address) {
                        let _ = other.read(&mut [0]);
                    }
                }
                Err(_) => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_link_waits_for_another_of_the_same_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).unwrap();
        let first = Turn::wait(&folder.path().join("app"));
        assert!(first.is_some());
        assert!(Turn::wait(&folder.path().join("other")).is_some());
        let (sender, receiver) = mpsc::channel();
        let second = folder.path().join("again/app");
        std::thread::scope(|scope| {
            scope.spawn(|| sender.send(Turn::wait(&second).is_some()).unwrap());
            assert!(receiver.recv_timeout(Duration::from_millis(50)).is_err());
            drop(first);
            assert!(receiver.recv().unwrap());
        });
    }
}
