//! A trace of where the time goes, in the format that Chrome's and Perfetto's viewers read.
//!
//! LLVM's own profiler records its passes and functions, thread by thread; phases of a job are
//! recorded in it as well, so that one file holds both on one clock.

use std::ptr;

use crate::context::take_shim_text;
use crate::emission_shim::{
    weft_trace_begin, weft_trace_end, weft_trace_is_on, weft_trace_leave_thread, weft_trace_start,
    weft_trace_write,
};

/// Starts a trace, on this thread.
pub fn start() {
    // SAFETY: LLVM's profiler keeps its state itself.
    unsafe { weft_trace_start() }
}

/// Ends the trace and returns it as JSON. No other thread may be recording.
pub fn finish() -> String {
    let mut text = ptr::null_mut();
    // SAFETY: a trace was started on this thread or nothing is written; the text is ours.
    unsafe {
        weft_trace_write(&raw mut text);
        take_shim_text(text).unwrap_or_default()
    }
}

/// A stretch of time in the trace; ends when dropped. Nothing when there is no trace.
#[derive(Debug)]
#[must_use = "the stretch ends when this is dropped"]
pub struct Span {
    is_recorded: bool,
}

/// Begins a stretch of time called `name`, about `detail`.
pub fn span(name: &str, detail: &str) -> Span {
    // SAFETY: texts with their lengths; LLVM copies them.
    unsafe {
        let is_recorded = weft_trace_is_on();
        if is_recorded {
            let (name, length) = (name.as_ptr().cast(), name.len());
            weft_trace_begin(name, length, detail.as_ptr().cast(), detail.len());
        }
        Span { is_recorded }
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        if self.is_recorded {
            // SAFETY: begun on this thread, and stretches end in the reverse order.
            unsafe { weft_trace_end() }
        }
    }
}

/// Another thread's part of a trace; handed over when dropped.
#[derive(Debug)]
#[must_use = "the thread's part ends when this is dropped"]
pub struct ThreadTrace {
    is_own: bool,
}

/// Records this thread too, when `is_wanted` and it is not recorded yet.
pub fn thread(is_wanted: bool) -> ThreadTrace {
    // SAFETY: LLVM's profiler keeps a state for each thread.
    unsafe {
        let is_own = is_wanted && !weft_trace_is_on();
        if is_own {
            weft_trace_start();
        }
        ThreadTrace { is_own }
    }
}

impl Drop for ThreadTrace {
    fn drop(&mut self) {
        if self.is_own {
            // SAFETY: started in `thread`, on this thread.
            unsafe { weft_trace_leave_thread() }
        }
    }
}
