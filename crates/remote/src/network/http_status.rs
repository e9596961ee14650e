//! The status of an HTTP answer as a failure of a call.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use tonic::Code;

use crate::network::retry::Failure;

/// Returns the failure that a status other than one of success stands for.
pub(crate) fn failure(status: StatusCode, headers: &HeaderMap) -> Failure {
    let code = match status {
        StatusCode::UNAUTHORIZED => Code::Unauthenticated,
        StatusCode::FORBIDDEN => Code::PermissionDenied,
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => Code::Unavailable,
        StatusCode::INSUFFICIENT_STORAGE => Code::ResourceExhausted,
        status if status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED => {
            Code::Unavailable
        }
        _ => Code::InvalidArgument,
    };
    let asked = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let delay = asked.and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
    Failure::new(code, format!("HTTP status {status}")).after(delay)
}
