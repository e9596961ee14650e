; The callee, and a function that nothing calls.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define i32 @callee(i32 %value) #0 {
  %doubled = mul i32 %value, %value
  ret i32 %doubled
}

define i32 @unused(i32 %value) #0 {
  ret i32 %value
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
