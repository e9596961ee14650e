//! The executable `thinlink`, which is a call of its library.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// The largest links fill millions of lists from several threads. The C library's allocator, with
/// an arena per thread, keeps a tenth more memory meanwhile.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    weft_cli::main(thinlink::run)
}
