//! The modes of ptxas that suit a module.

use weft_container::{
    Dependence, dependence, most_functions_of_a_kernel, ptx_kernels, shows_constants,
};

/// The most statements of PTX in a kernel for which ptxas is at its best with all of the kernel
/// before it. Larger kernels have fewer registers and fewer local accesses in a relocatable module.
const LARGEST_WHOLE_KERNEL: usize = 6_000;

/// The most functions that a kernel may reach for ptxas to get them as parts or copies of the
/// kernel's own. The time that it takes then grows with the square of their number.
const MOST_OWN_FUNCTIONS: usize = 256;

/// The kind of program that ptxas takes its input for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A whole program, whose cubin is not linked.
    Program,
    /// A part of a program.
    Relocatable,
    /// A part of a program, in which each kernel has copies of the local functions that it calls.
    Cloned,
    /// A part of a program that needs nothing of the other parts.
    Extensible,
}

impl Mode {
    /// Its name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Relocatable => "relocatable",
            Self::Cloned => "cloned functions",
            Self::Extensible => "whole kernels",
        }
    }

    /// The options that choose it.
    pub(crate) fn options(self) -> &'static [&'static str] {
        match self {
            Self::Program => &[],
            Self::Relocatable => &["--compile-only"],
            Self::Cloned => &["--compile-only", "--enable-func-clone-sc=true"],
            Self::Extensible => &["--extensible-whole-program"],
        }
    }
}

/// Modes that the command line allows beside the one of parts of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    /// Whether kernels may be compiled as a whole. ptxas 13.5 fails with an internal error in
    /// combination with fast compilation.
    pub(crate) whole_kernels: bool,
    /// Whether kernels may have copies of functions.
    pub(crate) clone_functions: bool,
    /// Whether kernels of any size may be compiled as a whole. NVIDIA's linker does so with what
    /// its optimizer makes, and those kernels have more registers as parts of a program.
    pub(crate) any_size: bool,
}

/// The modes for `ptx` on the architecture, with the best one first as far as the PTX shows it.
pub(crate) fn modes(ptx: &[u8], architecture: &str, allowed: Allowed) -> Vec<Mode> {
    // ptxas says itself what is wrong with text that cannot be read.
    let dependence = dependence(ptx).unwrap_or(Dependence::Functions);
    let mut modes = vec![Mode::Extensible, Mode::Cloned, Mode::Relocatable];
    if dependence == Dependence::Functions || (!allowed.any_size && is_mostly_large_kernels(ptx)) {
        modes.reverse();
    }
    let functions = most_functions_of_a_kernel(ptx).unwrap_or(0);
    let has_few_functions = functions <= MOST_OWN_FUNCTIONS;
    // ptxas runs twice for constants, so kernels must have something of it.
    let may_be_whole = match dependence {
        Dependence::Nothing => true,
        Dependence::Constants => {
            shows_constants(architecture) && (functions > 0 || gains_without_functions(ptx))
        }
        Dependence::Memory | Dependence::Functions => false,
    };
    modes.retain(|mode| match mode {
        Mode::Extensible | Mode::Cloned if !has_few_functions => false,
        Mode::Extensible => may_be_whole && allowed.whole_kernels,
        Mode::Cloned => allowed.clone_functions,
        Mode::Relocatable | Mode::Program => true,
    });
    modes
}

/// Whether kernels of `ptx` gain from being compiled as a whole although they call no function:
/// they use shared memory, whose offsets are then known, or instructions that ptxas implements as
/// functions.
fn gains_without_functions(ptx: &[u8]) -> bool {
    const SIGNS: [&[u8]; 5] = [b".shared", b"\tdiv.", b"\trem.", b"\tsqrt.", b"\trcp."];
    SIGNS.iter().any(|sign| ptx.windows(sign.len()).any(|word| word == *sign))
}

/// Returns whether half of the kernels' code or more is in kernels that are too large to be
/// assembled as a whole.
fn is_mostly_large_kernels(ptx: &[u8]) -> bool {
    let kernels = ptx_kernels(ptx).unwrap_or_default();
    let statements = kernels.iter().map(|kernel| kernel.statements);
    let large: usize = statements.clone().filter(|size| *size > LARGEST_WHOLE_KERNEL).sum();
    large > 0 && 2 * large >= statements.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Allowed = Allowed { whole_kernels: true, clone_functions: true, any_size: false };

    /// The second run of ptxas is for kernels that have something of it.
    #[test]
    fn constants_are_found_again_where_a_kernel_has_something_of_it() {
        let mode = |architecture: &str, more: &str, body: &str| {
            let text = format!(
                ".version 8.8\n.target sm_90\n.const .align 4 .b8 c[4];\n{more}\n\
                 .func f()\n{{\nret;\n}}\n.visible .entry k()\n{{\n{body}\nret;\n}}\n"
            );
            modes(text.as_bytes(), architecture, ALL)[0]
        };
        assert_eq!(mode("sm_90", "", "call f;"), Mode::Extensible);
        assert_eq!(mode("sm_90a", "", ".shared .b8 s[4];"), Mode::Extensible);
        assert_eq!(mode("sm_90", "", "\tsqrt.rn.f32 %f1, %f2;"), Mode::Extensible);
        assert_eq!(mode("sm_90", "", ""), Mode::Cloned);
        assert_eq!(mode("sm_100", "", "call f;"), Mode::Cloned);
        let other = ".extern .const .align 4 .b8 other[4];";
        assert_eq!(mode("sm_90", other, "call f;"), Mode::Cloned);
    }

    #[test]
    fn kernels_that_reach_very_many_functions_share_them() {
        let of = |count: usize| {
            let calls = |number: usize| {
                let is_last = number == count;
                if is_last { String::new() } else { format!("call f{number};\n") }
            };
            let body = |number: usize| format!("{{\n{}ret;\n}}\n", calls(number));
            let functions =
                (1..=count).map(|number| format!(".func f{}()\n{}", number - 1, body(number)));
            let kernel = format!(".visible .entry k()\n{}", body(0));
            let text = [".version 8.8\n.target sm_90\n".to_owned(), kernel].into_iter();
            let text: String = text.chain(functions).collect();
            modes(text.as_bytes(), "sm_90", ALL)
        };
        let all = [Mode::Extensible, Mode::Cloned, Mode::Relocatable];
        assert_eq!(of(MOST_OWN_FUNCTIONS), all);
        assert_eq!(of(MOST_OWN_FUNCTIONS + 1), [Mode::Relocatable]);
    }

    #[test]
    fn modules_of_very_large_kernels_are_not_whole() {
        let mode_of = |allowed: Allowed, sizes: &[usize]| {
            let kernels = sizes.iter().enumerate().map(|(number, size)| {
                let body = "bar.sync 0;\n".repeat(*size);
                format!(".visible .entry k{number}()\n{{\n{body}}}\n")
            });
            let text = [".version 8.8\n.target sm_90\n".to_owned()].into_iter().chain(kernels);
            let text: String = text.collect();
            modes(text.as_bytes(), "sm_90", allowed)[0]
        };
        let mode = |sizes: &[usize]| mode_of(ALL, sizes);
        assert_eq!(mode(&[LARGEST_WHOLE_KERNEL]), Mode::Extensible);
        assert_eq!(mode(&[LARGEST_WHOLE_KERNEL + 1]), Mode::Relocatable);
        // Many small kernels outweigh a large one.
        assert_eq!(mode(&[LARGEST_WHOLE_KERNEL + 1, 4000, 4000]), Mode::Extensible);
        assert_eq!(mode(&[4000, LARGEST_WHOLE_KERNEL + 1]), Mode::Relocatable);
        let any = Allowed { any_size: true, ..ALL };
        assert_eq!(mode_of(any, &[LARGEST_WHOLE_KERNEL + 1]), Mode::Extensible);
    }
}
