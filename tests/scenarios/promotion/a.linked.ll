source_filename = "a"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@counter_weft_10e5cf3d3c8a4f9f = external hidden addrspace(1) global i32, align 4
@"buffer$2estatic_weft_10e5cf3d3c8a4f9f" = external hidden addrspace(3) global [32 x i32], align 4
@"$2estr_weft_10e5cf3d3c8a4f9f" = private unnamed_addr constant [6 x i8] c"hello\00", align 1

; Function Attrs: convergent nounwind
define ptx_kernel void @kernel(ptr %0) #0 {
  %2 = call i32 @next(i32 7)
  store i32 %2, ptr %0, align 4
  ret void
}

; Function Attrs: convergent nounwind
define available_externally i32 @next(i32 %0) #0 {
  %2 = atomicrmw add ptr addrspace(1) @counter_weft_10e5cf3d3c8a4f9f, i32 1 monotonic, align 4
  %3 = getelementptr [32 x i32], ptr addrspace(3) @"buffer$2estatic_weft_10e5cf3d3c8a4f9f", i32 0, i32 %0
  store i32 %2, ptr addrspace(3) %3, align 4
  call void @report_weft_10e5cf3d3c8a4f9f(ptr @"$2estr_weft_10e5cf3d3c8a4f9f")
  ret i32 %2
}

; Function Attrs: convergent noinline nounwind
declare hidden void @report_weft_10e5cf3d3c8a4f9f(ptr) #1

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
