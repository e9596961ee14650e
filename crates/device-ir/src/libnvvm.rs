//! NVIDIA's code generator: libnvvm, loaded from the file that the user names.
//!
//! libnvvm holds an LLVM of its own for each generation of GPUs, and reads that LLVM's bitcode. With
//! CUDA 13.5 it is LLVM 22 from `compute_100` on. It wants two things of a module that clang does not
//! give: its own data layout, which says the same as clang's and more, and the version of NVVM IR. It
//! has no question for its layout, but names it when it refuses another; so a kernel of a few bytes
//! asks first.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;

use libloading::{Library, Symbol};
use thiserror::Error;
use weft_artifact::{PhaseOptions, TrackedOption};

use crate::error::IrError;
use crate::level::OptimisationLevel;
use crate::module::{Exclusive, Module};
use crate::text::{Buffer, Bytes};

unsafe extern "C" {
    /// Says in the module which versions of NVVM IR and of its debug information it is.
    safe fn weft_set_nvvm_version(module: Exclusive<'_>, version: &[u32; 4]);

    /// Bitcode of a module with one empty kernel and nothing else.
    safe fn weft_smallest_kernel(data_layout: Bytes<'_>, version: &[u32; 4]) -> Buffer;
}

/// The LLVM whose bitcode Weft writes.
const OUR_LLVM: c_int = 22;
/// Makes libnvvm use its newest LLVM for every architecture.
const NEWEST_FOR_ALL: &str = "-nvvm-latest";
/// What precedes the layout that libnvvm wants, in its log.
const LAYOUT_LABEL: &str = "Target DataLayout:";

type Program = *mut c_void;

/// A loaded libnvvm, with the options for it.
#[derive(Debug)]
pub struct Libnvvm {
    library: Library,
    options: Vec<String>,
}

/// Why libnvvm could not be loaded.
#[derive(Debug, Error)]
#[error("cannot load libnvvm: {reason}")]
pub struct LoadError {
    reason: String,
}

/// libnvvm's name of a failure, and its log.
struct Refusal {
    reason: String,
    log: String,
}

impl Libnvvm {
    /// Loads the library `path`. `options` are given to it with each module.
    pub fn load(path: &Path, options: Vec<String>) -> Result<Self, LoadError> {
        let reason = |error: libloading::Error| LoadError { reason: whole(&error) };
        // SAFETY: loading runs the library's initialisers; libnvvm's only set up its own state.
        let library = unsafe { Library::new(path) }.map_err(reason)?;
        let nvvm = Self { library, options };
        // A library of another kind is found out here and not at the first module.
        nvvm.function::<unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int>(c"nvvmVersion")
            .map_err(reason)?;
        Ok(nvvm)
    }

    /// PTX of an optimised module for `architecture`. The module is the library's own after that.
    pub(crate) fn emit(
        &self,
        module: &mut Module<'_>,
        architecture: &str,
        level: OptimisationLevel,
        settled: &PhaseOptions,
    ) -> Result<Vec<u8>, IrError> {
        let refused = |refusal: Refusal| IrError::Libnvvm {
            architecture: architecture.to_owned(),
            reason: refusal.reason,
            log: refusal.log,
        };
        let compute = architecture.replacen("sm_", "compute_", 1);
        if !self.options.iter().any(|option| option == NEWEST_FOR_ALL) {
            let version = self.llvm_version(&compute).map_err(refused)?;
            if version != OUR_LLVM {
                let architecture = architecture.to_owned();
                return Err(IrError::LibnvvmVersion { architecture, version });
            }
        }
        let options = options_for(&compute, level, settled, &self.options);
        let version = self.ir_version().map_err(refused)?;
        let layout = self.data_layout(&module.data_layout(), &version, &options);
        let layout = terminated(&layout.map_err(refused)?).map_err(refused)?;
        module.set_data_layout(&layout);
        weft_set_nvvm_version(module.exclusive(), &version);
        self.compile(&module.to_bitcode()?, &options).map_err(refused)
    }

    /// The data layout that libnvvm wants, by what it says of a kernel with `layout`.
    fn data_layout(
        &self,
        layout: &str,
        version: &[u32; 4],
        options: &[String],
    ) -> Result<String, Refusal> {
        let smallest = weft_smallest_kernel(Bytes::of(layout), version).to_vec();
        let Err(refusal) = self.compile(&smallest, options) else { return Ok(layout.to_owned()) };
        let wanted = refusal.log.lines().find_map(|line| line.split_once(LAYOUT_LABEL));
        match wanted {
            Some((_, wanted)) => Ok(wanted.trim().to_owned()),
            None => Err(refusal),
        }
    }

    fn compile(&self, bitcode: &[u8], options: &[String]) -> Result<Vec<u8>, Refusal> {
        type Create = unsafe extern "C" fn(*mut Program) -> c_int;
        type Destroy = unsafe extern "C" fn(*mut Program) -> c_int;
        let create = self.function::<Create>(c"nvvmCreateProgram").map_err(unusable)?;
        let destroy = self.function::<Destroy>(c"nvvmDestroyProgram").map_err(unusable)?;
        let mut program = ptr::null_mut();
        // SAFETY: the out parameter is ours.
        self.check(unsafe { create(&raw mut program) })?;
        let result = self.compile_in(program, bitcode, options).map_err(|reason| Refusal {
            // SAFETY: the program is valid until destroyed.
            log: unsafe { self.text(program, c"nvvmGetProgramLogSize", c"nvvmGetProgramLog") }
                .map(|log| String::from_utf8_lossy(&log).trim().to_owned())
                .unwrap_or_default(),
            reason: reason.reason,
        });
        // SAFETY: made above, and not used any more.
        self.check(unsafe { destroy(&raw mut program) })?;
        result
    }

    fn compile_in(
        &self,
        program: Program,
        bitcode: &[u8],
        options: &[String],
    ) -> Result<Vec<u8>, Refusal> {
        type Add = unsafe extern "C" fn(Program, *const c_char, usize, *const c_char) -> c_int;
        type Compile = unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int;
        let add = self.function::<Add>(c"nvvmAddModuleToProgram").map_err(unusable)?;
        let compile = self.function::<Compile>(c"nvvmCompileProgram").map_err(unusable)?;
        let options: Vec<_> =
            options.iter().map(|option| terminated(option)).collect::<Result<_, _>>()?;
        let pointers: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
        let count = c_int::try_from(pointers.len()).map_err(unusable)?;
        // SAFETY: the program is valid; the bitcode has its length; the options and their number
        // belong together and are terminated.
        unsafe {
            let (data, size) = (bitcode.as_ptr().cast(), bitcode.len());
            self.check(add(program, data, size, c"module".as_ptr()))?;
            self.check(compile(program, count, pointers.as_ptr()))?;
            self.text(program, c"nvvmGetCompiledResultSize", c"nvvmGetCompiledResult")
        }
    }

    /// A text of a program, by the functions that tell its size and copy it, without its final zero.
    ///
    /// # Safety
    ///
    /// `program` is valid; the functions are a pair of libnvvm's.
    unsafe fn text(&self, program: Program, size: &CStr, copy: &CStr) -> Result<Vec<u8>, Refusal> {
        type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;
        type Copy = unsafe extern "C" fn(Program, *mut c_char) -> c_int;
        let size = self.function::<Size>(size).map_err(unusable)?;
        let copy = self.function::<Copy>(copy).map_err(unusable)?;
        let mut length = 0;
        // SAFETY: the caller's promise; the text is as long as libnvvm said.
        unsafe {
            self.check(size(program, &raw mut length))?;
            let mut text = vec![0_u8; length];
            self.check(copy(program, text.as_mut_ptr().cast()))?;
            while text.last() == Some(&0) {
                text.pop();
            }
            Ok(text)
        }
    }

    /// The LLVM whose bitcode libnvvm reads for an architecture such as `compute_100`.
    fn llvm_version(&self, compute: &str) -> Result<c_int, Refusal> {
        type Version = unsafe extern "C" fn(*const c_char, *mut c_int) -> c_int;
        let version = self.function::<Version>(c"nvvmLLVMVersion").map_err(unusable)?;
        let compute = terminated(compute)?;
        let mut major = 0;
        // SAFETY: the text is terminated and the out parameter ours.
        self.check(unsafe { version(compute.as_ptr(), &raw mut major) })?;
        Ok(major)
    }

    /// The versions of NVVM IR and of its debug information.
    fn ir_version(&self) -> Result<[u32; 4], Refusal> {
        type Version = unsafe extern "C" fn(*mut u32, *mut u32, *mut u32, *mut u32) -> c_int;
        let version = self.function::<Version>(c"nvvmIRVersion").map_err(unusable)?;
        let mut numbers = [0_u32; 4];
        let [major, minor, debug_major, debug_minor] = &mut numbers;
        // SAFETY: four out parameters of ours.
        self.check(unsafe { version(major, minor, debug_major, debug_minor) })?;
        Ok(numbers)
    }

    /// libnvvm's word for a result that is no success.
    fn check(&self, result: c_int) -> Result<(), Refusal> {
        type Name = unsafe extern "C" fn(c_int) -> *const c_char;
        if result == 0 {
            return Ok(());
        }
        let name = self.function::<Name>(c"nvvmGetErrorString").map_err(unusable)?;
        // SAFETY: libnvvm returns a constant text for every number.
        let reason = unsafe { CStr::from_ptr(name(result)) }.to_string_lossy().into_owned();
        Err(Refusal { reason, log: String::new() })
    }

    /// A function of the library. Its type `F` is what nvvm.h says, as it stands beside each call.
    fn function<F>(&self, name: &CStr) -> Result<Symbol<'_, F>, libloading::Error> {
        // SAFETY: libnvvm's C interface is stable: functions of these names have these types.
        unsafe { self.library.get(name) }
    }
}

/// The options for one module: the settled options, then the user's. A user's option replaces the
/// settled one of its name, since libnvvm refuses to be told anything twice.
///
/// Where nothing was settled for all code, each function keeps its own arithmetic, and libnvvm gets
/// the value at which it does what each function and instruction says. Its defaults would fuse
/// instructions that have no license to be fused.
fn options_for(
    compute: &str,
    level: OptimisationLevel,
    settled: &PhaseOptions,
    given: &[String],
) -> Vec<String> {
    // libnvvm has no level between 0 and 3.
    let level = if level == OptimisationLevel::O0 { 0 } else { 3 };
    let settled = [
        (TrackedOption::Fmad, "-fma", 0),
        (TrackedOption::Ftz, "-ftz", 0),
        (TrackedOption::PrecDiv, "-prec-div", 1),
        (TrackedOption::PrecSqrt, "-prec-sqrt", 1),
    ]
    .map(|(option, name, own)| format!("{name}={}", settled.setting(option).unwrap_or(own)));
    let name = |option: &str| option.split('=').next().unwrap_or_default().to_owned();
    let mut options = vec![format!("-arch={compute}"), format!("-opt={level}")];
    options.extend(settled);
    for option in given {
        options.retain(|other| name(other) != name(option));
        options.push(option.clone());
    }
    options
}

/// An error with its causes: the loader's own words are libloading's cause.
fn whole(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

fn unusable(error: impl std::error::Error) -> Refusal {
    Refusal { reason: whole(&error), log: String::new() }
}

fn terminated(text: &str) -> Result<CString, Refusal> {
    CString::new(text).map_err(unusable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(settings: &[(TrackedOption, u32)], given: &[&str]) -> String {
        let settled = PhaseOptions { settings: settings.to_vec(), ..PhaseOptions::default() };
        let given: Vec<_> = given.iter().map(|&option| option.to_owned()).collect();
        options_for("compute_90", OptimisationLevel::O2, &settled, &given).join(" ")
    }

    #[test]
    fn libnvvm_gets_what_was_settled() {
        let own = "-arch=compute_90 -opt=3 -fma=0 -ftz=0 -prec-div=1 -prec-sqrt=1";
        assert_eq!(options(&[], &[]), own);
        let settled = [(TrackedOption::Ftz, 1), (TrackedOption::PrecDiv, 0)];
        assert_eq!(
            options(&settled, &[]),
            "-arch=compute_90 -opt=3 -fma=0 -ftz=1 -prec-div=0 -prec-sqrt=1"
        );
    }

    #[test]
    fn an_option_of_the_user_takes_the_place_of_the_settled_one() {
        assert_eq!(
            options(&[], &["-opt=0", "-fma=1", "-nvvm-latest", "-opt=3", "-arch=compute_100"]),
            "-ftz=0 -prec-div=1 -prec-sqrt=1 -fma=1 -nvvm-latest -opt=3 -arch=compute_100"
        );
    }
}
