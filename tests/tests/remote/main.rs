//! The client for clusters and caches against real ones: both versions of buildbox-casd, and nginx.

mod cache;
mod conformance;
mod execution;
mod faults;
mod http_cache;
mod proxy;
mod support;
mod tls;
