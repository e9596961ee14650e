source_filename = "b"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@counter_weft_10e5cf3d3c8a4f9f = hidden addrspace(1) global i32 0, align 4
@"buffer$2estatic_weft_10e5cf3d3c8a4f9f" = hidden addrspace(3) global [32 x i32] undef, align 4
@.str = private unnamed_addr constant [6 x i8] c"hello\00", align 1
@own = internal addrspace(1) constant i32 3, align 4

; Function Attrs: convergent norecurse nounwind
define i32 @next(i32 %0) #0 {
  %2 = atomicrmw add ptr addrspace(1) @counter_weft_10e5cf3d3c8a4f9f, i32 1 monotonic, align 4
  %3 = getelementptr [32 x i32], ptr addrspace(3) @"buffer$2estatic_weft_10e5cf3d3c8a4f9f", i32 0, i32 %0
  store i32 %2, ptr addrspace(3) %3, align 4
  call void @report_weft_10e5cf3d3c8a4f9f(ptr @.str)
  ret i32 %2
}

; Function Attrs: convergent noinline norecurse nounwind
define hidden void @report_weft_10e5cf3d3c8a4f9f(ptr %0) #1 {
  %2 = load i32, ptr addrspace(1) @own, align 4
  %3 = getelementptr i8, ptr %0, i32 %2
  store volatile i8 0, ptr %3, align 1
  ret void
}

attributes #0 = { convergent norecurse nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline norecurse nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"weft-architecture", !"sm_90"}
!1 = !{i32 1, !"weft-ptx-feature", !"+ptx88"}
