source_filename = "a"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent nounwind
define ptx_kernel void @kernel(ptr %0) #0 {
  %2 = call i32 @callee(i32 7)
  store i32 %2, ptr %0, align 4
  ret void
}

; Function Attrs: convergent norecurse nounwind memory(none)
declare i32 @callee(i32) #1

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent norecurse nounwind memory(none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
