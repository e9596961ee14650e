; Locals: a counter and a helper are promoted, a string literal is copied, the rest stays.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@counter = internal addrspace(1) global i32 0, align 4
@buffer.static = internal addrspace(3) global [32 x i32] undef, align 4
@.str = private unnamed_addr constant [6 x i8] c"hello\00", align 1
@own = internal addrspace(1) global i32 3, align 4

define i32 @next(i32 %lane) #0 {
  %old = atomicrmw add ptr addrspace(1) @counter, i32 1 monotonic
  %slot = getelementptr [32 x i32], ptr addrspace(3) @buffer.static, i32 0, i32 %lane
  store i32 %old, ptr addrspace(3) %slot
  call void @report(ptr @.str)
  ret i32 %old
}

define internal void @report(ptr %text) #1 {
  %value = load i32, ptr addrspace(1) @own
  %slot = getelementptr i8, ptr %text, i32 %value
  store volatile i8 0, ptr %slot
  ret void
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
