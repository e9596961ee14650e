//! The inliner and the pipeline around it, on LLVM IR for the device: decisions as
//! `--profuse-inline` prints them, and the resulting PTX.

mod command_line;
mod marshalling;
mod models;
mod numbers;
mod pipeline;
mod thresholds;

use weft_tests::Workbench;

/// Head of a linked module from the import phase.
const HEAD: &str = "source_filename = \"unit.cu\"
target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"
attributes #0 = { nounwind \"target-cpu\"=\"sm_90\" \"target-features\"=\"+ptx88,+sm_90\" }
attributes #1 = { nounwind noinline \"target-cpu\"=\"sm_90\" \"target-features\"=\"+ptx88,+sm_90\" }
";

/// Output of codegen for a module.
struct Made {
    ptx: String,
    /// Lines of `--profuse-inline`.
    decisions: Vec<String>,
}

/// Runs codegen with options on a module in LLVM IR.
fn codegen(ir: &str, options: &[&str]) -> Made {
    let bench = Workbench::new();
    bench.write("unit.ll", format!("{HEAD}{ir}"));
    bench.assemble_ir("unit");
    let outcome = bench
        .weft("backend-job")
        .args(["codegen", "--profuse-inline", "unit.bc", "-o", "unit.ptx"])
        .args(options.iter().copied())
        .succeed();
    let ptx = String::from_utf8(bench.read("unit.ptx")).expect("PTX is text");
    Made { ptx, decisions: outcome.stderr.lines().map(str::to_owned).collect() }
}

impl Made {
    /// Returns the last line with a decision about a call.
    fn decision(&self, callee: &str, within: &str) -> &str {
        let is_wanted = |line: &&String| {
            let rest = line.split_once(' ').map_or("", |(_, rest)| rest);
            let rest = rest.strip_prefix(callee).unwrap_or_default();
            let rest = rest.strip_prefix(" (imported)").unwrap_or(rest);
            rest.strip_prefix(" in ").is_some_and(|rest| rest.starts_with(&format!("{within}:")))
        };
        let found = self.decisions.iter().rev().find(is_wanted);
        found.unwrap_or_else(|| panic!("{callee} in {within}: {:#?}", self.decisions))
    }

    /// Returns whether a call was inlined.
    fn inlined(&self, callee: &str, within: &str) -> bool {
        self.decision(callee, within).starts_with("inlined ")
    }

    /// Returns the number before or after a word in the line of a decision, such as `cost 12 of 34`
    /// or `56 bytes`.
    fn number(&self, callee: &str, within: &str, word: &str) -> i64 {
        let line = self.decision(callee, within);
        let words: Vec<&str> = line.split([' ', ';']).filter(|word| !word.is_empty()).collect();
        let number = |at: usize| words.get(at)?.parse().ok();
        let mut places = (0..words.len()).filter(|&at| words[at] == word);
        let beside = |at: usize| number(at + 1).or_else(|| number(at.checked_sub(1)?));
        places.find_map(beside).unwrap_or_else(|| panic!("{word} in {line}"))
    }

    /// Returns the last line, which holds the totals.
    fn summary(&self) -> &str {
        self.decisions.last().map_or("", String::as_str)
    }

    fn calls(&self) -> usize {
        self.ptx.lines().filter(|line| line.trim_start().starts_with("call")).count()
    }
}
