//! Which processor a module is for.
//!
//! clang writes it on every function, and a linked module may have no function left. So the import
//! phase records it as module flags, and the codegen phase, which sees the linked module alone,
//! reads it there.

use llvm_sys::LLVMModuleFlagBehavior;
use llvm_sys::core::{
    LLVMAddModuleFlag, LLVMGetMDString, LLVMGetModuleFlag, LLVMMDStringInContext2,
    LLVMMetadataAsValue,
};

use crate::context::Context;
use crate::global::GlobalKind;
use crate::module::Module;
use crate::shim::weft_forget_flags;

const ARCHITECTURE_FLAG: &str = "weft-architecture";
const FEATURE_FLAG: &str = "weft-ptx-feature";

/// Processor and PTX version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Architecture, such as `sm_90`.
    pub(crate) architecture: String,
    /// LLVM's name of the PTX version, such as `+ptx88`. Empty leaves it to LLVM, which takes the
    /// oldest that knows the architecture.
    pub(crate) ptx_feature: String,
}

impl Target {
    /// What the functions of `module` say: the first architecture, and the newest PTX version, since
    /// the header of a PTX file has one version for all.
    pub(crate) fn of_functions(module: &Module<'_>) -> Option<Self> {
        let functions =
            || module.globals().into_iter().filter(|it| it.kind() == GlobalKind::Function);
        let architecture = functions().find_map(|it| it.string_attribute("target-cpu"))?;
        let newest = functions()
            .filter_map(|it| ptx_version(&it.string_attribute("target-features")?))
            .max();
        let ptx_feature = newest.map(|version| format!("+ptx{version}")).unwrap_or_default();
        Some(Self { architecture, ptx_feature })
    }

    /// Writes the target into the module.
    pub(crate) fn record(&self, context: &Context, module: &Module<'_>) {
        for (flag, value) in
            [(ARCHITECTURE_FLAG, &self.architecture), (FEATURE_FLAG, &self.ptx_feature)]
        {
            record_text(context, module, flag, value);
        }
    }

    /// Takes what [`Target::record`] wrote out of the module, so that it can be linked to one that
    /// says otherwise.
    pub(crate) fn forget(module: &Module<'_>) {
        // SAFETY: the module is valid and the text terminated.
        unsafe { weft_forget_flags(module.raw(), c"weft-".as_ptr()) }
    }

    /// The target of two modules for the same architecture together: the newest PTX version.
    pub(crate) fn or_newer(self, other: Self) -> Self {
        let version = |target: &Self| ptx_version(&target.ptx_feature);
        if version(&other) > version(&self) { other } else { self }
    }

    /// What [`Target::record`] wrote.
    pub(crate) fn recorded(context: &Context, module: &Module<'_>) -> Option<Self> {
        let read = |flag: &str| recorded_text(context, module, flag);
        Some(Self { architecture: read(ARCHITECTURE_FLAG)?, ptx_feature: read(FEATURE_FLAG)? })
    }
}

/// Writes a text into the module, as a module flag.
pub(crate) fn record_text(context: &Context, module: &Module<'_>, flag: &str, text: &str) {
    // SAFETY: module and context are valid and belong together; texts have their lengths.
    unsafe {
        let value = LLVMMDStringInContext2(context.raw(), text.as_ptr().cast(), text.len());
        let behaviour = LLVMModuleFlagBehavior::LLVMModuleFlagBehaviorError;
        LLVMAddModuleFlag(module.raw(), behaviour, flag.as_ptr().cast(), flag.len(), value);
    }
}

/// What [`record_text`] wrote.
pub(crate) fn recorded_text(context: &Context, module: &Module<'_>, flag: &str) -> Option<String> {
    // SAFETY: as in `record_text`; the text is the module's and copied.
    unsafe {
        let value = LLVMGetModuleFlag(module.raw(), flag.as_ptr().cast(), flag.len());
        if value.is_null() {
            return None;
        }
        let mut length = 0;
        let value = LLVMMetadataAsValue(context.raw(), value);
        let start = LLVMGetMDString(value, &raw mut length).cast::<u8>();
        if start.is_null() {
            return None;
        }
        let text = std::slice::from_raw_parts(start, length as usize);
        Some(String::from_utf8_lossy(text).into_owned())
    }
}

/// The PTX version in a list of features: 88 for `+ptx88`.
fn ptx_version(features: &str) -> Option<u32> {
    features.split(',').filter_map(|it| it.strip_prefix("+ptx")?.parse().ok()).max()
}
