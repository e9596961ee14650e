; The second copy: good for inlining, and gone from the code.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$inline_function = comdat any

define linkonce_odr i32 @inline_function(i32 %value) #1 comdat {
  %more = add i32 %value, 1
  ret i32 %more
}

define ptx_kernel void @second(ptr %out) #0 {
  %value = call i32 @inline_function(i32 2)
  store i32 %value, ptr %out
  ret void
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
