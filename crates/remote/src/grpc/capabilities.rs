//! Agrees on terms with servers, from the capabilities that they offer.

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::build::bazel::semver::SemVer;
use prost::Message as _;
use reapi::capabilities_client::CapabilitiesClient;

use crate::digest::DigestFunction;
use crate::error::RemoteError;
use crate::grpc::link::Link;
use crate::messages::Dialect;
use crate::network::meter::Meter;
use crate::notes::Notes;
use crate::settings::Settings;

/// Size of messages that every server accepts, less the room for all that is not a blob.
const USUAL_BATCH: u64 = (4 << 20) - (128 << 10);

/// The terms of the calls to a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    pub(crate) dialect: Dialect,
    /// Largest sum of the sizes of blobs in one message.
    pub(crate) batch: u64,
    /// Size of the largest blob, if there is a limit.
    pub(crate) largest_blob: Option<u64>,
    /// Whether streams may hold Zstandard frames.
    pub(crate) zstd: bool,
    /// Whether results may be stored.
    pub(crate) takes_results: bool,
    pub(crate) executes: bool,
}

/// Returns the capabilities of a server, which another process may have noted.
pub(crate) async fn learn(
    link: &Link,
    settings: &Settings,
    meter: &Meter,
) -> Result<reapi::ServerCapabilities, RemoteError> {
    let notes = Notes::new(settings.notes.as_deref());
    let subject = subject(link, &settings.instance);
    let earlier = notes.offered(&subject);
    if let Some(Ok(offered)) = earlier.map(|offer| reapi::ServerCapabilities::decode(&offer[..])) {
        return Ok(offered);
    }
    let offered = ask(link, &settings.instance, meter).await?;
    notes.note_offer(&subject, &offered.encode_to_vec());
    Ok(offered)
}

/// Returns the name under which the capabilities of a server are noted.
pub(crate) fn subject(link: &Link, instance: &str) -> String {
    format!("{}\n{instance}", link.server.name)
}

/// Asks a server for its capabilities.
pub(crate) async fn ask(
    link: &Link,
    instance: &str,
    meter: &Meter,
) -> Result<reapi::ServerCapabilities, RemoteError> {
    let request = reapi::GetCapabilitiesRequest { instance_name: instance.to_owned() };
    let answer = link.call(meter, &request, async |channel, request| {
        CapabilitiesClient::new(channel).get_capabilities(request).await
    });
    answer.await.map_err(|failure| link.error("GetCapabilities", &failure))
}

impl Terms {
    /// Agrees with a server for content and results, and with an executor if there is one, which
    /// may be the same server. The error is the missing feature.
    pub(crate) fn agree(
        cache: &reapi::ServerCapabilities,
        executor: Option<&reapi::ServerCapabilities>,
        settings: &Settings,
    ) -> Result<Self, String> {
        let highest = [Some(cache), executor].into_iter().flatten().map(highest_version);
        let highest = highest.collect::<Result<Vec<_>, _>>()?.into_iter().min().unwrap_or((2, 0));
        let caching = cache.cache_capabilities.as_ref().ok_or("a content store")?;
        let execution =
            executor.map(|server| server.execution_capabilities.clone().unwrap_or_default());
        if execution.as_ref().is_some_and(|execution| !execution.exec_enabled) {
            return Err("execution for this instance and user".to_owned());
        }
        let digest_function = digest_function(caching, execution.as_ref(), settings)?;
        let batch = match u64::try_from(caching.max_batch_total_size_bytes) {
            Ok(limit) if limit > 0 => limit.min(USUAL_BATCH),
            _ => USUAL_BATCH,
        };
        let zstd: i32 = reapi::compressor::Value::Zstd.into();
        let updates = caching.action_cache_update_capabilities.as_ref();
        Ok(Self {
            dialect: Dialect { digest_function, old_outputs: highest < (2, 1) },
            batch,
            largest_blob: u64::try_from(caching.max_cas_blob_size_bytes)
                .ok()
                .filter(|size| *size > 0),
            zstd: settings.compress && caching.supported_compressors.contains(&zstd),
            takes_results: updates.is_some_and(|updates| updates.update_enabled),
            executes: execution.is_some(),
        })
    }
}

/// Returns the function by which both servers name content: the one that the settings demand, else
/// the one that the executor says it uses, else SHA-256. A server that lists BLAKE3 may know it and
/// verify by SHA-256 all the same, so BLAKE3 is taken on its own only where nothing else is listed.
fn digest_function(
    caching: &reapi::CacheCapabilities,
    execution: Option<&reapi::ExecutionCapabilities>,
    settings: &Settings,
) -> Result<DigestFunction, String> {
    let mut offered = numbers(&caching.digest_functions);
    let mut executors_own = None;
    if let Some(execution) = execution {
        executors_own = Some(execution.digest_function).filter(|number| *number != 0);
        let mut listed = execution.digest_functions.clone();
        listed.extend(executors_own);
        let listed = numbers(&listed);
        offered.retain(|function| listed.contains(function));
    }
    let mut known =
        DigestFunction::ALL.into_iter().filter(|function| offered.contains(&function.wire()));
    if let Some(demanded) = settings.digest_function {
        let lacks = || format!("{} as digest function, which is set", demanded.name());
        return known.find(|function| *function == demanded).ok_or_else(lacks);
    }
    let known: Vec<DigestFunction> = known.collect();
    let named = known.iter().find(|function| Some(function.wire()) == executors_own);
    let chosen = named.or(known.first()).copied();
    chosen.ok_or_else(|| "SHA-256 or BLAKE3 as digest function".to_owned())
}

/// Returns the newest version of the protocol that the server speaks. Weft speaks all of version 2.
fn highest_version(server: &reapi::ServerCapabilities) -> Result<(i32, i32), String> {
    let pair = |version: &SemVer| (version.major, version.minor);
    let lowest = server.deprecated_api_version.as_ref().or(server.low_api_version.as_ref());
    let highest = server.high_api_version.as_ref().map_or((2, 0), pair);
    if lowest.map_or((2, 0), pair) >= (3, 0) || highest < (2, 0) {
        return Err("version 2 of the Remote Execution API".to_owned());
    }
    Ok(highest)
}

/// Returns the numbers of the digest functions. A server that names none knows SHA-256 alone.
fn numbers(functions: &[i32]) -> Vec<i32> {
    let known: Vec<i32> = functions.iter().copied().filter(|number| *number != 0).collect();
    if known.is_empty() { vec![DigestFunction::Sha256.wire()] } else { known }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(digest_functions: &[DigestFunction], high: (i32, i32)) -> reapi::ServerCapabilities {
        let functions: Vec<i32> = digest_functions.iter().map(|function| function.wire()).collect();
        let version = |(major, minor)| SemVer { major, minor, ..SemVer::default() };
        reapi::ServerCapabilities {
            cache_capabilities: Some(reapi::CacheCapabilities {
                digest_functions: functions.clone(),
                ..reapi::CacheCapabilities::default()
            }),
            execution_capabilities: Some(reapi::ExecutionCapabilities {
                digest_functions: functions,
                exec_enabled: true,
                ..reapi::ExecutionCapabilities::default()
            }),
            low_api_version: Some(version((2, 0))),
            high_api_version: Some(version(high)),
            ..reapi::ServerCapabilities::default()
        }
    }

    #[test]
    fn terms_follow_from_what_is_offered() {
        use DigestFunction::{Blake3, Sha256};
        let both = server(&[Sha256, Blake3], (2, 12));
        let old = server(&[Sha256], (2, 0));
        let settings = Settings::default();
        let terms = Terms::agree(&both, Some(&both), &settings).unwrap();
        assert_eq!(terms.dialect, Dialect { digest_function: Sha256, old_outputs: false });
        assert_eq!((terms.batch, terms.zstd, terms.takes_results), (USUAL_BATCH, false, false));
        let terms = Terms::agree(&both, Some(&old), &settings).unwrap();
        assert_eq!(terms.dialect, Dialect { digest_function: Sha256, old_outputs: true });
        let silent = server(&[], (2, 3));
        let terms = Terms::agree(&silent, None, &settings).unwrap();
        assert_eq!(terms.dialect.digest_function, Sha256);
    }

    #[test]
    fn the_digest_function_is_the_executors_or_the_users() {
        use DigestFunction::{Blake3, Sha256};
        let own = |function: DigestFunction, listed: &[DigestFunction]| {
            let mut server = server(listed, (2, 12));
            if let Some(execution) = &mut server.execution_capabilities {
                execution.digest_functions = Vec::new();
                execution.digest_function = function.wire();
            }
            server
        };
        let demand = |digest_function| Settings { digest_function, ..Settings::default() };
        let chosen = |server: &reapi::ServerCapabilities, demanded| {
            let terms = Terms::agree(server, Some(server), &demand(demanded));
            terms.map(|terms| terms.dialect.digest_function)
        };
        for function in [Sha256, Blake3] {
            let server = own(function, &[Blake3, Sha256]);
            assert_eq!(chosen(&server, None), Ok(function));
            assert_eq!(chosen(&server, Some(function)), Ok(function));
        }
        assert_eq!(chosen(&server(&[Blake3], (2, 12)), None), Ok(Blake3));
        let both = server(&[Sha256, Blake3], (2, 12));
        assert_eq!(chosen(&both, Some(Blake3)), Ok(Blake3));
        let text = chosen(&server(&[Sha256], (2, 12)), Some(Blake3)).unwrap_err();
        assert_eq!(text, "blake3 as digest function, which is set");
    }

    #[test]
    fn what_is_missing_is_named() {
        let mut disabled = server(&[DigestFunction::Sha256], (2, 3));
        disabled.execution_capabilities = None;
        let mut foreign = server(&[], (2, 3));
        if let Some(cache) = &mut foreign.cache_capabilities {
            cache.digest_functions = vec![reapi::digest_function::Value::Md5.into()];
        }
        for (server, part) in [
            (disabled, "execution"),
            (foreign, "SHA-256"),
            (server(&[], (1, 0)), "version 2"),
            (reapi::ServerCapabilities::default(), "content store"),
        ] {
            let text = Terms::agree(&server, Some(&server), &Settings::default()).unwrap_err();
            assert!(text.contains(part), "{text}");
        }
    }
}
