; A unit with a job of its own.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @third(ptr %out) #0 {
  %one = call i32 @helper(i32 7)
  store i32 %one, ptr %out
  ret void
}

declare i32 @helper(i32) #0

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
