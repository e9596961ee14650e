//! Truncated and changed containers give an error or a value, never a panic, and no reader
//! allocates beyond reason. The samples are outputs of the real tools.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use weft_artifact::{Artifact as _, SummaryFile};
use weft_container::LtoIrUse;
use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

const UNIT: &str = "
extern __device__ int callee(int);
__global__ void kernel(int *p) { *p = callee(*p); }
void launch(int *p) { kernel<<<1, 1>>>(p); }
";

/// Number of bytes of address space that all readers together may add on samples of some tens of
/// kilobytes.
const LIMIT: u64 = 64 << 20;

/// Calls every reader of a unit. Each must return.
fn read(data: &[u8]) {
    let _ = weft_container::device_code(data, None, LtoIrUse::Taken).map(drop);
    let _ = summarize::host_facts(data).map(drop);
    let _ = SummaryFile::decode(data).map(drop);
    let _ = weft_container::ptx_facts(data).map(drop);
    let _ = weft_container::linked_program(data).map(drop);
    let _ = weft_container::device_images(data).map(drop);
    let _ = weft_container::embedded_architectures(data).map(drop);
    if let Ok(members) = weft_container::archive_members(data, |_| Ok(Vec::new())) {
        for member in members {
            let _ = weft_container::device_code(&member.content, None, LtoIrUse::Taken).map(drop);
            let _ = summarize::host_facts(&member.content).map(drop);
        }
    }
}

/// Returns the peak size of the process's address space in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// Pseudo-random numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        // Marsaglia's xorshift64.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 1).unwrap() % below
    }
}

fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let bench = Workbench::new();
    bench.write("unit.cu", UNIT);
    let nvcc = |arguments: &[&str]| {
        let run = Run::new(tools().cuda("nvcc"), bench.path()).arg(format!("-arch={ARCHITECTURE}"));
        run.args(["-dc", "unit.cu"]).args(arguments.iter().copied()).succeed();
    };
    bench.compile("unit");
    std::fs::rename(bench.file("unit.o"), bench.file("clang.o")).unwrap();
    nvcc(&["-o", "zstd.o"]);
    nvcc(&["-o", "lz4.o", "--compress-mode=speed"]);
    nvcc(&["-o", "lto.o", "-dlto"]);
    nvcc(&["-o", "unit.cubin", "-cubin"]);
    nvcc(&["-o", "unit.ptx", "-ptx"]);
    nvcc(&["-o", "unit.fatbin", "-fatbin", "--compress-mode=none"]);
    let linker = bench.llvm("clang++").args(["-pie", "-nostdlib", "clang.o", "-o", "linked"]);
    linker.arg("-Wl,--unresolved-symbols=ignore-all").succeed();
    bench.llvm("llvm-ar").args(["rcs", "unit.a", "clang.o", "zstd.o"]).succeed();
    bench.llvm("llvm-ar").args(["rcsT", "thin.a", "clang.o", "zstd.o"]).succeed();
    let run = bench.weft("summarize").args(["-o", "unit.summary", "unit.a"]);
    run.succeed();
    [
        "clang.o",
        "zstd.o",
        "lz4.o",
        "lto.o",
        "linked",
        "unit.cubin",
        "unit.ptx",
        "unit.fatbin",
        "unit.a",
        "thin.a",
        "unit.summary",
    ]
    .map(|name| (name, bench.read(name)))
    .into()
}

/// This is one test, so that no other test allocates at the same time.
#[test]
fn cut_and_changed_containers_are_refused_or_read_within_bounds() {
    let samples = samples();
    for (_, sample) in &samples {
        read(sample);
    }
    let before = peak();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for (name, sample) in &samples {
        for length in 0..sample.len() {
            read(&sample[..length]);
        }
        for _ in 0..4000 {
            let mut changed = sample.clone();
            for _ in 0..=numbers.next(4) {
                let position = numbers.next(changed.len());
                changed[position] ^= 1 << numbers.next(8);
            }
            read(&changed);
        }
        // A field of ones or zeros does most harm in sizes and offsets.
        for position in (0..sample.len().min(4096)).step_by(4) {
            for value in [0, 0x7F, 0xFF] {
                let mut changed = sample.clone();
                let end = changed.len().min(position + 8);
                changed[position..end].fill(value);
                read(&changed);
            }
        }
        let grown = peak() - before;
        assert!(grown < LIMIT, "{name}: the readers took {grown} bytes more");
    }
}
