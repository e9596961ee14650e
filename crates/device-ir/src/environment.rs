//! An environment that cannot reach what LLVM and libnvvm make.
//!
//! LLVM reads variables where nobody expects it: `LLVM_OVERRIDE_PRODUCER` goes into the symbol table of
//! every bitcode file that is written. libnvvm reads more, which nobody lists. None of them is an input
//! that an action declares, so none may be there when a phase runs in this process. A list of the bad
//! ones would be out of date with the next version; so all go but those that the executables read
//! themselves. LLVM's own go earlier, before its static variables are initialised
//! (`shim/environment.cpp`).

use std::ffi::OsStr;

use crate::shim::weft_is_single_threaded;

/// Removes every variable of the environment that `is_kept` does not want. To be called first in `main`;
/// with a second thread running it does nothing, and says so by `false`.
pub fn keep_variables(is_kept: impl Fn(&OsStr) -> bool) -> bool {
    // SAFETY: the function only reads a flag of the C library.
    if !unsafe { weft_is_single_threaded() } {
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
