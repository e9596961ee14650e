//! Bitcode that is host code.
//!
//! Clang's `-flto` leaves host code as bitcode too. Without device code in it, it is a unit like
//! other host code, of which nothing is known.

use crate::context::Context;
use crate::error::IrError;
use crate::handles::Global;
use crate::module::{Module, Reading};

/// Beginnings of the triples of hosts that CUDA knows.
const HOSTS: [&str; 3] = ["x86_64-", "aarch64-", "powerpc64le-"];
/// Sections of clang's device code and of the entries that register it, the last before clang 21.
const CUDA_SECTIONS: [&str; 3] =
    [".llvm.offloading", "llvm_offload_entries", "cuda_offloading_entries"];

/// Whether `bitcode` is host code that holds no device code and registers none.
pub fn is_plain_host_code(bitcode: &[u8]) -> Result<bool, IrError> {
    let context = Context::new();
    let module = Module::read_any(&context, bitcode, Reading::Lazy)?;
    let triple = module.triple();
    let is_cuda = || {
        let mut sections = module.globals().into_iter().map(Global::section);
        sections.any(|section| CUDA_SECTIONS.contains(&section.as_str()))
    };
    Ok(HOSTS.iter().any(|host| triple.starts_with(host)) && !is_cuda())
}
