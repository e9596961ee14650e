//! Addresses of servers, without the credentials that users write into them.

use std::fmt;

use reqwest::Url;

use crate::error::RemoteError;

/// Beginning of the address of a server that listens at a socket of this machine.
const SOCKET: &str = "unix:";

/// The protocol of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Grpc,
    Http,
}

/// The address of a server.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Endpoint {
    pub(crate) protocol: Protocol,
    pub(crate) tls: bool,
    /// `HOST:PORT`; empty for a socket of this machine.
    authority: String,
    /// Path without a slash at its end. For a server without a host, this is the path of its
    /// socket.
    path: String,
    /// Value of the header `authorization`, from `USER:PASSWORD@` in the address.
    pub(crate) authorization: Option<String>,
    pub(crate) is_this_machine: bool,
}

impl Endpoint {
    /// Reads an address that starts with `grpc://`, `grpcs://`, `http://`, `https://` or `unix:`.
    /// The default is `grpcs://`, and `grpc://` on this machine.
    pub(crate) fn parse(address: &str) -> Result<Self, RemoteError> {
        // The address may hold a password, so the message does not include it.
        let refused =
            |what: &str| RemoteError::Settings(format!("the address of a remote server {what}"));
        if let Some(path) = address.strip_prefix(SOCKET) {
            let path = path.strip_prefix("//").unwrap_or(path);
            if !path.starts_with('/') {
                return Err(refused("must name a socket by its absolute path: unix:/PATH"));
            }
            return Ok(Self::of_socket(path));
        }
        let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
        let (protocol, given_tls) = match scheme {
            "grpc" => (Protocol::Grpc, Some(false)),
            "grpcs" => (Protocol::Grpc, Some(true)),
            "http" => (Protocol::Http, Some(false)),
            "https" => (Protocol::Http, Some(true)),
            "" => (Protocol::Grpc, None),
            _ => {
                return Err(refused(
                    "must start with grpc://, grpcs://, http://, https:// or unix:",
                ));
            }
        };
        // The parser finds the parts of a URL only for schemes that it knows.
        let url = Url::parse(&format!("http://{rest}"));
        let url = url.map_err(|error| refused(&format!("is wrong: {error}")))?;
        let host = url.host_str().ok_or_else(|| refused("names no host"))?;
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refused("must not have a query or a fragment: use a header"));
        }
        let path = url.path().trim_end_matches('/').to_owned();
        if protocol == Protocol::Grpc && !path.is_empty() {
            return Err(refused("must not have a path: the instance is an option of its own"));
        }
        let is_this_machine = match url.host() {
            Some(reqwest_host) => is_loopback(&reqwest_host.to_string()),
            None => false,
        };
        let tls = given_tls.unwrap_or(!is_this_machine);
        // The parser took `http` for the scheme, so it omits the port 80.
        let written_port = url.port().or_else(|| rest_has_port_80(rest).then_some(80));
        let port = written_port.unwrap_or(if tls { 443 } else { 80 });
        let authority = format!("{host}:{port}");
        Ok(Self {
            protocol,
            tls,
            authority,
            path,
            authorization: authorization(&url),
            is_this_machine,
        })
    }

    /// Returns the server that listens at a socket of this machine.
    fn of_socket(path: &str) -> Self {
        Self {
            protocol: Protocol::Grpc,
            tls: false,
            authority: String::new(),
            path: path.to_owned(),
            authorization: None,
            is_this_machine: true,
        }
    }

    fn is_socket(&self) -> bool {
        self.authority.is_empty()
    }

    /// Returns the host without its port, as files with passwords name it.
    pub(crate) fn host(&self) -> &str {
        let host = self.authority.rsplit_once(':').map_or("", |(host, _)| host);
        host.trim_start_matches('[').trim_end_matches(']')
    }

    /// Returns the name by which credential helpers know the server. For gRPC this is the one that
    /// Bazel gives them, which always has `https` and never port 443.
    pub(crate) fn uri_for_helpers(&self) -> String {
        match self.protocol {
            Protocol::Grpc if !self.is_socket() => {
                let authority = self.authority.strip_suffix(":443").unwrap_or(&self.authority);
                format!("https://{authority}")
            }
            Protocol::Grpc | Protocol::Http => self.http_url(),
        }
    }

    /// Returns the URL that connections are made to.
    pub(crate) fn http_url(&self) -> String {
        if self.is_socket() {
            return format!("{SOCKET}{}", self.path);
        }
        let scheme = if self.tls { "https" } else { "http" };
        format!("{scheme}://{}{}", self.authority, self.path)
    }
}

/// The address as users write it, without credentials.
impl fmt::Display for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_socket() {
            return formatter.write_str(&self.http_url());
        }
        let scheme = match (self.protocol, self.tls) {
            (Protocol::Grpc, false) => "grpc",
            (Protocol::Grpc, true) => "grpcs",
            (Protocol::Http, false) => "http",
            (Protocol::Http, true) => "https",
        };
        write!(formatter, "{scheme}://{}{}", self.authority, self.path)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let by_number = address.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    by_number || host == "localhost" || host.ends_with(".localhost")
}

fn rest_has_port_80(rest: &str) -> bool {
    let authority = rest.split('/').next().unwrap_or_default();
    authority.ends_with(":80")
}

fn authorization(url: &Url) -> Option<String> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let user = percent_decoded(url.username());
    let password = percent_decoded(url.password().unwrap_or_default());
    Some(basic(user, password))
}

/// Returns the value of the header `authorization` for a user with a password.
pub(crate) fn basic(user: Vec<u8>, password: Vec<u8>) -> String {
    format!("Basic {}", base64(&[user, password].join(&b':')))
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut decoded = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(value) if byte == b'%' => {
                decoded.push(value);
                rest = &after[2..];
            }
            _ => {
                decoded.push(byte);
                rest = after;
            }
        }
    }
    decoded
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let at = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for index in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * index) & 63) as usize];
            text.push(if index > group.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_shown_without_credentials() {
        for (address, shown, url) in [
            ("grpc://host:8980", "grpc://host:8980", "http://host:8980"),
            ("grpcs://host", "grpcs://host:443", "https://host:443"),
            ("host:80", "grpcs://host:80", "https://host:80"),
            ("localhost:8980", "grpc://localhost:8980", "http://localhost:8980"),
            ("[::1]:1", "grpc://[::1]:1", "http://[::1]:1"),
            ("http://u:pw@host/a/b/", "http://host:80/a/b", "http://host:80/a/b"),
            ("https://host:80", "https://host:80", "https://host:80"),
            ("unix:/run/casd", "unix:/run/casd", "unix:/run/casd"),
            ("unix:///run/casd", "unix:/run/casd", "unix:/run/casd"),
        ] {
            let endpoint = Endpoint::parse(address).unwrap();
            assert_eq!((endpoint.to_string().as_str(), endpoint.http_url().as_str()), (shown, url));
            assert_eq!(format!("{endpoint:?}"), shown);
        }
        let endpoint = Endpoint::parse("https://Aladdin:open%20sesame@host").unwrap();
        let expected = "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==";
        assert_eq!(endpoint.authorization.as_deref(), Some(expected));
    }

    #[test]
    fn helpers_and_files_know_servers_by_their_hosts() {
        for (address, host, uri) in [
            ("grpc://host:8980", "host", "https://host:8980"),
            ("grpcs://host", "host", "https://host"),
            ("http://host/a", "host", "http://host:80/a"),
            ("grpc://[::1]:1", "::1", "https://[::1]:1"),
            ("unix:/run/casd", "", "unix:/run/casd"),
        ] {
            let endpoint = Endpoint::parse(address).unwrap();
            assert_eq!((endpoint.host(), endpoint.uri_for_helpers().as_str()), (host, uri));
        }
    }

    #[test]
    fn what_is_no_address_is_refused_without_repeating_it() {
        for address in [
            "ftp://u:secret@host",
            "grpc://u:secret@",
            "grpc://u:secret@host/x",
            "http://h?secret",
            "unix:secret",
        ] {
            let text = Endpoint::parse(address).unwrap_err().to_string();
            assert!(!text.contains("secret"), "{text}");
        }
    }

    #[test]
    fn only_this_machine_is_this_machine() {
        for (address, expected) in [
            ("localhost:1", true),
            ("127.3.2.1:1", true),
            ("[::1]:1", true),
            ("localhost.example.com:1", false),
            ("10.0.0.1:1", false),
        ] {
            assert_eq!(Endpoint::parse(address).unwrap().is_this_machine, expected, "{address}");
        }
    }
}
