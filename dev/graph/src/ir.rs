//! A module of a generated program as LLVM's text.

use std::fmt::Write as _;

use crate::program::{Function, Heat, Kind, Linkage, Module, Symbol};

/// Returns the architecture that the text is for.
pub fn architecture_of_ir() -> &'static str {
    "sm_90"
}

/// Renders a module. With `profile`, functions carry the number of their entries, so that LLVM
/// tells hot calls from cold ones.
pub fn module_text(module: &Module, profile: bool) -> String {
    let mut text = format!(
        "source_filename = \"{}\"\n\
         target datalayout = \
         \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n\
         target triple = \"nvptx64-nvidia-cuda\"\n",
        module.id
    );
    for symbol in &module.symbols {
        match &symbol.kind {
            Kind::Declaration => line(&mut text, format_args!("declare i32 @{}(i32)", symbol.name)),
            Kind::Table => line(
                &mut text,
                format_args!("@{} = addrspace(1) constant [16 x i32] zeroinitializer", symbol.name),
            ),
            Kind::Function(function) => body(&mut text, module, symbol, function, profile),
        }
    }
    let architecture = architecture_of_ir();
    line(
        &mut text,
        format_args!("attributes #0 = {{ nounwind \"target-cpu\"=\"{architecture}\" }}"),
    );
    for (number, attribute) in [(1, "noinline"), (2, "alwaysinline")] {
        line(
            &mut text,
            format_args!(
                "attributes #{number} = {{ nounwind {attribute} \
                 \"target-cpu\"=\"{architecture}\" }}"
            ),
        );
    }
    if profile {
        text.push_str(PROFILE);
    }
    text
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{arguments}");
}

fn body(text: &mut String, module: &Module, symbol: &Symbol, function: &Function, profile: bool) {
    let linkage = match function.linkage {
        Linkage::External => "",
        Linkage::LinkonceOdr => "linkonce_odr ",
        Linkage::Internal => "internal ",
    };
    let convention = if function.kernel { "ptx_kernel " } else { "" };
    let result = if function.kernel { "void" } else { "i32" };
    let attributes = match (function.no_inline, function.always_inline) {
        (true, _) => 1,
        (_, true) => 2,
        _ => 0,
    };
    let entered = match function.heat {
        _ if !profile => "",
        Heat::Cold => " !prof !1",
        Heat::Warm => " !prof !2",
        Heat::Hot => " !prof !3",
    };
    let name = &symbol.name;
    line(
        text,
        format_args!(
            "define {linkage}{convention}{result} @{name}(i32 %v0) #{attributes}{entered} {{"
        ),
    );
    let mut value = 0;
    for callee in function.calls.iter().filter_map(|&callee| module.symbols.get(callee as usize)) {
        let next = value + 1;
        line(text, format_args!("  %v{next} = call i32 @{}(i32 %v{value})", callee.name));
        value = next;
    }
    for table in function.reads.iter().filter_map(|&table| module.symbols.get(table as usize)) {
        let (loaded, next) = (value + 1, value + 2);
        line(text, format_args!("  %v{loaded} = load i32, ptr addrspace(1) @{}", table.name));
        line(text, format_args!("  %v{next} = add i32 %v{loaded}, %v{value}"));
        value = next;
    }
    while value + 1 < function.instructions {
        let next = value + 1;
        // Products of products and sums of sums would fold into one.
        let operation = if value % 2 == 0 { "mul" } else { "xor" };
        line(text, format_args!("  %v{next} = {operation} i32 %v{value}, {next}"));
        value = next;
    }
    let returned = if function.kernel { "void".to_owned() } else { format!("i32 %v{value}") };
    line(text, format_args!("  ret {returned}\n}}"));
}

/// Entry counts, and a summary of the whole profile by which 1000 is hot and 1 is cold.
const PROFILE: &str = r#"!llvm.module.flags = !{!10}
!1 = !{!"function_entry_count", i64 1}
!2 = !{!"function_entry_count", i64 100}
!3 = !{!"function_entry_count", i64 1000}
!10 = !{i32 1, !"ProfileSummary", !11}
!11 = !{!12, !13, !14, !15, !16, !17, !18, !19}
!12 = !{!"ProfileFormat", !"InstrProf"}
!13 = !{!"TotalCount", i64 100000}
!14 = !{!"MaxCount", i64 1000}
!15 = !{!"MaxInternalCount", i64 1000}
!16 = !{!"MaxFunctionCount", i64 1000}
!17 = !{!"NumCounts", i64 200}
!18 = !{!"NumFunctions", i64 200}
!19 = !{!"DetailedSummary", !20}
!20 = !{!21, !22, !23}
!21 = !{i32 10000, i64 1000, i32 10}
!22 = !{i32 990000, i64 1000, i32 100}
!23 = !{i32 999999, i64 10, i32 200}
"#;
