; The table of virtual functions and what it names.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = constant [2 x ptr] [ptr @zeroth, ptr @first]

define i32 @zeroth(i32 %value) #0 {
  ret i32 %value
}

define i32 @first(i32 %value) #0 {
  %doubled = add i32 %value, %value
  ret i32 %doubled
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
