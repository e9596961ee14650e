; The end of the chain. Its structure has the same name as another one of the chain.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.pair = type { i32, i32 }
%struct.other = type { double, i32 }

define i32 @deep(ptr byval(%struct.pair) %pair, i32 %value) #0 {
  %first = load i32, ptr %pair
  %sum = add i32 %first, %value
  ret i32 %sum
}

define double @unimported(ptr %other) #1 {
  %slot = getelementptr %struct.other, ptr %other, i32 1, i32 0
  %value = load double, ptr %slot
  ret double %value
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
