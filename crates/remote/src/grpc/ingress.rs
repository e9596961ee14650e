//! Answers of a proxy before a server, which speaks HTTP and not gRPC.
//!
//! tonic takes the page that comes with such an answer for a damaged message, and the status is
//! lost: a token that is over would not be renewed, and a call that never can succeed be repeated.

use tonic::body::Body;
use tonic::codegen::http::{Response, StatusCode};
use tonic::transport::Channel;
use tonic::{Code, Status};
use tower::util::MapResponse;

use crate::network::http_status;

/// A connection whose answers are all of gRPC.
pub(crate) type Connection = MapResponse<Channel, fn(Response<Body>) -> Response<Body>>;

/// Returns the connection over `channel`.
pub(crate) fn connection(channel: Channel) -> Connection {
    MapResponse::new(channel, as_grpc)
}

/// Returns the answer, or the one of gRPC that says the same.
fn as_grpc(answer: Response<Body>) -> Response<Body> {
    let status = answer.status();
    if status == StatusCode::OK || answer.headers().contains_key(Status::GRPC_STATUS) {
        return answer;
    }
    let mut failure = http_status::failure(status, answer.headers());
    if status == StatusCode::NOT_FOUND {
        failure.code = Code::Unimplemented;
    }
    failure.message += match status {
        StatusCode::PAYLOAD_TOO_LARGE => {
            ": a proxy before the server limits the size of requests, as nginx does by \
             client_max_body_size"
        }
        status if status.is_redirection() => {
            ": a proxy before the server sends the call elsewhere, such as to a page for logins"
        }
        _ => "",
    };
    failure.into_status().into_http()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::network::retry::Failure;

    fn of(status: u16, header: Option<(&'static str, &'static str)>) -> Option<Failure> {
        let mut answer = Response::builder().status(status);
        if let Some((name, value)) = header {
            answer = answer.header(name, value);
        }
        let answer = as_grpc(answer.body(Body::empty()).unwrap());
        Status::from_header_map(answer.headers()).map(Failure::from)
    }

    #[test]
    fn a_status_of_http_is_one_of_grpc() {
        for (status, code, is_temporary) in [
            (301, Code::InvalidArgument, false),
            (400, Code::InvalidArgument, false),
            (401, Code::Unauthenticated, false),
            (403, Code::PermissionDenied, false),
            (404, Code::Unimplemented, false),
            (413, Code::InvalidArgument, false),
            (429, Code::Unavailable, true),
            (502, Code::Unavailable, true),
            (503, Code::Unavailable, true),
        ] {
            let failure = of(status, None).unwrap();
            assert_eq!((failure.code, failure.is_temporary()), (code, is_temporary), "{status}");
            let start = format!("HTTP status {status}");
            assert!(failure.message.starts_with(&start), "{}", failure.message);
            assert!(!failure.is_connection, "{status}");
        }
        let waits = of(503, Some(("retry-after", "7"))).unwrap();
        assert_eq!(waits.delay, Some(Duration::from_secs(7)));
    }

    #[test]
    fn an_answer_of_grpc_is_left_alone() {
        assert!(of(200, None).is_none());
        let own = of(503, Some(("grpc-status", "5"))).unwrap();
        assert_eq!((own.code, own.message.as_str()), (Code::NotFound, ""));
    }
}
