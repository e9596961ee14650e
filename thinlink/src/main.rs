//! The executable `thinlink`, which is a call of its library.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// The largest links fill millions of lists from several threads. The C library's allocator keeps a
/// tenth more memory meanwhile, in a part for each thread.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    weft_cli::main(thinlink::run)
}
