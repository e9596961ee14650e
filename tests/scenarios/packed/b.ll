; The second member. The kernel of `c`, which is compiled alone, needs its static variable, too, and gets copies
; of its functions.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$merged = comdat any

@counter = internal addrspace(1) global i32 0, align 4
@table = internal addrspace(4) constant [2 x i32] [i32 5, i32 6], align 4

define i32 @helper(i32 %value) #1 {
  %count = atomicrmw add ptr addrspace(1) @counter, i32 %value monotonic, align 4
  %scaled = call i32 @scale(i32 %count)
  %entry = load i32, ptr addrspace(4) @table, align 4
  %result = add i32 %scaled, %entry
  ret i32 %result
}

define internal i32 @scale(i32 %value) #1 {
  %result = mul i32 %value, %value
  ret i32 %result
}

define linkonce_odr i32 @merged(i32 %value) #1 comdat {
  %result = xor i32 %value, 5
  ret i32 %result
}

define ptx_kernel void @second(ptr %out) #0 {
  %value = call i32 @merged(i32 3)
  store i32 %value, ptr %out
  ret void
}

define void @unused(ptr %out) #0 {
  store i32 9, ptr %out
  ret void
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"EnableSplitLTOUnit", i32 1}
