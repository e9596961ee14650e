//! Measures the page of a report, or makes the pictures of it that the README shows.

use std::path::Path;
use std::process::ExitCode;

use dev_checkout::bazel::Parts;
use dev_page::{bench, pictures};
use dev_process::{Error, ended};

const USAGE: &str = "usage: dev-page bench
       dev-page pictures CHECKOUT LLVM CUDA EXECUTABLES
Measures the page of a large program, or builds the example with the tools in these folders and
writes docs/pictures in the checkout.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(Path::new).collect::<Vec<_>>().as_slice() {
        [name] if name.as_os_str() == "bench" => bench::run(),
        [name, checkout, llvm_prefix, cuda_root, executables] if name.as_os_str() == "pictures" => {
            pictures::run(&Parts { checkout, llvm_prefix, cuda_root, executables })
        }
        _ => Err(Error::usage(USAGE)),
    };
    ended(outcome)
}
