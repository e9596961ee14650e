//! Kinds of machine instructions that intrinsics represent on the GPU.

/// Kinds of intrinsics that cost models tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntrinsicClass {
    /// A mark of debug information or of a profile, which LLVM does not count as an instruction.
    Uncounted,
    /// The begin or the end of a variable's lifetime, which becomes no code.
    Lifetime,
    /// An exchange of values or a vote among the threads of a warp.
    Warp,
    /// An operation of the tensor cores.
    Tensor,
    /// Another intrinsic.
    Other,
}

/// The class of the intrinsic called `name`. Names are LLVM's interface; numbers change with it.
pub(crate) fn class_of(name: &str) -> IntrinsicClass {
    const UNCOUNTED: [&str; 2] = ["llvm.dbg.", "llvm.pseudoprobe"];
    const WARP: [&str; 6] = ["shfl.", "vote.", "match.", "redux.", "activemask", "elect."];
    const TENSOR: [&str; 5] = ["wmma.", "mma.", "wgmma.", "tcgen05.", "ldmatrix."];
    if UNCOUNTED.iter().any(|prefix| name.starts_with(prefix)) {
        return IntrinsicClass::Uncounted;
    }
    if name.starts_with("llvm.lifetime.") {
        return IntrinsicClass::Lifetime;
    }
    let Some(operation) = name.strip_prefix("llvm.nvvm.") else { return IntrinsicClass::Other };
    let is_one_of = |prefixes: &[&str]| prefixes.iter().any(|prefix| operation.starts_with(prefix));
    if is_one_of(&WARP) {
        IntrinsicClass::Warp
    } else if is_one_of(&TENSOR) {
        IntrinsicClass::Tensor
    } else {
        IntrinsicClass::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_class() {
        let cases = [
            ("llvm.lifetime.start.p0", IntrinsicClass::Lifetime),
            ("llvm.pseudoprobe", IntrinsicClass::Uncounted),
            ("llvm.nvvm.shfl.sync.down.i32", IntrinsicClass::Warp),
            ("llvm.nvvm.vote.ballot.sync", IntrinsicClass::Warp),
            ("llvm.nvvm.mma.m16n8k8.row.col.f32.tf32", IntrinsicClass::Tensor),
            ("llvm.nvvm.fma.rn.f", IntrinsicClass::Other),
            ("llvm.fma.f32", IntrinsicClass::Other),
        ];
        for (name, class) in cases {
            assert_eq!(class_of(name), class, "{name}");
        }
    }
}
