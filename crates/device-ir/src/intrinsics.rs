//! Kinds of machine instructions that intrinsics stand for on the GPU.

/// Kinds of intrinsics that cost models tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntrinsicClass {
    /// A marker, which is no code.
    Marker,
    /// An exchange of values or a vote among the threads of a warp.
    Warp,
    /// An operation of the tensor cores.
    Tensor,
    /// A point where threads wait for each other.
    Barrier,
    /// Another machine instruction of the GPU.
    Special,
    /// LLVM's own intrinsic, for any machine.
    Generic,
}

/// The class of the intrinsic called `name`. Names are LLVM's interface; numbers change with it.
pub(crate) fn class_of(name: &str) -> IntrinsicClass {
    const MARKERS: [&str; 2] = ["llvm.lifetime.", "llvm.dbg."];
    const WARP: [&str; 6] = ["shfl.", "vote.", "match.", "redux.", "activemask", "elect."];
    const TENSOR: [&str; 5] = ["wmma.", "mma.", "wgmma.", "tcgen05.", "ldmatrix."];
    const BARRIER: [&str; 4] = ["barrier", "bar.", "mbarrier.", "cluster.barrier"];
    if MARKERS.iter().any(|prefix| name.starts_with(prefix)) {
        return IntrinsicClass::Marker;
    }
    let Some(operation) = name.strip_prefix("llvm.nvvm.") else { return IntrinsicClass::Generic };
    let is_one_of = |prefixes: &[&str]| prefixes.iter().any(|prefix| operation.starts_with(prefix));
    if is_one_of(&WARP) {
        IntrinsicClass::Warp
    } else if is_one_of(&TENSOR) {
        IntrinsicClass::Tensor
    } else if is_one_of(&BARRIER) {
        IntrinsicClass::Barrier
    } else {
        IntrinsicClass::Special
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_class() {
        let cases = [
            ("llvm.lifetime.start.p0", IntrinsicClass::Marker),
            ("llvm.nvvm.shfl.sync.down.i32", IntrinsicClass::Warp),
            ("llvm.nvvm.vote.ballot.sync", IntrinsicClass::Warp),
            ("llvm.nvvm.mma.m16n8k8.row.col.f32.tf32", IntrinsicClass::Tensor),
            ("llvm.nvvm.barrier.cta.sync.aligned.all", IntrinsicClass::Barrier),
            ("llvm.nvvm.bar.warp.sync", IntrinsicClass::Barrier),
            ("llvm.nvvm.fma.rn.f", IntrinsicClass::Special),
            ("llvm.fma.f32", IntrinsicClass::Generic),
        ];
        for (name, class) in cases {
            assert_eq!(class_of(name), class, "{name}");
        }
    }
}
