source_filename = "a"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent noinline norecurse nounwind memory(none)
define weak_odr i32 @inline_function(i32 %0) #0 {
  %2 = add i32 %0, 1
  ret i32 %2
}

; Function Attrs: convergent nounwind
define ptx_kernel void @first(ptr %0) #1 {
  %2 = call i32 @inline_function(i32 1)
  store i32 %2, ptr %0, align 4
  ret void
}

attributes #0 = { convergent noinline norecurse nounwind memory(none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
