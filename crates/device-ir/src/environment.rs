//! Keeps the environment from affecting the output of LLVM and libnvvm.
//!
//! LLVM reads environment variables in unexpected places: `LLVM_OVERRIDE_PRODUCER` goes into the
//! symbol table of every bitcode file that is written. libnvvm reads more, and no list of them
//! exists. No action declares any of them as an input, so none may be set when a phase runs in this
//! process. A list of harmful variables would be out of date with the next version; so all
//! variables are removed except those that the executables read themselves. LLVM's own variables
//! are removed earlier, before its static variables are initialized (`shim/environment.cpp`).

use std::ffi::OsStr;

unsafe extern "C" {
    /// Whether this process has one thread; true where the C library does not tell.
    pub(crate) safe fn weft_is_single_threaded() -> bool;
}

/// Removes every environment variable that `is_kept` rejects. It must be called first in `main`:
/// with a second thread running it does nothing and returns `false`.
pub fn keep_variables(is_kept: impl Fn(&OsStr) -> bool) -> bool {
    if !weft_is_single_threaded() {
        return false;
    }
    let names = std::env::vars_os().map(|(name, _)| name);
    let dropped: Vec<_> = names.filter(|name| !is_kept(name)).collect();
    for name in dropped {
        // SAFETY: no other thread exists that could read the environment meanwhile.
        unsafe { std::env::remove_var(name) };
    }
    true
}
