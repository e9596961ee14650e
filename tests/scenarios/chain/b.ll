; The middle of the chain.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.pair = type { i32, i32 }

declare i32 @deep(ptr byval(%struct.pair), i32) #0

define i32 @middle(i32 %value) #0 {
  %pair = alloca %struct.pair
  store i32 %value, ptr %pair
  %result = call i32 @deep(ptr byval(%struct.pair) %pair, i32 %value)
  ret i32 %result
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
