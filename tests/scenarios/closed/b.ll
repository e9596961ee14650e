; What a closed kernel of another module calls. `called` and `slow_path` have no other user and go, while the
; static variable stays one. `pointed_at`, which calls itself, stays for its address.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$merged = comdat any

@counter = internal addrspace(1) global i32 0, align 4

define i32 @called(i32 %value) #1 {
  %count = atomicrmw add ptr addrspace(1) @counter, i32 %value monotonic, align 4
  %result = call i32 @slow_path(i32 %count)
  ret i32 %result
}

define internal i32 @slow_path(i32 %value) #1 {
  %result = mul i32 %value, %value
  ret i32 %result
}

define i32 @pointed_at(i32 %value) #1 {
  %done = icmp slt i32 %value, 1
  br i1 %done, label %end, label %again
again:
  %less = sub i32 %value, 2
  %inner = call i32 @pointed_at(i32 %less)
  br label %end
end:
  %result = phi i32 [ %value, %0 ], [ %inner, %again ]
  ret i32 %result
}

define linkonce_odr i32 @merged(i32 %value) #1 comdat {
  %result = xor i32 %value, 5
  ret i32 %result
}

define ptx_kernel void @second(ptr %out) #0 {
  %value = call i32 @merged(i32 3)
  store i32 %value, ptr %out
  ret void
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent noinline nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
