; The callee stays visible; its helper becomes internal.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define i32 @callee(i32 %value) #1 {
  %doubled = call i32 @helper(i32 %value)
  ret i32 %doubled
}

define i32 @helper(i32 %value) #0 {
  %doubled = mul i32 %value, %value
  ret i32 %doubled
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
