//! A trace of where the time goes, in the format that Chrome's and Perfetto's viewers read.
//!
//! LLVM's own profiler records its passes and functions, thread by thread; phases of a job are
//! recorded in it as well, so that one file holds both on one clock.

use std::marker::PhantomData;

use crate::text::{Bytes, ShimText};

unsafe extern "C" {
    /// Starts LLVM's time profiler on this thread.
    safe fn weft_trace_start();

    /// Whether the profiler runs on this thread.
    safe fn weft_trace_is_on() -> bool;

    /// Begins a stretch of time, if the profiler runs on this thread. The texts are copied.
    safe fn weft_trace_begin(name: Bytes<'_>, detail: Bytes<'_>);

    /// Ends the stretch that was begun last on this thread, where one must be open if the profiler
    /// runs.
    fn weft_trace_end();

    /// Hands over the records of this thread, if it has some, to the thread that writes.
    safe fn weft_trace_leave_thread();

    /// All that the threads recorded, and the end of the profiler. None if it did not run.
    safe fn weft_trace_write() -> ShimText;
}

/// Starts a trace, on this thread. A process has one trace.
pub fn start() {
    weft_trace_start();
}

/// Ends the trace and returns it as JSON. No other thread may be recording.
pub fn finish() -> String {
    weft_trace_write().into_string().unwrap_or_default()
}

/// A stretch of time in the trace; ends when dropped. Nothing when there is no trace.
#[derive(Debug)]
#[must_use = "the stretch ends when this is dropped"]
pub struct Span {
    is_recorded: bool,
    /// Keeps the value on its thread.
    thread: PhantomData<*const ()>,
}

/// Begins a stretch of time called `name`, about `detail`.
pub fn span(name: &str, detail: &str) -> Span {
    let is_recorded = weft_trace_is_on();
    if is_recorded {
        weft_trace_begin(Bytes::of(name), Bytes::of(detail));
    }
    Span { is_recorded, thread: PhantomData }
}

impl Drop for Span {
    fn drop(&mut self) {
        if self.is_recorded {
            // SAFETY: `span` began a stretch on this thread, as the value cannot leave it, and
            // nothing else ends it.
            unsafe { weft_trace_end() }
        }
    }
}

/// Another thread's part of a trace; handed over when dropped.
#[derive(Debug)]
#[must_use = "the thread's part ends when this is dropped"]
pub struct ThreadTrace {
    is_own: bool,
    /// Keeps the value on its thread.
    thread: PhantomData<*const ()>,
}

/// Records this thread too, when `is_wanted` and it is not recorded yet.
pub fn thread(is_wanted: bool) -> ThreadTrace {
    let is_own = is_wanted && !weft_trace_is_on();
    if is_own {
        weft_trace_start();
    }
    ThreadTrace { is_own, thread: PhantomData }
}

impl Drop for ThreadTrace {
    fn drop(&mut self) {
        if self.is_own {
            weft_trace_leave_thread();
        }
    }
}
