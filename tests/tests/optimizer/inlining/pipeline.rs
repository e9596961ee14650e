//! Passes around the inliner: calls that become direct, optimization levels, address spaces, the
//! stack.

use crate::inlining::codegen;

#[test]
fn a_call_through_a_variable_that_turns_out_constant_is_inlined() {
    // Only after `is_odd` has been inlined can LLVM see that the handler is never replaced. Then
    // the variable is constant and the call through it direct, but the inliner has already visited
    // the kernel.
    let ir = "
@handler = internal addrspace(1) global ptr @usual
define internal void @usual(ptr %p) #0 {\n  store volatile i32 1, ptr %p\n  ret void\n}
define internal void @other(ptr %p) #0 {\n  store volatile i32 2, ptr %p\n  ret void\n}
define internal i1 @is_odd(i32 %n) #0 {\n  %bit = trunc i32 %n to i1\n  ret i1 %bit\n}
define internal void @prepare(i32 %n) #0 {
  %even = shl i32 %n, 1
  %odd = call i1 @is_odd(i32 %even)
  br i1 %odd, label %replace, label %out
replace:
  store ptr @other, ptr addrspace(1) @handler
  br label %out
out:
  ret void
}
define ptx_kernel void @first(i32 %n) #0 {\n  call void @prepare(i32 %n)\n  ret void\n}
define ptx_kernel void @second(ptr %p, i32 %n) #0 {
  %called = load ptr, ptr addrspace(1) @handler
  call void %called(ptr %p)
  ret void
}
";
    let made = codegen(ir, &[]);
    assert!(made.inlined("usual", "second"));
    assert_eq!(made.calls(), 0);
}

/// Two classes with virtual tables of two functions each, and an object whose class is chosen at
/// run time.
const VIRTUAL: &str = "
@A = available_externally constant [2 x ptr] [ptr @a_first, ptr @a_second]
@B = available_externally constant [2 x ptr] [ptr @b_first, ptr @b_second]
define available_externally i32 @a_first(ptr %this, i32 %n) #0 {\n  ret i32 %n\n}
define available_externally i32 @a_second(ptr %this, i32 %n) #0 {
  %r = mul i32 %n, 3\n  ret i32 %r\n}
define available_externally i32 @b_first(ptr %this, i32 %n) #0 {
  %r = add i32 %n, 7\n  ret i32 %r\n}
define available_externally i32 @b_second(ptr %this, i32 %n) #0 {
  %r = xor i32 %n, 9\n  ret i32 %r\n}
define internal void @make(ptr %object, i1 %kind) #0 {
  br i1 %kind, label %a, label %b
a:
  store ptr @A, ptr %object
  ret void
b:
  store ptr @B, ptr %object
  ret void
}
define ptx_kernel void @kernel(ptr %out, i1 %kind, i32 %n) #0 {
  %object = alloca ptr
  call void @make(ptr %object, i1 %kind)
  %table = load ptr, ptr %object
  %first = load ptr, ptr %table
  %one = call i32 %first(ptr %object, i32 %n)
  %again = load ptr, ptr %object
  %slot = getelementptr ptr, ptr %again, i64 1
  %second = load ptr, ptr %slot
  %two = call i32 %second(ptr %object, i32 %one)
  store i32 %two, ptr %out
  ret void
}
";

#[test]
fn virtual_calls_on_one_of_a_few_classes_become_direct_and_inlined() {
    let made = codegen(VIRTUAL, &[]);
    assert_eq!(made.calls(), 0, "{}", made.ptx);
    for callee in ["a_first", "a_second", "b_first", "b_second"] {
        assert!(made.inlined(callee, "kernel"), "{callee}");
    }
    // Neither the object nor its stack slot is needed any more.
    assert!(!made.ptx.contains("__local_depot"));
}

#[test]
fn virtual_calls_on_a_class_from_elsewhere_stay() {
    let ir = VIRTUAL.replace("store ptr @B, ptr %object", "store ptr @C, ptr %object")
        + "@C = external constant [2 x ptr]\n";
    assert_eq!(codegen(&ir, &[]).calls(), 2);
}

#[test]
fn equal_structures_of_several_names_do_not_keep_a_call() {
    let ir = "
%One = type { i32, { float, i32 } }
%Other = type { i32, { float, i32 } }
define internal %Other @callee(i32 %n, float %x) #0 {
  %a = insertvalue %Other poison, i32 %n, 0
  %b = insertvalue %Other %a, float %x, 1, 0
  %c = insertvalue %Other %b, i32 %n, 1, 1
  ret %Other %c
}
define ptx_kernel void @kernel(ptr %out, i32 %n, float %x) #0 {
  %made = call %One @callee(i32 %n, float %x)
  store %One %made, ptr %out
  ret void
}
";
    let made = codegen(ir, &[]);
    assert!(made.inlined("callee", "kernel"));
    assert_eq!(made.calls(), 0);
}

/// A kernel with an array on the stack, which a loop of `%n` iterations accesses.
const LOCAL_ARRAY: &str = "
define ptx_kernel void @kernel(ptr addrspace(1) %out, i32 %n) #0 {
entry:
  %array = alloca [ELEMENTS x float]
  call void @llvm.memset.p0.i64(ptr %array, i8 0, i64 BYTES, i1 false)
  br label %outer
outer:
  %done = phi i32 [ 0, %entry ], [ %next, %after ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %place = getelementptr float, ptr %array, i64 %i
  %old = load float, ptr %place
  %scaled = fmul float %old, 3.0
  %new = fadd float %scaled, 1.0
  store float %new, ptr %place
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, ELEMENTS
  br i1 %more, label %inner, label %afterUNROLL
after:
  %next = add i32 %done, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %outer, label %write
write:
  %last = getelementptr float, ptr %array, i64 7
  %result = load float, ptr %last
  store float %result, ptr addrspace(1) %out
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
";

#[test]
fn a_loop_through_a_small_array_is_unrolled_so_that_it_needs_no_stack() {
    let ptx = |elements: u32, unroll: &str| {
        let ir = LOCAL_ARRAY.replace("BYTES", &(4 * elements).to_string());
        let ir = ir.replace("ELEMENTS", &elements.to_string()).replace("UNROLL", unroll);
        let forbidden = "!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.unroll.disable\"}\n";
        codegen(&(ir + forbidden), &[]).ptx
    };
    assert!(!ptx(128, "").contains("__local_depot"));
    assert!(ptx(129, "").contains("__local_depot"), "more than half of the registers");
    assert!(ptx(128, ", !llvm.loop !0").contains("__local_depot"), "as the source says");
}

#[test]
fn every_level_keeps_address_spaces() {
    let ir = "
@in_global = addrspace(1) global [64 x i32] zeroinitializer
@in_shared = internal addrspace(3) global [64 x i32] undef
@in_constant = addrspace(4) externally_initialized constant [64 x i32] zeroinitializer
define internal void @copy(ptr %to, ptr %from, i32 %at) #0 {
  %source = getelementptr i32, ptr %from, i32 %at
  %value = load volatile i32, ptr %source
  %target = getelementptr i32, ptr %to, i32 %at
  store volatile i32 %value, ptr %target
  ret void
}
define ptx_kernel void @kernel(i32 %at) #0 {
  %shared = addrspacecast ptr addrspace(3) @in_shared to ptr
  %global = addrspacecast ptr addrspace(1) @in_global to ptr
  %constant = addrspacecast ptr addrspace(4) @in_constant to ptr
  call void @copy(ptr %shared, ptr %constant, i32 %at)
  call void @copy(ptr %global, ptr %shared, i32 %at)
  ret void
}
";
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let made = codegen(ir, &[level]);
        for declared in [".global .align 4 .b8 in_global", ".const .align 4 .b8 in_constant"] {
            assert!(made.ptx.contains(declared), "{level}: {declared}\n{}", made.ptx);
        }
        assert!(made.ptx.contains(".shared .align 4 .b8 in_shared"), "{level}\n{}", made.ptx);
        if level == "-O0" {
            assert_eq!(made.calls(), 2);
            continue;
        }
        assert_eq!(made.calls(), 0, "{level}");
        for access in ["ld.volatile.shared", "st.volatile.shared", "st.volatile.global"] {
            assert!(made.ptx.contains(access), "{level}: {access}\n{}", made.ptx);
        }
    }
}

#[test]
fn arrays_of_inlined_bodies_share_their_place_unless_forbidden() {
    let ir = "
declare void @llvm.lifetime.start.p0(ptr)
define internal i32 @callee(ptr %p, i64 %at) #0 {
  %array = alloca [256 x i32], align 4
  %place = getelementptr i32, ptr %array, i64 %at
  %value = load volatile i32, ptr %p
  store volatile i32 %value, ptr %place
  %other = getelementptr i32, ptr %array, i32 %value
  %result = load volatile i32, ptr %other
  ret i32 %result
}
define ptx_kernel void @kernel(ptr %p, i64 %at) #0 {
  %one = call i32 @callee(ptr %p, i64 %at)
  %two = call i32 @callee(ptr %p, i64 %at)
  %sum = add i32 %one, %two
  store i32 %sum, ptr %p
  ret void
}
";
    let depot = |options: &[&str]| {
        let made = codegen(ir, options);
        assert_eq!(made.calls(), 0);
        let (_, size) = made.ptx.split_once("__local_depot0[").expect("a stack");
        size.split(']').next().and_then(|number| number.parse::<u32>().ok()).expect("its size")
    };
    assert_eq!(depot(&[]), 1024);
    assert_eq!(depot(&["--disable-inlined-alloca-merging"]), 2048);
}

/// A kernel that adds up `ROUNDS` elements of its input.
const SUM: &str = "
define ptx_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %place = getelementptr float, ptr addrspace(1) %in, i64 %i
  %element = load volatile float, ptr addrspace(1) %place
  %more = fadd float %sum, %element
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, ROUNDS
  br i1 %again, label %loop, label %doneUNROLL
done:
  store float %more, ptr addrspace(1) %out
  ret void
}
";

#[test]
fn loops_are_left_to_ptxas_unless_the_source_says_otherwise() {
    let loads = |rounds: &str, unroll: &str, options: &[&str]| {
        let ir = SUM.replace("ROUNDS", rounds).replace("UNROLL", unroll);
        let wanted = "!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.unroll.full\"}\n";
        codegen(&(ir + wanted), options).ptx.matches("ld.volatile.global").count()
    };
    assert_eq!(loads("5", "", &[]), 1);
    assert_eq!(loads("%n", "", &[]), 1);
    assert_eq!(loads("5", ", !llvm.loop !0", &[]), 5);
    assert_eq!(loads("5", "", &["--unroll-loops"]), 5);
}
