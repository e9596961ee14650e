//! NVIDIA's code generator: libnvvm, loaded from the file that the user names.
//!
//! libnvvm has a separate LLVM for each generation of GPUs, and reads that LLVM's bitcode. With
//! CUDA 13.5 it is LLVM 22 for `compute_100` and later. For `compute_75` to `compute_90` it is LLVM
//! 7, unless an option asks for the newest; Weft passes it. libnvvm requires two things of a module
//! that clang does not provide: its own data layout, which extends clang's, and the version of NVVM
//! IR. No function of libnvvm returns its layout, but its error about another layout names it; so a
//! kernel of a few bytes is compiled first.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;

use libloading::{Library, Symbol};
use thiserror::Error;
use weft_artifact::{PhaseOptions, TrackedOption};

use crate::error::IrError;
use crate::level::OptimizationLevel;
use crate::module::{Exclusive, Module};
use crate::text::{Buffer, Bytes};

unsafe extern "C" {
    /// Says in the module which versions of NVVM IR and of its debug information it is.
    safe fn weft_set_nvvm_version(module: Exclusive<'_>, version: &[u32; 4]);

    /// Bitcode of a module with one empty kernel and nothing else.
    safe fn weft_smallest_kernel(data_layout: Bytes<'_>, version: &[u32; 4]) -> Buffer;
}

/// Version of the LLVM whose bitcode Weft writes.
const OUR_LLVM: c_int = 22;
/// Makes libnvvm use its newest LLVM for every architecture.
const NEWEST_FOR_ALL: &str = "-nvvm-latest";
/// Label of the layout that libnvvm wants, in its log.
const LAYOUT_LABEL: &str = "Target DataLayout:";

type RawProgram = *mut c_void;

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
        // SAFETY: loading runs the library's initializers. The user names a libnvvm, whose
        // initializers set up its own state alone.
        let library = unsafe { Library::new(path) }.map_err(reason)?;
        let nvvm = Self { library, options };
        // A library of another kind is found out here and not at the first module.
        nvvm.function::<unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int>(c"nvvmVersion")
            .map_err(reason)?;
        Ok(nvvm)
    }

    /// PTX of an optimized module for `architecture`. The module gets the library's data layout.
    pub(crate) fn emit(
        &self,
        module: &mut Module<'_>,
        architecture: &str,
        level: OptimizationLevel,
        settled: &PhaseOptions,
    ) -> Result<Vec<u8>, IrError> {
        let refused = |refusal: Refusal| IrError::Libnvvm {
            architecture: architecture.to_owned(),
            reason: refusal.reason,
            log: refusal.log,
        };
        let compute = architecture.replacen("sm_", "compute_", 1);
        let newest = self.llvm_version(&compute).map_err(refused)? != OUR_LLVM;
        let options = options_for(&compute, level, settled, newest, &self.options);
        let version = self.ir_version().map_err(refused)?;
        let layout = self.data_layout(&module.data_layout(), &version, &options);
        let layout = terminated(&layout.map_err(refused)?).map_err(refused)?;
        module.set_data_layout(&layout);
        weft_set_nvvm_version(module.exclusive(), &version);
        self.compile(&module.to_bitcode()?, &options).map_err(refused)
    }

    /// The data layout that libnvvm wants, by its answer to a kernel with `layout`.
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
        let program = Program::new(self)?;
        program.compile(bitcode, options).map_err(|refusal| {
            let log = program.text(c"nvvmGetProgramLogSize", c"nvvmGetProgramLog");
            let log = log.map(|log| String::from_utf8_lossy(&log).trim().to_owned());
            Refusal { log: log.unwrap_or_default(), ..refusal }
        })
    }

    /// The LLVM whose bitcode libnvvm reads for an architecture such as `compute_100`.
    fn llvm_version(&self, compute: &str) -> Result<c_int, Refusal> {
        type Version = unsafe extern "C" fn(*const c_char, *mut c_int) -> c_int;
        let version = self.function::<Version>(c"nvvmLLVMVersion").map_err(unusable)?;
        let compute = terminated(compute)?;
        let mut major = 0;
        // SAFETY: the text is terminated, and libnvvm writes to a variable of ours.
        self.check(unsafe { version(compute.as_ptr(), &raw mut major) })?;
        Ok(major)
    }

    /// The versions of NVVM IR and of its debug information.
    fn ir_version(&self) -> Result<[u32; 4], Refusal> {
        type Version = unsafe extern "C" fn(*mut u32, *mut u32, *mut u32, *mut u32) -> c_int;
        let version = self.function::<Version>(c"nvvmIRVersion").map_err(unusable)?;
        let mut numbers = [0_u32; 4];
        let [major, minor, debug_major, debug_minor] = &mut numbers;
        // SAFETY: libnvvm writes to four variables of ours.
        self.check(unsafe { version(major, minor, debug_major, debug_minor) })?;
        Ok(numbers)
    }

    /// Turns a result that is no success into libnvvm's words for it.
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

    /// A function of the library, with the type `F` that nvvm.h gives to it.
    fn function<F>(&self, name: &CStr) -> Result<Symbol<'_, F>, libloading::Error> {
        // SAFETY: each caller states the type that nvvm.h gives to the function of this name, and
        // libnvvm's C interface is stable.
        unsafe { self.library.get(name) }
    }
}

/// A program of libnvvm's, for one module.
struct Program<'library> {
    raw: RawProgram,
    nvvm: &'library Libnvvm,
    destroy: Symbol<'library, unsafe extern "C" fn(*mut RawProgram) -> c_int>,
}

impl<'library> Program<'library> {
    fn new(nvvm: &'library Libnvvm) -> Result<Self, Refusal> {
        type Create = unsafe extern "C" fn(*mut RawProgram) -> c_int;
        let create = nvvm.function::<Create>(c"nvvmCreateProgram").map_err(unusable)?;
        let destroy = nvvm.function(c"nvvmDestroyProgram").map_err(unusable)?;
        let mut raw = ptr::null_mut();
        // SAFETY: libnvvm writes the program to a variable of ours.
        nvvm.check(unsafe { create(&raw mut raw) })?;
        Ok(Self { raw, nvvm, destroy })
    }

    fn compile(&self, bitcode: &[u8], options: &[String]) -> Result<Vec<u8>, Refusal> {
        type Add = unsafe extern "C" fn(RawProgram, *const c_char, usize, *const c_char) -> c_int;
        type Compile = unsafe extern "C" fn(RawProgram, c_int, *const *const c_char) -> c_int;
        let add = self.nvvm.function::<Add>(c"nvvmAddModuleToProgram").map_err(unusable)?;
        let compile = self.nvvm.function::<Compile>(c"nvvmCompileProgram").map_err(unusable)?;
        let options: Vec<_> =
            options.iter().map(|option| terminated(option)).collect::<Result<_, _>>()?;
        let pointers: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
        let count = c_int::try_from(pointers.len()).map_err(unusable)?;
        // SAFETY: the program lives as long as `self`. The bitcode has the given length, there are
        // `count` options, and `options` keeps them, which are terminated, until the end.
        unsafe {
            let (data, size) = (bitcode.as_ptr().cast(), bitcode.len());
            self.nvvm.check(add(self.raw, data, size, c"module".as_ptr()))?;
            self.nvvm.check(compile(self.raw, count, pointers.as_ptr()))?;
        }
        self.text(c"nvvmGetCompiledResultSize", c"nvvmGetCompiledResult")
    }

    /// A text of the program without its final zero, by the two functions of libnvvm's with these
    /// names, which tell its size and copy it.
    fn text(&self, size: &CStr, copy: &CStr) -> Result<Vec<u8>, Refusal> {
        type Size = unsafe extern "C" fn(RawProgram, *mut usize) -> c_int;
        type Copy = unsafe extern "C" fn(RawProgram, *mut c_char) -> c_int;
        let size = self.nvvm.function::<Size>(size).map_err(unusable)?;
        let copy = self.nvvm.function::<Copy>(copy).map_err(unusable)?;
        let mut length = 0;
        // SAFETY: the program lives as long as `self`, and the text has room for as many bytes as
        // libnvvm says that it copies.
        let mut text = unsafe {
            self.nvvm.check(size(self.raw, &raw mut length))?;
            let mut text = vec![0_u8; length];
            self.nvvm.check(copy(self.raw, text.as_mut_ptr().cast()))?;
            text
        };
        while text.last() == Some(&0) {
            text.pop();
        }
        Ok(text)
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: `new` made the program, and this is its only owner. A failure leaves nothing to
        // do.
        unsafe { (self.destroy)(&raw mut self.raw) };
    }
}

/// The options for one module: the settled options, the one for the `newest` LLVM if libnvvm would
/// use another by itself, then the user's. A user's option replaces the
/// settled one of its name, since libnvvm refuses to be told anything twice.
///
/// Where nothing was settled for all code, each function keeps its own arithmetic, and libnvvm gets
/// the value at which it does what each function and instruction says. Its defaults would fuse
/// instructions that have no license to be fused.
fn options_for(
    compute: &str,
    level: OptimizationLevel,
    settled: &PhaseOptions,
    newest: bool,
    given: &[String],
) -> Vec<String> {
    // libnvvm has no level between 0 and 3.
    let level = if level == OptimizationLevel::O0 { 0 } else { 3 };
    let fast = settled.fast_compile.map(|fast| format!("-Ofast-compile={}", fast.name()));
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
    options.extend(newest.then(|| NEWEST_FOR_ALL.to_owned()));
    options.extend(fast);
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
    use weft_artifact::FastCompile;

    use super::*;

    fn options(settings: &[(TrackedOption, u32)], given: &[&str]) -> String {
        let settled = PhaseOptions { settings: settings.to_vec(), ..PhaseOptions::default() };
        let given: Vec<_> = given.iter().map(|&option| option.to_owned()).collect();
        options_for("compute_90", OptimizationLevel::O2, &settled, true, &given).join(" ")
    }

    #[test]
    fn libnvvm_gets_what_was_settled() {
        let own = "-arch=compute_90 -opt=3 -fma=0 -ftz=0 -prec-div=1 -prec-sqrt=1 -nvvm-latest";
        assert_eq!(options(&[], &[]), own);
        let settled = [(TrackedOption::Ftz, 1), (TrackedOption::PrecDiv, 0)];
        assert_eq!(
            options(&settled, &[]),
            "-arch=compute_90 -opt=3 -fma=0 -ftz=1 -prec-div=0 -prec-sqrt=1 -nvvm-latest"
        );
        let fast = FastCompile::NAMES.map(|(fast, name)| {
            let settled = PhaseOptions { fast_compile: Some(fast), ..PhaseOptions::default() };
            let level = OptimizationLevel::of(&settled);
            let made = options_for("compute_90", level, &settled, true, &[]);
            made.join(" ") == format!("{own} -Ofast-compile={name}")
        });
        assert_eq!(fast, [true; 3]);
    }

    #[test]
    fn an_option_of_the_user_takes_the_place_of_the_settled_one() {
        assert_eq!(
            options(&[], &["-opt=0", "-fma=1", "-nvvm-latest", "-opt=3", "-arch=compute_100"]),
            "-ftz=0 -prec-div=1 -prec-sqrt=1 -fma=1 -nvvm-latest -opt=3 -arch=compute_100"
        );
    }
}
