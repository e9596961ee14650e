//! Ports for servers that cannot tell which port they took.

use std::fs::File;
use std::net::TcpListener;

/// Ports above the well-known ones and below those that Linux assigns by itself.
const PORTS: std::ops::Range<u16> = 20_000..32_000;

/// A port of this machine that no other test takes while this value lives.
///
/// Asking the system for a free port and releasing it again is not enough: gRPC servers share
/// ports, so two servers with the same port would both start, and each would get half of the
/// connections.
#[derive(Debug)]
pub struct Port {
    number: u16,
    _lock: File,
}

impl Port {
    /// Takes a free port.
    pub fn take() -> Self {
        // Test programs that run at the same time start their search at different ports.
        let id = u16::try_from(std::process::id() % 12_000).unwrap_or(0);
        let (before, after) = (PORTS.start..PORTS.start + id, PORTS.start + id..PORTS.end);
        let port = after.chain(before).find_map(Self::try_take);
        port.unwrap_or_else(|| panic!("no port from {} to {} is free", PORTS.start, PORTS.end))
    }

    fn try_take(number: u16) -> Option<Self> {
        let path = std::env::temp_dir().join(format!("weft-test-port-{number}"));
        let lock = File::create(path).ok()?;
        lock.try_lock().ok()?;
        TcpListener::bind(("127.0.0.1", number)).ok()?;
        Some(Self { number, _lock: lock })
    }

    /// Returns the number of the port.
    pub fn number(&self) -> u16 {
        self.number
    }
}
