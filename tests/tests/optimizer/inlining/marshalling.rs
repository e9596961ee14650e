//! The model nvidia on real types, where the bytes that a call moves through `.param` space decide.

use crate::inlining::codegen;

const NVIDIA: &str = "--inline-model=nvidia";

/// Returns a kernel whose only call passes `bytes` by value and returns an integer of `bits`.
fn passing(bytes: u32, bits: u32) -> String {
    format!(
        "define internal i{bits} @callee(ptr byval([{bytes} x i8]) align 8 %state, i64 %at) #0 {{
  %place = getelementptr i8, ptr %state, i64 %at
  %value = load volatile i{bits}, ptr %place
  ret i{bits} %value
}}
define ptx_kernel void @kernel(ptr %out, i64 %at) #0 {{
  %state = alloca [{bytes} x i8], align 8
  %place = getelementptr i8, ptr %state, i64 %at
  store volatile i8 1, ptr %place
  %value = call i{bits} @callee(ptr byval([{bytes} x i8]) align 8 %state, i64 %at)
  store i{bits} %value, ptr %out
  ret void
}}
"
    )
}

#[test]
fn both_sides_and_the_result_count_in_bytes() {
    let made = codegen(&passing(100, 32), &[NVIDIA]);
    // The caller stores and the callee loads 100 and 8 bytes each, and 4 bytes are returned.
    assert_eq!(made.number("callee", "kernel", "bytes"), 2 * 108 + 4);
    assert_eq!(made.number("callee", "kernel", "cost"), 2 * 108 + 4);
    assert_eq!(made.number("callee", "kernel", "of"), 20_000);
    assert!(made.inlined("callee", "kernel"));
}

#[test]
fn bits_are_rounded_up_to_bytes() {
    for (bits, bytes) in [(1, 1), (8, 1), (9, 2), (33, 5)] {
        let made = codegen(&passing(10, bits), &[NVIDIA]);
        assert_eq!(made.number("callee", "kernel", "bytes"), 2 * 18 + bytes, "i{bits}");
    }
}

#[test]
fn the_default_budget_ends_at_20000_bytes() {
    // 2 * (9991 + 8) + 1 = 19999, and one byte more.
    assert!(codegen(&passing(9991, 8), &[NVIDIA]).inlined("callee", "kernel"));
    let made = codegen(&passing(9991, 16), &[NVIDIA]);
    assert!(!made.inlined("callee", "kernel"));
    assert_eq!(made.calls(), 1);
    assert!(
        codegen(&passing(9991, 16), &[NVIDIA, "--aggressive-inline"]).inlined("callee", "kernel")
    );
    // 2 * (19991 + 8) + 1 = 39999, and one byte more.
    let aggressive = [NVIDIA, "--aggressive-inline"];
    assert!(codegen(&passing(19_991, 8), &aggressive).inlined("callee", "kernel"));
    assert!(!codegen(&passing(19_991, 16), &aggressive).inlined("callee", "kernel"));
    let adjusted = [NVIDIA, "--inline-adj-budget=20001"];
    assert!(codegen(&passing(9991, 16), &adjusted).inlined("callee", "kernel"));
    let total = [NVIDIA, "--inline-total-budget=19999"];
    let made = codegen(&passing(9991, 8), &total);
    assert!(made.decision("callee", "kernel").contains("the module's budget is spent"));
}

#[test]
fn a_warp_operation_takes_2000_off() {
    let with_vote = |bytes: u32| {
        passing(bytes, 8).replace(
            "  %place = getelementptr i8, ptr %state, i64 %at\n  %value",
            "  %all = call i32 @llvm.nvvm.activemask()\n  %wide = zext i32 %all to i64\n  \
             %sum = add i64 %at, %wide\n  \
             %place = getelementptr i8, ptr %state, i64 %sum\n  %value",
        ) + "declare i32 @llvm.nvvm.activemask()\n"
    };
    // 2 * (10991 + 8) + 1 = 21999.
    let made = codegen(&with_vote(10_991), &[NVIDIA]);
    assert_eq!(made.number("callee", "kernel", "cost"), 19_999);
    assert!(made.inlined("callee", "kernel"));
    assert!(!codegen(&with_vote(10_992), &[NVIDIA]).inlined("callee", "kernel"));
    assert!(!codegen(&passing(10_991, 8), &[NVIDIA]).inlined("callee", "kernel"));
}

/// Returns a kernel that calls a body with the given numbers of loads and stores.
fn touching(loads: usize, stores: usize) -> String {
    let load = "  %v = load volatile i32, ptr %p\n";
    let loads: String =
        (0..loads).map(|at| load.replace("%v", &format!("%v{at}"))).collect::<String>();
    let stores = "  store volatile i32 1, ptr %p\n".repeat(stores);
    format!(
        "define internal void @callee(ptr %p) #0 {{\n{loads}{stores}  ret void\n}}
define ptx_kernel void @kernel(ptr %p) #0 {{\n  call void @callee(ptr %p)\n  ret void\n}}\n"
    )
}

#[test]
fn more_than_100_pairs_of_loads_and_stores_are_not_looked_at() {
    assert!(codegen(&touching(10, 10), &[NVIDIA]).inlined("callee", "kernel"));
    let made = codegen(&touching(11, 10), &[NVIDIA]);
    assert!(made.decision("callee", "kernel").contains("loads x stores 110"));
    assert!(!made.inlined("callee", "kernel"));
}

#[test]
fn a_body_that_others_see_is_not_eligible() {
    let ir = touching(1, 1).replace("define internal", "define");
    let made = codegen(&ir, &[NVIDIA]);
    assert!(made.decision("callee", "kernel").starts_with("kept callee in kernel: linkage"));
    let imported = touching(1, 1).replace("define internal", "define available_externally");
    let made = codegen(&imported, &[NVIDIA]);
    assert!(made.decision("callee", "kernel").starts_with("inlined callee (imported) in kernel"));
    assert_eq!(made.summary(), "inlined 1 of 1 calls, and 1 of 1 imported bodies");
}

#[test]
fn a_function_that_is_copied_is_no_imported_body() {
    let of = |linkage: &str, name: &str| {
        let ir = touching(1, 1).replace("internal void @callee", &format!("{linkage} void {name}"));
        ir.lines().take_while(|line| *line != "}").collect::<Vec<_>>().join("\n") + "\n}\n"
    };
    // The call goes to the copy, and the address that is stored is the program's own.
    let (copy, body) = ("@callee_weft_0123456789abcdef", "@callee");
    let kernel = format!(
        "define ptx_kernel void @kernel(ptr %p, ptr %q) #0 {{\n  call void {copy}(ptr %p)\n  \
         store ptr {body}, ptr %q\n  ret void\n}}\n"
    );
    let imported = of("available_externally", body);
    let made = codegen(&(imported.clone() + &of("internal", copy) + &kernel), &[NVIDIA]);
    assert_eq!(made.summary(), "inlined 1 of 1 calls, and 0 of 0 imported bodies");
    // Without the copy, the same body is there to be inlined.
    let made = codegen(&(imported + &kernel.replace(copy, body)), &[NVIDIA]);
    assert_eq!(made.summary(), "inlined 1 of 1 calls, and 1 of 1 imported bodies");
}

#[test]
fn switches_are_counted() {
    let ir = "
define internal void @callee(i32 %kind, ptr %p) #0 {
  switch i32 %kind, label %end [ i32 0, label %a i32 7, label %b i32 12, label %c ]
a:
  store volatile i32 1, ptr %p
  br label %end
b:
  store volatile i32 2, ptr %p
  br label %end
c:
  store volatile i32 3, ptr %p
  br label %end
end:
  ret void
}
define ptx_kernel void @kernel(i32 %kind, ptr %p) #0 {
  call void @callee(i32 %kind, ptr %p)
  ret void
}
";
    let cost = |options: &[&str]| {
        let options: Vec<&str> = [NVIDIA].into_iter().chain(options.iter().copied()).collect();
        codegen(ir, &options).number("callee", "kernel", "cost")
    };
    let plain = cost(&[]);
    assert_eq!(cost(&["--inline-switchctrl=10"]), plain + 30);
    assert_eq!(cost(&["--inline-numswitchfunc=100"]), plain + 100);
    let three = codegen(ir, &[NVIDIA, "--inline-maxswitchcases=3"]);
    assert!(three.inlined("callee", "kernel"));
    let two = codegen(ir, &[NVIDIA, "--inline-maxswitchcases=2"]);
    assert!(two.decision("callee", "kernel").contains("a switch of 3 cases"));
}
