//! The options, variables and settings of other machines that have results or make them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use weft_action::{Platforms, RemoteSettings, credential_helper, find_program};
use weft_remote::digest::DigestFunction;
use weft_remote::{CredentialHelper, Settings};

use crate::fault::{Fault, failure};
use crate::invocation::invocation;
use crate::settings_file::RemoteSection;
use crate::variables::{Variables, first, flag, list, number, parsed};

/// Options of other machines.
///
/// Each option has a variable, such as `WEFT_REMOTE_CACHE` for `--remote-cache`, and a line in
/// `[remote]` of the settings file, such as `cache`. Values of headers are never shown.
///
/// Some values hold credentials, such as an address with a password. So a job that is saved to be
/// shared has none of these options, which also holds for options that are added here.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RemoteArguments {
    /// Run all phases on the REAPI cluster at this address, such as `grpcs://host:8980`
    ///
    /// Its caches serve too. Also `WEFT_REMOTE_EXECUTOR`, or `executor` in `[remote]` of the
    /// settings file, and so on for the options that follow. An empty address turns it off.
    #[arg(long, value_name = "URL", conflicts_with = "no_cache")]
    remote_executor: Option<Secret>,
    /// Take results of the phases that take long from the cache at this address, and leave them
    /// there
    ///
    /// grpc://, grpcs://, http:// or https://. With `--cache all` it is for all phases. Also
    /// `WEFT_REMOTE_CACHE`.
    #[arg(long, value_name = "URL", conflicts_with = "no_cache")]
    remote_cache: Option<Secret>,
    /// Name of the instance, where a server has several
    #[arg(long, value_name = "NAME")]
    remote_instance: Option<String>,
    /// A header for every call, such as an API key; may be given again
    ///
    /// `WEFT_REMOTE_HEADERS` has one in each line; it keeps keys off command lines, which others on
    /// the machine can see.
    #[arg(long = "remote-header", value_name = "NAME=VALUE")]
    remote_headers: Vec<Secret>,
    /// A header for calls to the cache alone; may be given again
    ///
    /// `WEFT_REMOTE_CACHE_HEADERS` has one in each line.
    #[arg(long = "remote-cache-header", value_name = "NAME=VALUE")]
    remote_cache_headers: Vec<Secret>,
    /// A header for calls to the executor alone; may be given again
    ///
    /// `WEFT_REMOTE_EXECUTOR_HEADERS` has one in each line.
    #[arg(long = "remote-executor-header", value_name = "NAME=VALUE")]
    remote_executor_headers: Vec<Secret>,
    /// A file with a header NAME=VALUE in each line, for every call
    ///
    /// It is read again when a server refuses the credentials, so that it may be replaced in the
    /// middle of a build.
    #[arg(long, value_name = "FILE")]
    remote_header_file: Option<PathBuf>,
    /// A program that knows headers for servers, by Bazel's protocol for credential helpers
    ///
    /// It is started with the argument `get`, and again when its headers have expired or a server
    /// refuses them.
    #[arg(long, value_name = "PROGRAM")]
    remote_credential_helper: Option<PathBuf>,
    /// A property that a worker must have, in the cluster's words; may be given again
    ///
    /// A phase before it, such as `codegen:`, says that it is for that phase alone, where it stands
    /// instead of one with the same name. `WEFT_REMOTE_PLATFORM` has one in each line.
    #[arg(long, value_name = "[PHASE:]NAME=VALUE")]
    remote_platform: Vec<String>,
    /// A property of the workers that have this much memory; may be given again
    ///
    /// Codegen and assemble go to workers of the smallest size that holds 64M and 300 times the
    /// size of their inputs, and the other phases to the smallest of all. An action that runs out
    /// of memory is tried once more with the next size. `WEFT_REMOTE_MEMORY_CLASSES` has one in
    /// each line.
    #[arg(long = "remote-memory-class", value_name = "SIZE:NAME=VALUE")]
    remote_memory_classes: Vec<String>,
    /// The longest silence of a server in one call, in seconds [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    remote_timeout: Option<u64>,
    /// The longest until a server's first answer, in seconds [default: 3]
    ///
    /// A cache that takes longer counts as down for a while, for all processes of the build.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    remote_connect_timeout: Option<u64>,
    /// The longest that one execution may take, with its time in the queue, in seconds [default: no
    /// limit]
    ///
    /// Then the cluster is told to end it.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    remote_deadline: Option<u64>,
    /// How important executions and their results are, in the cluster's numbers [default: 0]
    ///
    /// Of lower numbers executions run sooner, and results stay longer.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    remote_priority: Option<i32>,
    /// The function by which servers name content, sha256 or blake3 [default: the one that the
    /// executor names, else sha256]
    #[arg(long, value_name = "NAME")]
    remote_digest_function: Option<DigestFunction>,
    /// Name of the build that this process is a part of, by which a cluster's pages show its calls
    ///
    /// Also `WEFT_REMOTE_INVOCATION`; no line of the settings file, as each build has its own. By
    /// default it follows from make's jobserver, or from the program that started this one.
    #[arg(long, value_name = "ID")]
    remote_invocation: Option<String>,
    /// Whether results that were made here go to the remote cache [default: true]
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    remote_upload: Option<bool>,
    /// Neither take results from servers nor leave them there: a cluster runs everything anew
    /// [default: false]
    ///
    /// The local cache is asked first all the same, unless `--cache off` is given too.
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    remote_do_not_cache: Option<bool>,
    /// Text that makes every action another one for servers: with a new one nothing old is found
    #[arg(long, value_name = "TEXT")]
    remote_salt: Option<String>,
    /// Run here what the cluster fails to run, and say so; else that is an error
    /// [default: false]
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    remote_fallback: Option<bool>,
    /// Certificates to trust, instead of the system's, as a PEM file
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// This client's certificate, as a PEM file
    #[arg(long, value_name = "FILE")]
    tls_cert: Option<PathBuf>,
    /// The key of `--tls-cert`, as a PEM file
    #[arg(long, value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// The most executions of this process in the cluster at a time [default: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    jobs: Option<u64>,
}

/// A header, or an address that may hold a password: no message and no debugging output shows it.
#[derive(Clone)]
struct Secret(String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("(not shown)")
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl RemoteArguments {
    /// Returns the settings, if any server is set.
    pub(crate) fn resolve(
        &self,
        environment: &Variables,
        file: &RemoteSection,
    ) -> anyhow::Result<Option<RemoteSettings>> {
        let text = |given: &Option<String>, variable: &str, in_file: &Option<String>| {
            let named = || environment(variable).map(|text| text.to_string_lossy().into_owned());
            given.clone().or_else(named).or_else(|| in_file.clone()).filter(|text| !text.is_empty())
        };
        let address = |given: &Option<Secret>, variable: &str, in_file: &Option<String>| {
            text(&given.as_ref().map(|secret| secret.0.clone()), variable, in_file)
        };
        let executor = address(&self.remote_executor, "WEFT_REMOTE_EXECUTOR", &file.executor);
        let cache = address(&self.remote_cache, "WEFT_REMOTE_CACHE", &file.cache);
        if executor.is_none() && cache.is_none() {
            return Ok(None);
        }
        let default = self.credentials(environment, file)?;
        let platform =
            list(self.remote_platform.clone(), environment, "WEFT_REMOTE_PLATFORM", &file.platform);
        let memory_classes = list(
            self.remote_memory_classes.clone(),
            environment,
            "WEFT_REMOTE_MEMORY_CLASSES",
            &file.memory_classes,
        );
        let platforms = Platforms::parse(&platform, &memory_classes)
            .map_err(|text| failure(Fault::Usage, text))?;
        let timeout =
            number(self.remote_timeout, environment, "WEFT_REMOTE_TIMEOUT", file.timeout)?;
        let connect_timeout = number(
            self.remote_connect_timeout,
            environment,
            "WEFT_REMOTE_CONNECT_TIMEOUT",
            file.connect_timeout,
        )?;
        let deadline =
            number(self.remote_deadline, environment, "WEFT_REMOTE_DEADLINE", file.deadline)?;
        let priority = parsed(
            self.remote_priority,
            environment,
            "WEFT_REMOTE_PRIORITY",
            file.priority,
            "is no whole number",
            |text| text.parse().ok(),
        )?;
        let digest_function = first(
            self.remote_digest_function,
            environment,
            "WEFT_REMOTE_DIGEST_FUNCTION",
            "remote.digest-function",
            file.digest_function.as_deref(),
        )?;
        let given = text(&self.remote_invocation, "WEFT_REMOTE_INVOCATION", &None);
        let do_not_cache = flag(
            self.remote_do_not_cache,
            environment,
            "WEFT_REMOTE_DO_NOT_CACHE",
            file.do_not_cache,
        )?;
        let upload = flag(self.remote_upload, environment, "WEFT_REMOTE_UPLOAD", file.upload)?;
        let fallback =
            flag(self.remote_fallback, environment, "WEFT_REMOTE_FALLBACK", file.fallback)?;
        let jobs = number(self.jobs, environment, "WEFT_JOBS", file.jobs)?;
        let client = Settings {
            executor,
            cache,
            instance: text(&self.remote_instance, "WEFT_REMOTE_INSTANCE", &file.instance)
                .unwrap_or_default(),
            timeout: timeout.map_or(default.timeout, Duration::from_secs),
            connect_timeout: connect_timeout.map_or(default.connect_timeout, Duration::from_secs),
            deadline: deadline.map(Duration::from_secs),
            priority: priority.unwrap_or_default(),
            upload: upload.unwrap_or(default.upload),
            digest_function,
            invocation: invocation(given, environment),
            jobs: jobs.map_or(default.jobs, |jobs| usize::try_from(jobs).unwrap_or(default.jobs)),
            ..default
        };
        client.check().map_err(|error| failure(Fault::Usage, error.to_string()))?;
        Ok(Some(RemoteSettings {
            client,
            platforms,
            do_not_cache: do_not_cache.unwrap_or_default(),
            salt: text(&self.remote_salt, "WEFT_REMOTE_SALT", &file.salt).unwrap_or_default(),
            fallback: fallback.unwrap_or_default(),
            is_cache_only: false,
        }))
    }

    /// Returns the settings by which servers know this client, and this client servers; all others
    /// have their defaults.
    fn credentials(
        &self,
        environment: &Variables,
        file: &RemoteSection,
    ) -> anyhow::Result<Settings> {
        let headers = |given: &[Secret], variable: &str, in_file: &[String]| {
            let given = given.iter().map(|secret| secret.0.clone()).collect();
            pairs(&list(given, environment, variable, in_file), "a remote header")
        };
        let path = |given: &Option<PathBuf>, variable: &str, in_file: &Option<PathBuf>| {
            path(environment, given.as_ref(), variable, in_file.as_ref())
        };
        let helper = path(
            &self.remote_credential_helper,
            "WEFT_REMOTE_CREDENTIAL_HELPER",
            &file.credential_helper,
        );
        Ok(Settings {
            headers: headers(&self.remote_headers, "WEFT_REMOTE_HEADERS", &file.headers)?,
            cache_headers: headers(
                &self.remote_cache_headers,
                "WEFT_REMOTE_CACHE_HEADERS",
                &file.cache_headers,
            )?,
            executor_headers: headers(
                &self.remote_executor_headers,
                "WEFT_REMOTE_EXECUTOR_HEADERS",
                &file.executor_headers,
            )?,
            header_file: path(
                &self.remote_header_file,
                "WEFT_REMOTE_HEADER_FILE",
                &file.header_file,
            ),
            credential_helper: helper.map(|path| found(&path, environment)).transpose()?,
            netrc: netrc(environment),
            ca: path(&self.tls_ca, "WEFT_TLS_CA", &file.tls_ca),
            cert: path(&self.tls_cert, "WEFT_TLS_CERT", &file.tls_cert),
            key: path(&self.tls_key, "WEFT_TLS_KEY", &file.tls_key),
            ..Settings::default()
        })
    }
}

/// Returns the path that is given, else that of the variable, else the settings file's.
fn path(
    environment: &Variables,
    given: Option<&PathBuf>,
    variable: &str,
    in_file: Option<&PathBuf>,
) -> Option<PathBuf> {
    let named = || environment(variable).map(PathBuf::from);
    given.cloned().or_else(named).or_else(|| in_file.cloned())
}

/// Returns the credential helper at `path`, or of this name on the search path.
fn found(path: &Path, environment: &Variables) -> anyhow::Result<CredentialHelper> {
    let program = find_program(path, environment("PATH").as_deref());
    let missing = || {
        let text = format!("the credential helper {} is not there", path.display());
        failure(Fault::Environment, text)
    };
    Ok(credential_helper(program.ok_or_else(missing)?))
}

/// Returns the file in which programs for the network look for passwords.
fn netrc(environment: &Variables) -> Option<PathBuf> {
    let in_home = || Some(PathBuf::from(environment("HOME")?).join(".netrc"));
    environment("NETRC").map(PathBuf::from).or_else(in_home)
}

/// Splits texts into names and values. A value may be a secret, so no message shows it.
fn pairs(texts: &[String], what: &str) -> anyhow::Result<Vec<(String, String)>> {
    let pair = |text: &String| {
        let (name, value) = text
            .split_once('=')
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| failure(Fault::Usage, format!("{what} must be given as NAME=VALUE")))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    texts.iter().map(pair).collect()
}
