source_filename = "a"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@counter_weft_10e5cf3d3c8a4f9f = external hidden addrspace(1) global i32, align 4

; Function Attrs: convergent nounwind
define ptx_kernel void @first(ptr %0) #0 {
  %2 = call i32 @called_weft_17762fddd969a453(i32 7)
  %3 = call i32 @pointed_at_weft_17762fddd969a453(i32 %2)
  %4 = call i32 @slow_path_weft_17762fddd969a453(i32 %3)
  %5 = call i32 @merged(i32 %4)
  %6 = icmp eq ptr %0, @pointed_at
  %7 = select i1 %6, i32 %3, i32 %5
  store i32 %7, ptr %0, align 4
  ret void
}

; Function Attrs: convergent noinline norecurse nounwind memory(none)
define internal i32 @merged(i32 %0) #1 {
  %2 = xor i32 %0, 5
  ret i32 %2
}

; Function Attrs: convergent noinline norecurse nounwind memory(none)
define internal i32 @slow_path_weft_17762fddd969a453(i32 %0) #1 {
  %2 = add i32 %0, %0
  ret i32 %2
}

; Function Attrs: convergent noinline norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal i32 @called_weft_17762fddd969a453(i32 %0) #2 {
  %2 = atomicrmw add ptr addrspace(1) @counter_weft_10e5cf3d3c8a4f9f, i32 %0 monotonic, align 4
  %3 = call i32 @slow_path_weft_10e5cf3d3c8a4f9f_weft_17762fddd969a453(i32 %2)
  ret i32 %3
}

; Function Attrs: convergent noinline norecurse nounwind memory(none)
define internal i32 @slow_path_weft_10e5cf3d3c8a4f9f_weft_17762fddd969a453(i32 %0) #1 {
  %2 = mul i32 %0, %0
  ret i32 %2
}

; Function Attrs: convergent noinline nounwind memory(none)
define available_externally i32 @pointed_at(i32 %0) #3 {
  %2 = icmp slt i32 %0, 1
  br i1 %2, label %6, label %3

3:                                                ; preds = %1
  %4 = sub i32 %0, 2
  %5 = call i32 @pointed_at_weft_17762fddd969a453(i32 %4)
  br label %6

6:                                                ; preds = %3, %1
  %7 = phi i32 [ %0, %1 ], [ %5, %3 ]
  ret i32 %7
}

; Function Attrs: convergent noinline nounwind memory(none)
define internal i32 @pointed_at_weft_17762fddd969a453(i32 %0) #3 {
  %2 = icmp slt i32 %0, 1
  br i1 %2, label %6, label %3

3:                                                ; preds = %1
  %4 = sub i32 %0, 2
  %5 = call i32 @pointed_at_weft_17762fddd969a453(i32 %4)
  br label %6

6:                                                ; preds = %3, %1
  %7 = phi i32 [ %0, %1 ], [ %5, %3 ]
  ret i32 %7
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline norecurse nounwind memory(none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #2 = { convergent noinline norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #3 = { convergent noinline nounwind memory(none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
