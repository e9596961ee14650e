//! Certificates: those of trusted authorities, and the client's own.

use std::path::Path;

use tonic::transport::{Certificate, ClientTlsConfig, Identity};

use crate::error::RemoteError;
use crate::settings::Settings;

/// Contents of the certificate files that the settings name.
pub(crate) struct Certificates {
    ca: Option<Vec<u8>>,
    identity: Option<(Vec<u8>, Vec<u8>)>,
}

impl Certificates {
    /// Reads the files.
    pub(crate) fn read(settings: &Settings) -> Result<Self, RemoteError> {
        let ca = settings.ca.as_deref().map(read).transpose()?;
        let identity = match (settings.cert.as_deref(), settings.key.as_deref()) {
            (None, None) => None,
            (Some(cert), Some(key)) => Some((read(cert)?, read(key)?)),
            _ => {
                let text = "a client certificate needs its key, and a key its certificate";
                return Err(RemoteError::Settings(text.to_owned()));
            }
        };
        Ok(Self { ca, identity })
    }

    /// Returns the configuration for gRPC.
    pub(crate) fn for_grpc(&self) -> ClientTlsConfig {
        let config = match &self.ca {
            Some(ca) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(ca)),
            None => ClientTlsConfig::new().with_native_roots(),
        };
        match &self.identity {
            Some((cert, key)) => config.identity(Identity::from_pem(cert, key)),
            None => config,
        }
    }

    /// Adds the certificates to a client for HTTP.
    pub(crate) fn for_http(
        &self,
        client: reqwest::ClientBuilder,
    ) -> Result<reqwest::ClientBuilder, RemoteError> {
        // reqwest is built without a choice of cryptography, so it gets the one that gRPC uses. An
        // error says that one is installed already, which is fine.
        drop(rustls::crypto::ring::default_provider().install_default());
        let unusable = |what| {
            move |_| RemoteError::Settings(format!("the file with the {what} cannot be used"))
        };
        let mut client = client;
        if let Some(ca) = &self.ca {
            let certificates = reqwest::Certificate::from_pem_bundle(ca);
            client = client.tls_certs_only(certificates.map_err(unusable("trusted certificates"))?);
        }
        if let Some((cert, key)) = &self.identity {
            let both = [cert.as_slice(), b"\n", key].concat();
            let identity = reqwest::Identity::from_pem(&both);
            client = client.identity(identity.map_err(unusable("client certificate"))?);
        }
        Ok(client)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, RemoteError> {
    let content = std::fs::read(path);
    let content = content.map_err(|error| {
        RemoteError::Settings(format!("cannot read {}: {error}", path.display()))
    })?;
    if !content.windows(10).any(|part| part == b"-----BEGIN") {
        return Err(RemoteError::Settings(format!("{} is not a PEM file", path.display())));
    }
    Ok(content)
}
