source_filename = "b"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@counter_weft_10e5cf3d3c8a4f9f = hidden addrspace(1) global i32 0, align 4

; Function Attrs: convergent noinline nounwind memory(none)
define i32 @pointed_at(i32 %0) #0 {
  %2 = icmp slt i32 %0, 1
  br i1 %2, label %6, label %3

3:                                                ; preds = %1
  %4 = sub i32 %0, 2
  %5 = call i32 @pointed_at(i32 %4)
  br label %6

6:                                                ; preds = %3, %1
  %7 = phi i32 [ %0, %1 ], [ %5, %3 ]
  ret i32 %7
}

; Function Attrs: convergent noinline norecurse nounwind memory(none)
define internal i32 @merged_weft_10e5cf3d3c8a4f9f(i32 %0) #1 {
  %2 = xor i32 %0, 5
  ret i32 %2
}

; Function Attrs: convergent nounwind
define ptx_kernel void @second(ptr %0) #2 {
  %2 = call i32 @merged_weft_10e5cf3d3c8a4f9f(i32 3)
  store i32 %2, ptr %0, align 4
  ret void
}

attributes #0 = { convergent noinline nounwind memory(none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline norecurse nounwind memory(none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #2 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
