//! The host program, which launches kernels on this machine's processor and prints a digest of the
//! memory that they wrote.

use std::fmt::Write as _;

use super::retarget::TARGET;
use dev_programs::random::{Argument, HostArray, Launch, MEMORY, Program};

/// Number of threads of each launch. The threads run one after the other.
pub(crate) const THREADS: usize = 8;

/// Stand-ins for intrinsics, and a function that prints a name with a digest over words (FNV-1a
/// with words instead of bytes).
const SUPPORT: &str = r#"
@thread = global i32 0
@format = private constant [12 x i8] c"%s %016llx\0A\00"
declare i32 @printf(ptr, ...)

define i32 @weft_tid_x() {
  %thread = load i32, ptr @thread
  ret i32 %thread
}

define void @weft_barrier(i32 %number) {
  ret void
}

define void @show(ptr %name, ptr %words, i64 %count) {
entry:
  br label %next
next:
  %index = phi i64 [ 0, %entry ], [ %following, %next ]
  %digest = phi i64 [ -3750763034362895579, %entry ], [ %product, %next ]
  %place = getelementptr i32, ptr %words, i64 %index
  %word = load i32, ptr %place
  %wide = zext i32 %word to i64
  %mixed = xor i64 %digest, %wide
  %product = mul i64 %mixed, 1099511628211
  %following = add i64 %index, 1
  %more = icmp ult i64 %following, %count
  br i1 %more, label %next, label %done
done:
  %printed = call i32 (ptr, ...) @printf(ptr @format, ptr %name, i64 %product)
  ret void
}
"#;

/// Returns the driver of a program in LLVM IR.
pub(super) fn text(program: &Program) -> String {
    let mut head =
        format!("{TARGET}{SUPPORT}\n@memory = global [{MEMORY} x i32] zeroinitializer\n");
    // Every launch finds the same memory behind `extern __shared__`.
    line(&mut head, "@dynamic = addrspace(3) global [8 x i32] zeroinitializer, align 1024");
    let mut main = "define i32 @main() {\n".to_owned();
    let written = |array: &HostArray| array.written.is_some();
    for array in &program.host_arrays {
        let HostArray { name, address_space, .. } = array;
        line(&mut head, &format!("@{name} = external addrspace({address_space}) global [8 x i32]"));
        for (index, word) in array.written.iter().flatten().enumerate() {
            let space = format!("ptr addrspace({address_space})");
            let place = format!("{space} getelementptr (i32, {space} @{name}, i64 {index})");
            line(&mut main, &format!("  store i32 {word}, {place}"));
        }
    }
    for (number, launch) in program.launches.iter().enumerate() {
        let (declaration, call) = call(&mut head, number, launch);
        line(&mut head, &declaration);
        for thread in 0..THREADS {
            line(&mut main, &format!("  store i32 {thread}, ptr @thread"));
            line(&mut main, &call);
        }
        show(&mut head, &mut main, &launch.kernel, "@memory", MEMORY);
    }
    for HostArray { name, address_space, .. } in
        program.host_arrays.iter().filter(|array| !written(array))
    {
        let place = format!("addrspacecast (ptr addrspace({address_space}) @{name} to ptr)");
        show(&mut head, &mut main, name, &place, 8);
    }
    format!("{head}\n{main}  ret i32 0\n}}\n")
}

fn show(head: &mut String, main: &mut String, name: &str, place: &str, count: usize) {
    let size = name.len() + 1;
    line(head, &format!("@name.{name} = private constant [{size} x i8] c\"{name}\\00\""));
    line(main, &format!("  call void @show(ptr @name.{name}, ptr {place}, i64 {count})"));
}

/// Returns the kernel's declaration and a call of the kernel.
fn call(head: &mut String, number: usize, launch: &Launch) -> (String, String) {
    let (mut types, mut values) = (Vec::new(), Vec::new());
    for argument in &launch.arguments {
        let (of, value) = match argument {
            Argument::Word(word) => ("i32", word.to_string()),
            Argument::Block([a, b, c]) => {
                let name = format!("@block.{number}");
                line(
                    head,
                    &format!("{name} = private global [3 x i64] [i64 {a}, i64 {b}, i64 {c}]"),
                );
                ("ptr byval([3 x i64]) align 8", name)
            }
            Argument::Memory => ("ptr", "@memory".to_owned()),
        };
        types.push(of);
        values.push(format!("{of} {value}"));
    }
    let kernel = &launch.kernel;
    (
        format!("declare void @{kernel}({})", types.join(", ")),
        format!("  call void @{kernel}({})", values.join(", ")),
    )
}

fn line(text: &mut String, line: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{line}");
}
