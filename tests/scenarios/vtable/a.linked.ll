source_filename = "a"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = available_externally constant [2 x ptr] [ptr @zeroth, ptr @first]

; Function Attrs: convergent nounwind
define ptx_kernel void @kernel(ptr %0) #0 {
  %2 = load ptr, ptr getelementptr ([2 x ptr], ptr @table, i32 0, i32 1), align 8
  %3 = call i32 %2(i32 7)
  store i32 %3, ptr %0, align 4
  ret void
}

; Function Attrs: convergent norecurse nounwind memory(none)
define available_externally i32 @first(i32 %0) #1 {
  %2 = add i32 %0, %0
  ret i32 %2
}

; Function Attrs: convergent norecurse nounwind memory(none)
define available_externally i32 @zeroth(i32 %0) #1 {
  ret i32 %0
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent norecurse nounwind memory(none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
