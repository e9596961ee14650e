; The importer of a body that refers to variables of widths for which PTX has no type.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %out) #0 {
  %value = call i32 @next()
  store i32 %value, ptr %out
  ret void
}

declare i32 @next() #0

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
