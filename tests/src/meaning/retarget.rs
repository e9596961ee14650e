//! Conversion of device code, as LLVM's text, into code for the processor that the tests run on.

/// Target of the driver and of retargeted code. Structures have the same layout as on the GPU.
pub(super) const TARGET: &str = "target datalayout = \
    \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
    target triple = \"x86_64-unknown-linux-gnu\"\n";

/// Texts and their replacements. The driver defines the stand-ins.
const REPLACED: [(&str, &str); 4] = [
    (" ptx_kernel ", " "),
    ("@llvm.nvvm.read.ptx.sreg.tid.x(", "@weft_tid_x("),
    ("@llvm.nvvm.barrier.cta.sync.aligned.all(", "@weft_barrier("),
    // Host code writes to such variables.
    (" externally_initialized constant ", " externally_initialized global "),
];

/// Retargets a module that is given as LLVM's text. An intrinsic without a stand-in is an error.
pub fn text(linked: &str) -> Result<String, String> {
    let mut text = TARGET.to_owned();
    for line in linked.lines() {
        if line.starts_with("target ") {
            continue;
        }
        let mut line = line.to_owned();
        for (from, to) in REPLACED {
            line = line.replace(from, to);
        }
        if line.starts_with("attributes ") {
            line = without_attribute(&without_attribute(&line, "target-cpu"), "target-features");
        }
        if line.contains("@llvm.nvvm.") {
            return Err(format!("there is no stand-in for the intrinsic in: {line}"));
        }
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}

/// Returns `line` without ` "name"="..."`.
fn without_attribute(line: &str, name: &str) -> String {
    let start = format!(" \"{name}\"=\"");
    match line.split_once(&start) {
        Some((before, rest)) => {
            let (_, after) = rest.split_once('"').unwrap_or_default();
            format!("{before}{after}")
        }
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_and_intrinsics_of_gpus_are_replaced() -> Result<(), String> {
        let device = "target triple = \"nvptx64-nvidia-cuda\"\n\
                      define dso_local ptx_kernel void @k() #0 {\n\
                      attributes #0 = { nounwind \"target-cpu\"=\"sm_90\" \"x\"=\"y\" }\n";
        let expected =
            "define dso_local void @k() #0 {\nattributes #0 = { nounwind \"x\"=\"y\" }\n";
        assert_eq!(text(device)?, format!("{TARGET}{expected}"));
        assert!(text("call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()").is_err());
        Ok(())
    }
}
