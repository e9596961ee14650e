//! The rules of the models, each with its own numbers.

mod every_model;
mod gpu;
mod nvidia;

use weft_artifact::Linkage;

use super::options::InlineOptions;
use super::session::judge;
use super::site::{Body, Marshalling, Site};
use super::verdict::{InlineReason, Spent, Verdict};

/// A call that every model may inline: of a small body that may be dropped afterwards.
fn site() -> Site {
    Site {
        callee: Body {
            name: "callee".to_owned(),
            linkage: Some(Linkage::Internal),
            ..Body::default()
        },
        growth: Some(100),
        caller_instructions: 50,
        ..Site::default()
    }
}

/// The same, which moves so many bytes.
fn moving(bytes: u64) -> Site {
    Site { marshalling: Marshalling { bytes, ..Marshalling::default() }, ..site() }
}

/// With nothing inlined before.
fn first(site: &Site, options: &InlineOptions) -> Verdict {
    judge(site, Spent::default(), options)
}

fn inlines(site: &Site, options: &InlineOptions) -> bool {
    first(site, options).inlines
}

fn reason(site: &Site, options: &InlineOptions) -> InlineReason {
    first(site, options).reason
}
