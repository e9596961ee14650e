; A closed kernel: what it calls comes along as internal functions, `noinline` or not. It also takes the
; address of a function that it calls, which is the one of the program's function and not of the copy. Its own
; `slow_path` is another function than the other module's.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$merged = comdat any

define ptx_kernel void @first(ptr %out) #0 {
  %one = call i32 @called(i32 7)
  %two = call i32 @pointed_at(i32 %one)
  %own = call i32 @slow_path(i32 %two)
  %three = call i32 @merged(i32 %own)
  %same = icmp eq ptr %out, @pointed_at
  %value = select i1 %same, i32 %two, i32 %three
  store i32 %value, ptr %out
  ret void
}

define linkonce_odr i32 @merged(i32 %value) #1 comdat {
  %result = xor i32 %value, 5
  ret i32 %result
}

define internal i32 @slow_path(i32 %value) #1 {
  %result = add i32 %value, %value
  ret i32 %result
}

declare i32 @called(i32) #0
declare i32 @pointed_at(i32) #0

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
