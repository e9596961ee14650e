//! Ports for servers that cannot say which one they took.

use std::fs::File;
use std::net::TcpListener;

/// Below the ports that Linux gives out by itself, above those with names.
const PORTS: std::ops::Range<u16> = 20_000..32_000;

/// A port of this machine that no other test takes while this value lives.
///
/// To ask the system for a free one and give it back is not enough: gRPC servers share ports, so
/// two that were given the same one would both start, and each get half of the connections.
#[derive(Debug)]
pub struct Port {
    number: u16,
    _lock: File,
}

impl Port {
    /// A free port.
    pub fn take() -> Self {
        // Programs that run at the same time start to look at different places.
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

    /// Its number.
    pub fn number(&self) -> u16 {
        self.number
    }
}
