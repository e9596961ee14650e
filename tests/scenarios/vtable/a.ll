; A virtual call on an object whose class is known: the table is imported.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = external constant [2 x ptr]

define ptx_kernel void @kernel(ptr %out) #0 {
  %method = load ptr, ptr getelementptr ([2 x ptr], ptr @table, i32 0, i32 1)
  %value = call i32 %method(i32 7)
  store i32 %value, ptr %out
  ret void
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
