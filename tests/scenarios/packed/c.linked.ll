source_filename = "c"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@counter_weft_10e5cf3d3c8a4f9f = external hidden addrspace(1) global i32, align 4
@table_weft_10e5cf3d3c8a4f9f = available_externally hidden addrspace(4) constant [2 x i32] [i32 5, i32 6], align 4

; Function Attrs: convergent nounwind
define ptx_kernel void @third(ptr %0) #0 {
  %2 = call i32 @helper_weft_ea7aa1fc9efdbe10(i32 7)
  store i32 %2, ptr %0, align 4
  ret void
}

; Function Attrs: convergent noinline norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal i32 @helper_weft_ea7aa1fc9efdbe10(i32 %0) #1 {
  %2 = atomicrmw add ptr addrspace(1) @counter_weft_10e5cf3d3c8a4f9f, i32 %0 monotonic, align 4
  %3 = call i32 @scale_weft_10e5cf3d3c8a4f9f_weft_ea7aa1fc9efdbe10(i32 %2)
  %4 = load i32, ptr addrspace(4) @table_weft_10e5cf3d3c8a4f9f, align 4
  %5 = add i32 %3, %4
  ret i32 %5
}

; Function Attrs: convergent noinline norecurse nounwind memory(none)
define internal i32 @scale_weft_10e5cf3d3c8a4f9f_weft_ea7aa1fc9efdbe10(i32 %0) #2 {
  %2 = mul i32 %0, %0
  ret i32 %2
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #2 = { convergent noinline norecurse nounwind memory(none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
