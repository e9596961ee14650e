source_filename = "b"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = constant [2 x ptr] [ptr @zeroth, ptr @first]

; Function Attrs: convergent norecurse nounwind memory(none)
define i32 @zeroth(i32 %0) #0 {
  ret i32 %0
}

; Function Attrs: convergent norecurse nounwind memory(none)
define i32 @first(i32 %0) #0 {
  %2 = add i32 %0, %0
  ret i32 %2
}

attributes #0 = { convergent norecurse nounwind memory(none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
