//! The artifacts that the executables exchange, and their encoding.
//!
//! | artifact | written by | read by | file |
//! |---|---|---|---|
//! | [`SummaryFile`] | `summarize` | `thinlink` | `*.summary` |
//! | [`Plan`] | `thinlink` | `backend-job` | `*.plan` |
//! | [`StagedImports`] | `backend-job stage` | `backend-job import` | `*.imports` |
//! | [`Decisions`] | `thinlink` | `weft` | `decisions.weft` |
//! | [`Feedback`] | `weft feedback` | `thinlink` | as the user names it |
//! | [`Manifest`] | `thinlink` | build systems, people | `manifest.json` |
//!
//! This crate holds data and its encoding and nothing else: no LLVM, no processes, no decisions.
//! The layout of each record is documented on its type and only there, that of summaries in
//! `record`, and the frame around the binary ones in [`encoding`].

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod architecture;
mod arithmetic;
mod check;
mod decisions;
mod device_context;
mod digest;
pub mod encoding;
mod feedback;
pub mod file;
mod function_summary;
mod guid;
mod host_facts;
pub mod inline_budget;
mod job_class;
mod lto_ir;
mod manifest;
mod memory_effects;
mod module_id;
mod opaque;
mod phase_options;
mod plan;
mod plan_record;
mod promoted_name;
mod record;
mod staged_imports;
mod stored;
mod summary;
mod summary_file;
mod symbol_index;
mod temporary;
mod variable_summary;

pub use architecture::{architecture_number, architecture_parts, best_fit, fits};
pub use arithmetic::Arithmetic;
pub use check::check;
pub use decisions::{
    CallClass, ClosureDecision, ClosureExit, Decisions, Definition, ExitReason, ImportCall,
    ImportDecision, ImportPass, ImportRecord, ImportRefusal, ModuleDecisions, RootReason,
    SymbolDecision, SymbolFate,
};
pub use device_context::DeviceContext;
pub use digest::{Digest, digest};
pub use encoding::{Artifact, DecodeError, EncodeError};
pub use feedback::{Feedback, KernelChoice, KernelFeedback, KernelTrial};
pub use function_summary::{
    Call, DistantCall, FunctionFlags, FunctionSummary, Hotness, ImportPriority, LaunchBounds,
    ParameterCost, VirtualCall,
};
pub use guid::Guid;
pub use host_facts::{
    HostEntry, HostEntryKind, HostFacts, HostReference, LinkSymbols, NamedKind, NamedReference,
    ReferenceForm,
};
pub use job_class::{JobClass, JobClasses};
pub use lto_ir::{LtoIrModule, LtoIrPlan, LtoIrRole, LtoIrSymbol};
pub use manifest::{LinkMode, MANIFEST_VERSION, Manifest, ManifestModule};
pub use memory_effects::MemoryEffects;
pub use module_id::{ModuleId, ModuleIdError};
pub use opaque::{OpaqueImage, OpaqueKind, OpaqueSymbols};
pub use phase_options::{FastCompile, PhaseOptions};
pub use plan::{
    DefinitionKind, FunctionAttributes, ImportList, Member, Plan, PlannedDefinition, PlannedKernel,
    Resolution, SharedAlignment, SymbolAttributes, SymbolResolution, VirtualCallOutcome,
    VirtualCallResolution,
};
pub use plan_record::{KnownAttributes, PlanImports, PlanMembers, PlanNames, PlanRecord};
pub use promoted_name::{legal_name, name_of_program, promoted_name};
pub use record::{BodyHead, FunctionHead, SummarySink, SymbolHead};
pub use staged_imports::{StagedImports, StagedModule};
pub use summary::{
    AliasSummary, Body, Comdat, Declaration, DeviceModule, Linkage, OptionSetting, REGISTERS,
    Summary, Symbol, TrackedOption, Visibility,
};
pub use summary_file::SummaryFile;
pub use symbol_index::SymbolIndex;
pub use variable_summary::{Handle, TypeMember, VariableSummary, VirtualFunction};
