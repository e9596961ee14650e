//! Repeats calls whose failure may be temporary, with growing waits between the attempts.

use std::error::Error;
use std::time::Duration;

use bazel_remote_apis::google::{protobuf, rpc};
use prost::Message;
use tonic::{Code, Status};

use crate::random;
use crate::settings::Settings;

/// A failed attempt, of either protocol.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) message: String,
    /// Whether there was no connection, or it broke.
    pub(crate) is_connection: bool,
    /// Whether another attempt would end the same way, regardless of the code.
    pub(crate) is_final: bool,
    /// Whether the credentials were refused and there are new ones.
    pub(crate) is_renewed: bool,
    /// Wait that the server asks for.
    pub(crate) delay: Option<Duration>,
    /// Names of the blobs that the server lacks.
    pub(crate) missing: Vec<String>,
}

/// Limits of the attempts at one call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    /// Number of attempts after the first one.
    pub(crate) retries: u32,
    /// Longest silence of the server in one attempt.
    pub(crate) timeout: Duration,
    /// Longest time for all attempts together.
    pub(crate) total: Duration,
}

/// Wait before the second attempt; each further wait is twice as long.
const FIRST_DELAY: Duration = Duration::from_millis(100);
/// Longest wait that the client chooses itself.
const LONGEST_DELAY: Duration = Duration::from_secs(5);
/// Number of bytes after which the time limit of a transfer grows by one timeout.
const BYTES_PER_TIMEOUT: u64 = 16 << 20;
/// Number of times that a call is repeated after the server was silent for the whole timeout.
const REPEATS_OF_SILENCE: u32 = 1;
/// Longest wait that a server may ask for.
const LONGEST_ASKED_DELAY: Duration = Duration::from_mins(1);

impl Policy {
    /// Returns the limits that the settings give.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self { retries: settings.retries, timeout: settings.timeout, total: Duration::MAX }
    }

    /// Returns the longest time for one attempt to transfer `bytes`, however steadily they come: a
    /// server that sends a byte now and then is never silent and never done.
    pub(crate) fn time_for(&self, bytes: u64) -> Duration {
        let factor = u32::try_from(1 + bytes / BYTES_PER_TIMEOUT).unwrap_or(u32::MAX);
        self.timeout.saturating_mul(factor)
    }
}

impl Failure {
    /// Creates a failure that the client found itself.
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            is_connection: false,
            is_final: false,
            is_renewed: false,
            delay: None,
            missing: Vec::new(),
        }
    }

    /// Creates the failure for a broken or absent connection.
    pub(crate) fn connection(error: &(dyn Error + 'static)) -> Self {
        let message = causes(error);
        let is_final = is_about_certificates(&message) || is_about_no_tls(&message);
        Self { is_connection: true, is_final, ..Self::new(Code::Unavailable, message) }
    }

    /// Creates the failure for an answer that did not come in time.
    pub(crate) fn timeout() -> Self {
        Self::new(Code::DeadlineExceeded, "no answer in time")
    }

    /// Returns this failure with the wait that the server asks for.
    pub(crate) fn after(self, delay: Option<Duration>) -> Self {
        Self { delay, ..self }
    }

    /// Converts a status inside of a response.
    pub(crate) fn of_message(status: &rpc::Status) -> Self {
        let mut failure = Self::new(Code::from(status.code), status.message.clone());
        for detail in &status.details {
            failure.take_detail(detail);
        }
        failure
    }

    /// Converts the failure to the status of a response.
    pub(crate) fn into_status(self) -> Status {
        let details = self.delay.map(|delay| {
            let retry_delay = Some(protobuf::Duration {
                seconds: i64::try_from(delay.as_secs()).unwrap_or(i64::MAX),
                nanos: i32::try_from(delay.subsec_nanos()).unwrap_or(0),
            });
            let type_url = "type.googleapis.com/google.rpc.RetryInfo".to_owned();
            protobuf::Any { type_url, value: RetryInfo { retry_delay }.encode_to_vec() }
        });
        let details = rpc::Status { details: details.into_iter().collect(), ..Default::default() };
        Status::with_details(self.code, self.message, details.encode_to_vec().into())
    }

    fn take_detail(&mut self, detail: &protobuf::Any) {
        if detail.type_url.ends_with("/google.rpc.RetryInfo") {
            let info = RetryInfo::decode(detail.value.as_slice()).unwrap_or_default();
            self.delay = info.retry_delay.map(|delay| {
                let seconds = u64::try_from(delay.seconds).unwrap_or(0);
                Duration::new(seconds, u32::try_from(delay.nanos).unwrap_or(0))
            });
        }
        if detail.type_url.ends_with("/google.rpc.PreconditionFailure") {
            let failed = PreconditionFailure::decode(detail.value.as_slice()).unwrap_or_default();
            let missing =
                failed.violations.into_iter().filter(|violation| violation.r#type == "MISSING");
            self.missing.extend(missing.map(|violation| violation.subject));
        }
    }

    /// Whether a server refuses to keep content because it has no room for it. One that is only
    /// busy says when to come back.
    pub(crate) fn is_about_room(&self) -> bool {
        self.code == Code::ResourceExhausted && self.delay.is_none()
    }

    /// Returns the failure of a call that sends content, which is in vain while there is no room.
    pub(crate) fn of_sending(status: Status) -> Self {
        let failure = Self::from(status);
        Self { is_final: failure.is_final || failure.is_about_room(), ..failure }
    }

    /// Whether the same call may succeed at another time.
    pub(crate) fn is_temporary(&self) -> bool {
        self.is_renewed
            || !self.is_final
                && matches!(
                    self.code,
                    Code::Unavailable
                        | Code::ResourceExhausted
                        | Code::Aborted
                        | Code::Internal
                        | Code::Unknown
                        | Code::DeadlineExceeded
                        | Code::Cancelled
                        | Code::DataLoss
                )
    }

    /// Returns the wait before retry number `attempt`, counted from 1. It doubles each time, and
    /// differs a little between callers, so that they do not all come back at once.
    pub(crate) fn delay(&self, attempt: u32) -> Duration {
        if self.is_renewed {
            return Duration::ZERO;
        }
        let doubled = FIRST_DELAY.saturating_mul(1 << attempt.saturating_sub(1).min(10));
        let own = doubled.min(LONGEST_DELAY);
        let half = own / 2;
        let microseconds = u64::try_from(half.as_micros()).unwrap_or(u64::MAX);
        let spread = half + Duration::from_micros(random::number() % microseconds.max(1));
        self.delay.map_or(spread, |asked| asked.min(LONGEST_ASKED_DELAY) + spread / 4)
    }

    /// Returns the message and the code as one text.
    pub(crate) fn reason(&self) -> String {
        let code = self.code.description();
        if self.message.is_empty() { code.to_owned() } else { format!("{} ({code})", self.message) }
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        let cause = status.source().map(causes).filter(|text| !text.is_empty());
        let mut failure = Self::new(status.code(), cause.as_deref().unwrap_or(status.message()));
        failure.is_connection = cause.is_some();
        failure.is_final = cause.is_some()
            && (is_about_certificates(&failure.message) || is_about_no_tls(&failure.message));
        if failure.is_connection && failure.code == Code::Unknown {
            failure.code = Code::Unavailable;
        }
        if let Ok(details) = rpc::Status::decode(status.details()) {
            for detail in &details.details {
                failure.take_detail(detail);
            }
        }
        failure
    }
}

/// Repeats `attempt` until it succeeds, fails for good, has failed too often or the time for all
/// attempts is over.
pub(crate) async fn retry<T>(
    policy: Policy,
    mut attempt: impl AsyncFnMut() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let (mut number, mut silences) = (0, 0);
    let mut last = None;
    let attempts = async {
        loop {
            let answer = tokio::time::timeout(policy.timeout, attempt()).await;
            let failure = match answer.unwrap_or_else(|_| Err(Failure::timeout())) {
                Ok(value) => return Ok(value),
                Err(failure) => failure,
            };
            number += 1;
            silences += u32::from(failure.code == Code::DeadlineExceeded);
            let is_last = number > policy.retries || silences > REPEATS_OF_SILENCE;
            if !failure.is_temporary() || is_last {
                return Err(failure);
            }
            let delay = failure.delay(number);
            last = Some(failure);
            tokio::time::sleep(delay).await;
        }
    };
    let answer = tokio::time::timeout(policy.total, attempts).await;
    answer.unwrap_or_else(|_| Err(last.unwrap_or_else(Failure::timeout)))
}

/// Returns all causes of an error in one line, without the text that a cause shares with an outer
/// one.
fn causes(error: &(dyn Error + 'static)) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let text = error.to_string();
        if !parts.iter().any(|part| part.contains(&text)) {
            parts.push(text);
        }
        next = error.source();
    }
    parts.join(": ")
}

/// Whether a message is about certificates, which another attempt does not mend.
fn is_about_certificates(message: &str) -> bool {
    ["certificate", "HandshakeFailure", "CorruptMessage"].iter().any(|word| message.contains(word))
}

/// Whether a message shows that TLS was spoken to a server that does not speak it.
pub(crate) fn is_about_no_tls(message: &str) -> bool {
    ["InvalidContentType", "tls handshake eof"].iter().any(|words| message.contains(words))
}

/// `google.rpc.RetryInfo`, which the crate with the protocol's messages leaves out.
#[derive(Clone, PartialEq, Message)]
struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    retry_delay: Option<protobuf::Duration>,
}

/// `google.rpc.PreconditionFailure`, which that crate leaves out, too.
#[derive(Clone, PartialEq, Message)]
struct PreconditionFailure {
    #[prost(message, repeated, tag = "1")]
    violations: Vec<Violation>,
}

#[derive(Clone, PartialEq, Message)]
struct Violation {
    #[prost(string, tag = "1")]
    r#type: String,
    #[prost(string, tag = "2")]
    subject: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(name: &str, message: &impl Message) -> protobuf::Any {
        let type_url = format!("type.googleapis.com/google.rpc.{name}");
        protobuf::Any { type_url, value: message.encode_to_vec() }
    }

    #[test]
    fn the_server_says_when_to_come_back_and_what_it_misses() {
        let info =
            RetryInfo { retry_delay: Some(protobuf::Duration { seconds: 2, nanos: 500_000_000 }) };
        let violation =
            |kind: &str| Violation { r#type: kind.to_owned(), subject: "blobs/a/1".to_owned() };
        let failed =
            PreconditionFailure { violations: vec![violation("MISSING"), violation("OTHER")] };
        let details = vec![detail("RetryInfo", &info), detail("PreconditionFailure", &failed)];
        let status = rpc::Status { code: 14, message: "busy".to_owned(), details };
        let in_trailers =
            Status::with_details(Code::Unavailable, "busy", status.encode_to_vec().into());
        for failure in [Failure::of_message(&status), Failure::from(in_trailers)] {
            assert!(failure.is_temporary());
            assert_eq!(failure.missing, ["blobs/a/1"]);
            let delay = failure.delay(1);
            assert!(delay >= Duration::from_millis(2500) && delay < Duration::from_secs(3));
        }
    }

    #[test]
    fn waits_grow_to_a_limit_and_differ() {
        let failure = Failure::new(Code::Unavailable, "");
        for attempt in 1..20 {
            let limit = LONGEST_DELAY.min(FIRST_DELAY * (1 << (attempt - 1).min(10)));
            assert!(failure.delay(attempt) <= limit && failure.delay(attempt) >= limit / 2);
        }
        assert_ne!(failure.delay(5), failure.delay(5));
    }

    #[test]
    fn attempts_end_with_success_or_a_failure_that_stays() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let timeout = Duration::from_millis(20);
        let policy = Policy { retries: 2, timeout, total: Duration::MAX };
        for (code, expected) in [(Code::Unavailable, 3), (Code::NotFound, 1)] {
            let mut count = 0;
            let result: Result<(), _> = runtime.block_on(retry(policy, async || {
                count += 1;
                Err(Failure::new(code, ""))
            }));
            assert_eq!((result.unwrap_err().code, count), (code, expected));
        }
        let silent = runtime.block_on(retry(policy, async || std::future::pending().await));
        let silent: Result<(), Failure> = silent;
        assert_eq!(silent.unwrap_err().code, Code::DeadlineExceeded);
        // The last failure says more than that the time is over.
        let policy = Policy { retries: 1_000, timeout, total: timeout };
        let refused: Result<(), _> = runtime
            .block_on(retry(policy, async || Err(Failure::new(Code::Unavailable, "refused"))));
        assert_eq!(refused.unwrap_err().message, "refused");
    }
}
