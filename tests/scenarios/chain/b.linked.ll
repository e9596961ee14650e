source_filename = "b"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%0 = type { i32, i32 }

; Function Attrs: convergent norecurse nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define i32 @middle(i32 %0) #0 {
  %2 = alloca %0, align 8
  store i32 %0, ptr %2, align 4
  %3 = call i32 @deep(ptr byval(%0) %2, i32 %0)
  ret i32 %3
}

; Function Attrs: convergent norecurse nounwind memory(argmem: read)
define available_externally i32 @deep(ptr byval(%0) %0, i32 %1) #1 {
  %3 = load i32, ptr %0, align 4
  %4 = add i32 %3, %1
  ret i32 %4
}

attributes #0 = { convergent norecurse nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent norecurse nounwind memory(argmem: read) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
