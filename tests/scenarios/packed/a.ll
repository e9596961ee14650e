; The first member of a bundle: `b` is compiled with it. Both have a local function `scale` and a definition of
; `merged`, of which one stays, and flags of the module that LLVM's linker would refuse to link.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$merged = comdat any

@table = internal addrspace(4) constant [2 x i32] [i32 3, i32 4], align 4

define ptx_kernel void @first(ptr %out) #0 {
  %value = load i32, ptr addrspace(4) @table, align 4
  %one = call i32 @helper(i32 %value)
  %two = call i32 @scale(i32 %one)
  %three = call i32 @merged(i32 %two)
  store i32 %three, ptr %out
  ret void
}

define linkonce_odr i32 @merged(i32 %value) #1 comdat {
  %result = xor i32 %value, 5
  ret i32 %result
}

define internal i32 @scale(i32 %value) #1 {
  %result = add i32 %value, %value
  ret i32 %result
}

declare i32 @helper(i32) #0

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"EnableSplitLTOUnit", i32 0}
