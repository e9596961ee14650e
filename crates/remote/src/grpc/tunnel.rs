//! Connects to a gRPC server through a proxy, as the usual environment variables request.
//!
//! An HTTP/2 connection cannot pass a proxy as a request does, so the proxy is asked to forward
//! bytes (`CONNECT`), for both encrypted and plain connections.

use std::io;

use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::Matcher;
use tonic::transport::{Channel, Endpoint, Uri};
use tower::{Service, service_fn};

/// Returns a channel that connects at its first use. It goes through the proxy that `HTTPS_PROXY`
/// names for `https` and `HTTP_PROXY` for `http`, or `ALL_PROXY` for both, unless `NO_PROXY` names
/// the server. An error says why the proxy cannot be used.
pub(crate) fn connect_lazily(channel: &Endpoint) -> Result<Channel, String> {
    let Some(proxy) = Matcher::from_env().intercept(channel.uri()) else {
        return Ok(channel.connect_lazy());
    };
    // The matcher has moved user and password out of the URL, so that messages can show it.
    let name = proxy.uri().to_string().trim_end_matches('/').to_owned();
    if proxy.uri().scheme_str() != Some("http") {
        return Err(format!(
            "the proxy {name} cannot be used: gRPC needs one at http://, or NO_PROXY with the \
             server's host"
        ));
    }
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let tunnel = Tunnel::new(proxy.uri().clone(), connector);
    let tunnel = match proxy.basic_auth() {
        Some(authorization) => tunnel.with_auth(authorization.clone()),
        None => tunnel,
    };
    Ok(channel.connect_with_connector_lazy(service_fn(move |server: Uri| {
        let forwarded = tunnel.clone().call(server);
        let name = name.clone();
        async move {
            let failed = |error| io::Error::other(format!("the proxy {name}: {error}"));
            forwarded.await.map_err(failed)
        }
    })))
}
