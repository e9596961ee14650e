//! Readers of the files that hold device code.
//!
//! A unit arrives as device bitcode, as an LLVM offload binary, as a host object of clang that
//! carries offload binaries, or of nvcc that carries fat binaries, or as one of NVIDIA's own forms:
//! fat binary, cubin, PTX, LTO IR. Several units arrive as an archive. Input may be hostile: every
//! offset is checked, content is copied only after its bounds were checked, and decompression stops
//! at a small multiple of the input.
//!
//! | file | reader |
//! |---|---|
//! | any unit | [`device_code`] |
//! | LLVM offload binary | [`offload_images`] |
//! | NVIDIA fat binary | [`fatbin_entries`] |
//! | LTO IR of nvcc | [`LtoIr`] |
//! | cubin | [`cubin_symbols`], [`kernel_resources`], [`kernel_costs`] |
//! | PTX | [`ptx_facts`], [`ptx_kernels`], [`ptx_options`], [`dependence()`] |
//! | PTX by items | [`ptx_items`], [`ptx_tokens`], [`ptx_words`] |
//! | calls in PTX | [`most_functions_of_a_kernel`] |
//! | PTX inside functions (`asm`) | [`inline_assembly`], [`module_assembly`] |
//! | archive | [`archive_members`] |
//! | a unit's host side | [`host_facts()`] |
//! | host object | [`check_object`] |
//! | host object of nvcc | [`nvcc_units`] |
//! | linked program | [`linked_program`], [`device_images`] |
//! | LLVM's index of one module | [`ThinIndex`] |
//! | LLVM's list of the jobs of a link | [`LinkJobs`] |

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod archive;
mod bitcode_blocks;
mod bitstream;
mod bytes;
mod constant_layout;
mod constant_references;
mod cubin;
mod cubin_calls;
mod cubin_code;
mod cubin_costs;
mod cubin_images;
mod cubin_resources;
mod decompress;
mod device_code;
mod device_image;
mod embedded;
mod exports;
mod extensible;
mod extensible_constants;
mod fatbin;
mod host_facts;
mod link_jobs;
mod linked;
mod loops;
mod lto_ir;
mod nvcc_units;
mod object_file;
mod offload_binary;
mod opaque;
mod ptx;
mod rewritten_elf;
mod sections;
mod thin_index;

pub use archive::{ArchiveError, Member, archive_members, is_archive};
pub use bitcode_blocks::{BitcodeError, check_bitcode};
pub use cubin::{
    cubin_architecture, cubin_symbols, cubin_virtual_architecture, is_cubin, is_relocatable_cubin,
};
pub use cubin_code::{KernelCode, kernel_code};
pub use cubin_costs::{KernelCosts, kernel_costs};
pub use cubin_resources::{
    KernelResources, OwnRegisters, has_costly_functions, kernel_resources, own_registers,
};
pub use decompress::Compression;
pub use device_code::{Bitcode, DeviceCode, DeviceCodeError, device_code, is_bitcode};
pub use device_image::{DeviceImage, device_images};
pub use embedded::{
    embedded_architectures, embedded_modules, missing_from_embedded, offloaded_architectures,
};
pub use exports::{Exports, exports};
pub use extensible::{ExtensibleError, relocatable};
pub use extensible_constants::{relocatable_with_constants, shows_all_constants, shows_constants};
pub use fatbin::{FatbinEntry, FatbinError, FatbinKind, fatbin_entries};
pub use host_facts::{HostFactsError, exported_host_symbols, host_facts};
pub use link_jobs::{LinkJob, LinkJobs, LinkJobsError, SharedFacts};
pub use linked::{HostSymbol, LinkedError, LinkedProgram, RegisteredEntry, linked_program};
pub use loops::{Flow, TURNS, loop_weights};
pub use lto_ir::{LtoIr, LtoIrError, LtoIrUse};
pub use nvcc_units::{nvcc_units, registers_units};
pub use object_file::{ObjectError, check_object};
pub use offload_binary::{Image, ImageKind, OffloadError, offload_images};
pub use opaque::OpaqueError;
pub use ptx::assembly::{AssemblyFacts, ExternalSymbol, inline_assembly, module_assembly};
pub use ptx::dependence::{Dependence, dependence};
pub use ptx::{
    ConstantsApart, PtxError, PtxFacts, PtxItem, PtxItemKind, PtxKernel, PtxLinkage, PtxSpace,
    PtxToken, constants_apart, is_empty_ptx, is_ptx, most_functions_of_a_kernel, ptx_facts,
    ptx_items, ptx_kernels, ptx_options, ptx_tokens, ptx_words, with_ptx_options,
};
pub use sections::{NVCC_FATBIN_SECTIONS, OFFLOADING_SECTION};
pub use thin_index::{ThinIndex, ThinIndexError};
