//! The launch bounds of kernels.

use crate::summary_fields::{device, function};

/// A bound is a number, or a number for each dimension, which are multiplied.
#[test]
fn launch_bounds() {
    let device = device(
        "define ptx_kernel void @f() #0 { ret void }
define ptx_kernel void @g() { ret void }
attributes #0 = { \"nvvm.maxntid\"=\"32,8,2\" \"nvvm.reqntid\"=\"64,2\"
  \"nvvm.minctasm\"=\"3\" \"nvvm.cluster_dim\"=\"2,2,1\"
  \"nvvm.maxclusterrank\"=\"8\" \"nvvm.maxnreg\"=\"96\" }
",
    );
    for (field, expected) in [
        ("max_threads", 512),
        ("required_threads", 128),
        ("min_blocks", 3),
        ("cluster_blocks", 4),
        ("max_cluster_blocks", 8),
        ("max_registers", 96),
    ] {
        assert_eq!(function(&device, "f")["launch_bounds"][field], expected, "{field}");
        assert_eq!(function(&device, "g")["launch_bounds"][field], 0, "{field}");
    }
}
