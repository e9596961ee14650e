//! The client for clusters and caches against real servers (both versions of buildbox-casd, and
//! nginx), builds whose steps use them, and `weft distribute`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod addresses;
mod blake3;
mod builds;
mod cache;
mod compressing;
mod conformance;
mod credentials;
mod distribute;
mod down;
mod execution;
mod faults;
mod full;
mod http_cache;
mod http_proxy;
mod ingress;
mod labels;
mod messages;
mod platforms;
mod proxy;
mod slow;
mod stages;
mod steps;
mod support;
mod tls;
