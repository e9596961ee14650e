//! Variables that a function only reads.

use weft_artifact::Body;

use crate::summary_fields::decoded;

/// A function for each thing that code can do with an address, beside a read of it.
const USES: &str = r#"@v = external addrspace(1) global [4 x i32]
@w = addrspace(1) externally_initialized global i32 0
@constant = addrspace(4) constant i32 1
@set_constant = addrspace(4) externally_initialized constant i32 1
@listing = addrspace(1) global ptr addrspacecast (ptr addrspace(1) @v to ptr)
declare void @takes(ptr)
declare void @reads(ptr readonly captures(none))
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
define i32 @load(i64 %i) {
  %p = getelementptr [4 x i32], ptr addrspace(1) @v, i64 0, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %y = load i32, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @v to ptr), i64 4)
  %z = load i32, ptr addrspace(4) @constant
  %s = load i32, ptr addrspace(4) @set_constant
  ret i32 %x
}
define i32 @choose(i1 %c) {
  %p = select i1 %c, ptr addrspace(1) @v, ptr addrspace(1) @w
  %q = addrspacecast ptr addrspace(1) %p to ptr
  %x = load i32, ptr %q
  ret i32 %x
}
define i32 @loop(i1 %c) {
entry:
  br label %next
next:
  %p = phi ptr addrspace(1) [ @v, %entry ], [ %q, %next ]
  %x = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  br i1 %c, label %next, label %done
done:
  ret i32 %x
}
define void @copy(ptr %to) {
  call void @llvm.memcpy.p0.p1.i64(ptr %to, ptr addrspace(1) @v, i64 16, i1 false)
  ret void
}
define void @call() {
  call void @reads(ptr addrspacecast (ptr addrspace(1) @v to ptr))
  ret void
}
define i1 @compare(ptr addrspace(1) %p) {
  %x = icmp eq ptr addrspace(1) %p, @v
  ret i1 %x
}
define void @store() {
  store i32 1, ptr addrspace(1) @v
  ret void
}
define i32 @store_later(i64 %i) {
  %x = load i32, ptr addrspace(1) @v
  %p = getelementptr i32, ptr addrspace(1) @v, i64 %i
  %q = addrspacecast ptr addrspace(1) %p to ptr
  store i32 1, ptr %q
  ret i32 %x
}
define i32 @read_volatile() {
  %x = load volatile i32, ptr addrspace(1) @v
  ret i32 %x
}
define i32 @add() {
  %x = atomicrmw add ptr addrspace(1) @v, i32 1 monotonic
  ret i32 %x
}
define void @copy_to(ptr %from) {
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) @v, ptr %from, i64 16, i1 false)
  ret void
}
define void @pass() {
  call void @takes(ptr addrspacecast (ptr addrspace(1) @v to ptr))
  ret void
}
define ptr @return() {
  ret ptr addrspacecast (ptr addrspace(1) @v to ptr)
}
define void @keep(ptr %to) {
  store ptr addrspacecast (ptr addrspace(1) @v to ptr), ptr %to
  ret void
}
define i64 @number() {
  %x = ptrtoint ptr addrspace(1) @v to i64
  ret i64 %x
}
define void @assemble() {
  call void asm sideeffect "st.global.u32 [$0], 1;", "l"(ptr addrspace(1) @v)
  ret void
}
define void @name_in_assembly() {
  %x = load i32, ptr addrspace(1) @v
  call void asm sideeffect "st.global.u32 [v], 1;", ""()
  ret void
}
"#;

#[test]
fn reads() {
    let device = decoded(USES);
    let of = |name: &str| {
        let symbol = device.symbols.iter().find(|symbol| symbol.name == name);
        let Some(Body::Function(function)) = symbol.map(|symbol| &symbol.body) else {
            panic!("no function {name}");
        };
        assert!(!function.references.is_empty(), "{name}");
        let names = function.reads.iter().filter_map(|&index| device.symbol(index));
        names.map(|symbol| symbol.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of("load"), ["set_constant", "v"]);
    assert_eq!(of("choose"), ["v", "w"]);
    for name in ["loop", "copy", "call", "compare"] {
        assert_eq!(of(name), ["v"], "{name}");
    }
    let writes =
        ["store", "store_later", "read_volatile", "add", "copy_to", "pass", "return", "keep"];
    for name in writes.into_iter().chain(["number", "assemble", "name_in_assembly"]) {
        assert_eq!(of(name), [""; 0], "{name}");
    }
}
