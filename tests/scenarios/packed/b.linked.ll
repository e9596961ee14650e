source_filename = "nothing"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
