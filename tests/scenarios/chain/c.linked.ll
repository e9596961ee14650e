source_filename = "c"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%0 = type { i32, i32 }

; Function Attrs: convergent norecurse nounwind memory(argmem: read)
define i32 @deep(ptr byval(%0) %0, i32 %1) #0 {
  %3 = load i32, ptr %0, align 4
  %4 = add i32 %3, %1
  ret i32 %4
}

attributes #0 = { convergent norecurse nounwind memory(argmem: read) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
