//! A module whose bodies are read in parts has the facts of one that is read as a whole.

use std::num::NonZeroUsize;

use weft_artifact::ModuleId;
use weft_workers::Workers;

use super::{Background, Parts, describe, describe_in_parts};
use crate::text::{Buffer, Bytes};

unsafe extern "C" {
    /// Bitcode of a module in LLVM's text form; no buffer if it is none.
    safe fn weft_assemble(text: Bytes<'_>) -> Buffer;
}

/// Bodies that other bodies depend on: blocks whose addresses are taken before and after their
/// function, definitions whose text counts with a local that it names, assembly that names and
/// declares symbols, and libdevice's question beside intrinsics for every answer.
const ENTANGLED: &str = r#"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@before = global ptr blockaddress(@blocks, %inner)
@text = private constant [3 x i8] c"abc"

define ptr @names_before() #0 {
  ret ptr blockaddress(@blocks, %inner)
}
define void @blocks(i1 %choice) #0 {
entry:
  br i1 %choice, label %inner, label %outer
inner:
  br label %outer
outer:
  ret void
}
define ptr @names_after() #0 {
  ret ptr blockaddress(@blocks, %outer)
}
define weak i32 @replaceable(i32 %x) #0 {
  %y = call i32 @local(i32 %x)
  %z = load i8, ptr @text
  %w = zext i8 %z to i32
  %s = add i32 %y, %w
  ret i32 %s
}
define internal i32 @local(i32 %x) #0 {
  %y = mul i32 %x, 3
  ret i32 %y
}
define linkonce_odr float @root(float %x) #0 {
  %a = call i32 @__nvvm_reflect(ptr @text)
  %b = call float @llvm.nvvm.sqrt.rn.f(float %x)
  ret float %b
}
define ptx_kernel void @kernel(ptr %p) #0 {
  call void asm sideeffect "call named_by_assembly;", ""()
  call void asm sideeffect ".extern .func declared_by_assembly;", ""()
  %f = load ptr, ptr %p
  call void %f()
  %x = call float @root(float 2.0)
  %y = fmul contract float %x, %x
  store float %y, ptr %p
  ret void
}
define internal void @named_by_assembly() #0 {
  ret void
}
define float @approximate(float %x) #0 {
  %b = call float @llvm.nvvm.sqrt.approx.f(float %x)
  %c = fadd float %b, %x
  ret float %c
}
declare i32 @__nvvm_reflect(ptr)
declare float @llvm.nvvm.sqrt.rn.f(float)
declare float @llvm.nvvm.sqrt.approx.f(float)
attributes #0 = { "target-cpu"="sm_90" }
"#;

#[test]
fn a_module_in_parts_has_the_facts_of_the_whole() -> Result<(), Box<dyn std::error::Error>> {
    // A module with definitions that are compared is one share, whatever is asked for.
    let uncompared = ENTANGLED.replace("define weak ", "define weak_odr ");
    let texts = [
        ENTANGLED,
        &uncompared,
        include_str!("../../../../tests/scenarios/odr/a.ll"),
        include_str!("../../../../tests/scenarios/promotion/b.ll"),
        include_str!("../../../../tests/scenarios/vtable/a.ll"),
        include_str!("../../../../tests/scenarios/widths/a.ll"),
    ];
    let (id, background) = (ModuleId::new("unit")?, Background::default());
    let workers = Workers::new(NonZeroUsize::new(3));
    for text in texts {
        let bitcode = weft_assemble(Bytes::of(text)).to_vec();
        let whole = describe(&bitcode, &id, &background, &workers)?;
        assert!(whole.symbols.len() > 1, "{text}");
        for (shares, instructions) in [(1, 1), (1, 3), (1, 7), (2, 1), (3, 3), (50, 7)] {
            let shares = NonZeroUsize::new(shares).ok_or("no shares")?;
            let parts = Parts { shares, instructions };
            let described = describe_in_parts(&bitcode, &id, &background, parts, &workers)?;
            assert_eq!(described, whole, "{shares} shares, {instructions} instructions: {text}");
        }
    }
    Ok(())
}
