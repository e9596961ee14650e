; LLVM's optimizer makes static variables that hold one of two values variables of one bit.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@seen = internal addrspace(1) global i1 false, align 4
@fresh = internal addrspace(1) global i1 true
@three = internal addrspace(1) global i3 -1
@color = internal addrspace(1) global i24 -2
@voted = internal addrspace(3) global i1 undef

define i32 @next() #0 {
  %seen = load i1, ptr addrspace(1) @seen
  store i1 true, ptr addrspace(1) @seen
  %fresh = load i1, ptr addrspace(1) @fresh
  store i1 false, ptr addrspace(1) @fresh
  %three = load i3, ptr addrspace(1) @three
  store i3 2, ptr addrspace(1) @three
  %color = load i24, ptr addrspace(1) @color
  store i24 5, ptr addrspace(1) @color
  %voted = load i1, ptr addrspace(3) @voted
  store i1 %seen, ptr addrspace(3) @voted
  %a = zext i1 %seen to i32
  %b = zext i1 %fresh to i32
  %c = zext i3 %three to i32
  %d = zext i24 %color to i32
  %e = zext i1 %voted to i32
  %f = add i32 %a, %b
  %g = add i32 %c, %d
  %h = add i32 %e, %f
  %i = add i32 %g, %h
  ret i32 %i
}

attributes #0 = { convergent nounwind "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
