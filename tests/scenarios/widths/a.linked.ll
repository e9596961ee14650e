source_filename = "a"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@seen_weft_10e5cf3d3c8a4f9f = external hidden addrspace(1) global i1, align 4
@fresh_weft_10e5cf3d3c8a4f9f = external hidden addrspace(1) global i1
@three_weft_10e5cf3d3c8a4f9f = external hidden addrspace(1) global i3
@color_weft_10e5cf3d3c8a4f9f = external hidden addrspace(1) global i24
@voted_weft_10e5cf3d3c8a4f9f = external hidden addrspace(3) global i1

; Function Attrs: convergent nounwind
define ptx_kernel void @kernel(ptr %0) #0 {
  %2 = call i32 @next()
  store i32 %2, ptr %0, align 4
  ret void
}

; Function Attrs: convergent norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define available_externally i32 @next() #1 {
  %1 = load i1, ptr addrspace(1) @seen_weft_10e5cf3d3c8a4f9f, align 1
  store i1 true, ptr addrspace(1) @seen_weft_10e5cf3d3c8a4f9f, align 1
  %2 = load i1, ptr addrspace(1) @fresh_weft_10e5cf3d3c8a4f9f, align 1
  store i1 false, ptr addrspace(1) @fresh_weft_10e5cf3d3c8a4f9f, align 1
  %3 = load i3, ptr addrspace(1) @three_weft_10e5cf3d3c8a4f9f, align 1
  store i3 2, ptr addrspace(1) @three_weft_10e5cf3d3c8a4f9f, align 1
  %4 = load i24, ptr addrspace(1) @color_weft_10e5cf3d3c8a4f9f, align 4
  store i24 5, ptr addrspace(1) @color_weft_10e5cf3d3c8a4f9f, align 4
  %5 = load i1, ptr addrspace(3) @voted_weft_10e5cf3d3c8a4f9f, align 1
  store i1 %1, ptr addrspace(3) @voted_weft_10e5cf3d3c8a4f9f, align 1
  %6 = zext i1 %1 to i32
  %7 = zext i1 %2 to i32
  %8 = zext i3 %3 to i32
  %9 = zext i24 %4 to i32
  %10 = zext i1 %5 to i32
  %11 = add i32 %6, %7
  %12 = add i32 %8, %9
  %13 = add i32 %10, %11
  %14 = add i32 %12, %13
  ret i32 %14
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
