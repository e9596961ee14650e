//! Fields of the module as a whole.

use serde_json::{Value, json};
use weft_tests::Workbench;

use crate::summary_fields::{device, device_with};

const FUNCTION: &str =
    "define void @f() #0 { ret void }\nattributes #0 = { \"target-cpu\"=\"sm_86\" }\n";

#[test]
fn triple() {
    assert_eq!(device("")["triple"], "nvptx64-nvidia-cuda");
}

#[test]
fn data_layout() {
    let expected = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";
    assert_eq!(device("")["data_layout"], expected);
}

#[test]
fn architecture() {
    assert_eq!(device(FUNCTION)["architecture"], "sm_86");
}

/// The field holds the producer of the bitcode, which is the LLVM that the tests run.
#[test]
fn producer() {
    let producer = device("")["producer"].as_str().unwrap_or_default().to_owned();
    let bench = Workbench::new();
    let version = bench.llvm("llvm-as").arg("--version").succeed().stdout;
    let number = producer.strip_prefix("LLVM").unwrap_or_default();
    assert!(number.starts_with("22.") && version.contains(number), "{producer}: {version}");
}

#[test]
fn nvvm_ir_version() {
    let device = device("!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 5}\n");
    assert_eq!(device["nvvm_ir_version"], json!([2, 5]));
    assert!(crate::summary_fields::device("")["nvvm_ir_version"].is_null());
}

const DEBUG: &str = "!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: KIND)
!1 = !DIFile(filename: \"unit.cu\", directory: \"\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
";

/// Returns the value of an option, which is null if it is unknown.
fn option(device: &Value, name: &str) -> Value {
    let options = device["options"].as_array().expect("a list of options");
    let found = options.iter().find(|option| option["option"] == name);
    found.map_or(Value::Null, |option| option["value"].clone())
}

#[test]
fn ftz() {
    for value in [0, 1] {
        let flag = format!(
            "!llvm.module.flags = !{{!0}}\n!0 = !{{i32 4, !\"nvvm-reflect-ftz\", i32 {value}}}\n"
        );
        assert_eq!(option(&device(&flag), "ftz"), value);
    }
    assert!(option(&device(""), "ftz").is_null());
}

#[test]
fn fmad() {
    let function = |flags: &str| {
        format!(
            "define float @f(float %x) {{\n  %y = fmul {flags} float %x, %x\n  ret float %y\n}}\n"
        )
    };
    assert_eq!(option(&device(&function("contract")), "fmad"), 1);
    assert_eq!(option(&device(&function("")), "fmad"), 0);
    assert!(option(&device(FUNCTION), "fmad").is_null());
}

/// Returns IR that uses an intrinsic with one operand, with the answer that libdevice got about
/// denormals.
fn with_intrinsic(name: &str, flushes: u32) -> String {
    format!(
        "declare float @{name}(float)
define float @f(float %x) {{
  %y = call float @{name}(float %x)
  ret float %y
}}
!llvm.module.flags = !{{!0}}
!0 = !{{i32 4, !\"nvvm-reflect-ftz\", i32 {flushes}}}
"
    )
}

/// Returns the value to which the code is fixed; null if the code is not fixed.
fn fixed_value(device: &Value, name: &str) -> Value {
    let options = device["options"].as_array().expect("a list of options");
    let found = options.iter().find(|option| option["option"] == name);
    found.map_or(Value::Null, |option| option["fixed"].clone())
}

#[test]
fn prec_sqrt() {
    for (intrinsic, value) in [
        ("llvm.nvvm.sqrt.rn.f", json!(1)),
        ("llvm.nvvm.sqrt.rn.ftz.f", json!(1)),
        ("llvm.nvvm.sqrt.approx.f", json!(0)),
        ("llvm.nvvm.sqrt.approx.ftz.f", json!(0)),
        ("llvm.nvvm.sqrt.rz.f", Value::Null),
        ("llvm.sqrt.f32", Value::Null),
    ] {
        let device = device(&with_intrinsic(intrinsic, 0));
        assert_eq!(option(&device, "prec-sqrt"), value, "{intrinsic}");
        assert_eq!(fixed_value(&device, "prec-sqrt"), value, "{intrinsic}");
    }
    // A rounded square root may come from the source itself.
    let both = with_intrinsic("llvm.nvvm.sqrt.rn.f", 0).replace(
        "define",
        "declare float @llvm.nvvm.sqrt.approx.f(float)
define float @g(float %x) {
  %y = call float @llvm.nvvm.sqrt.approx.f(float %x)
  ret float %y
}
define",
    );
    assert_eq!(option(&device(&both), "prec-sqrt"), 0);
}

#[test]
fn asked() {
    let asked = |text: &str, options: &[&str]| {
        let device = device_with(text, options);
        let found = device["options"].as_array().expect("a list of options");
        let found = found.iter().find(|option| option["option"] == "prec-sqrt");
        found.map_or(Value::Null, |option| option["asked"].clone())
    };
    let plain = with_intrinsic("llvm.nvvm.sqrt.approx.f", 0);
    assert_eq!(asked(&plain, &[]), json!(false));
    // The attribute of `-ffast-math`, and the flag of `-fapprox-func`.
    let attribute =
        plain.replace("(float %x) {", "(float %x) \"no-signed-zeros-fp-math\"=\"true\" {");
    assert_ne!(attribute, plain);
    assert_eq!(asked(&attribute, &[]), json!(true));
    let flag = plain.replace("  ret float %y", "  %z = fdiv afn float %y, %x\n  ret float %z");
    assert_ne!(flag, plain);
    assert_eq!(asked(&flag, &[]), json!(true));
    assert_eq!(asked(&flag, &["--option", "prec-sqrt=0"]), json!(true));
    // Rounded roots do not request fast ones.
    let rounded = flag.replace("sqrt.approx.f", "sqrt.rn.f");
    assert_eq!(asked(&rounded, &[]), json!(false));
}

#[test]
fn fixed() {
    for (intrinsic, of_keeping, of_flushing) in [
        ("llvm.nvvm.rsqrt.approx.f", json!(0), Value::Null),
        ("llvm.nvvm.rsqrt.approx.ftz.f", Value::Null, json!(1)),
        ("llvm.nvvm.fabs.f32", json!(0), Value::Null),
        ("llvm.nvvm.fabs.ftz.f32", Value::Null, json!(1)),
        // An intrinsic with a single form fixes nothing.
        ("llvm.nvvm.rcp.approx.ftz.f", Value::Null, Value::Null),
        ("llvm.fabs.f32", Value::Null, Value::Null),
    ] {
        for (flushes, expected) in [(0, &of_keeping), (1, &of_flushing)] {
            let device = device(&with_intrinsic(intrinsic, flushes));
            assert_eq!(&fixed_value(&device, "ftz"), expected, "{intrinsic} {flushes}");
        }
    }
    let stated = &["--option", "ftz=1"];
    let device = device_with(&with_intrinsic("llvm.nvvm.fabs.f32", 0), stated);
    assert_eq!((option(&device, "ftz"), fixed_value(&device, "ftz")), (json!(1), json!(0)));
    // As long as libdevice asks for an option, it holds the instructions for each answer.
    let asks = "@name = private constant [11 x i8] c\"__CUDA_FTZ\\00\"
declare i32 @__nvvm_reflect(ptr)
define i32 @asks() {
  %answer = call i32 @__nvvm_reflect(ptr @name)
  ret i32 %answer
}
";
    let device = device_with(&(asks.to_owned() + &with_intrinsic("llvm.nvvm.fabs.f32", 0)), &[]);
    assert_eq!(fixed_value(&device, "ftz"), Value::Null);
}

#[test]
fn generate_line_info() {
    let with = |kind| option(&device(&DEBUG.replace("KIND", kind)), "generate-line-info");
    assert_eq!(with("LineTablesOnly"), 1);
    assert_eq!(with("FullDebug"), 1);
    assert!(with("NoDebug").is_null());
}

#[test]
fn options_that_the_ir_does_not_show() {
    let names = ["ftz", "prec-div", "prec-sqrt", "fmad", "split-compile", "generate-line-info"];
    let device = device_with("", &["--option", "maxrregcount=32"]);
    assert_eq!(option(&device, "maxrregcount"), 32);
    for name in names {
        for (written, value) in [("7", 7), ("true", 1), ("false", 0)] {
            let device = device_with("", &["--option", &format!("{name}={written}")]);
            assert_eq!(option(&device, name), value, "{name}={written}");
            assert_eq!(device["options"].as_array().map(Vec::len), Some(1));
        }
    }
}

#[test]
fn given() {
    let flag = "!llvm.module.flags = !{!0}\n!0 = !{i32 4, !\"nvvm-reflect-ftz\", i32 1}\n";
    let device = device_with(flag, &["--option", "fmad=1"]);
    let options = device["options"].as_array().expect("a list of options");
    let given: Vec<_> =
        options.iter().map(|option| (&option["option"], &option["given"])).collect();
    assert_eq!(given, [(&json!("ftz"), &json!(false)), (&json!("fmad"), &json!(true))]);
}

#[test]
fn a_given_option_wins_over_the_ir() {
    let flag = "!llvm.module.flags = !{!0}\n!0 = !{i32 4, !\"nvvm-reflect-ftz\", i32 1}\n";
    assert_eq!(option(&device_with(flag, &["--option", "ftz=0"]), "ftz"), 0);
}
