//! Constants that are too many for constant memory move to global memory.

use std::fmt::Write as _;

use weft_tests::{Run, Workbench, tools};

/// A unit whose kernel reads tables in every way that code can, with a table of `words` numbers.
fn unit(kernel: &str, words: usize) -> String {
    let numbers = (0..words).fold(String::new(), |mut text, number| {
        write!(text, "{},", (number * 37 + kernel.len()) % 1000).unwrap();
        text
    });
    format!(
        r"#include <cuda_runtime.h>
        struct Row {{ int cells[40]; }};
        static const __device__ int table[{words}] = {{{numbers}}};
        static const __device__ int small[4] = {{5, 6, 7, 8}};
        static const __device__ Row rows[3] = {{{{{{1, 2}}}}, {{{{3, 4}}}}, {{{{5, 6}}}}}};
        static const __device__ int *const parts[2] = {{table + 3, table + 50}};
        static __device__ __noinline__ int read(const int *at) {{ return *at; }}
        static __device__ const int *chosen(int i) {{ return i ? table : &table[7]; }}
        __global__ void {kernel}(int *p) {{
          const Row own = rows[p[3]];
          Row copied;
          memcpy(&copied, &rows[1], sizeof copied);
          copied.cells[p[8]] = 3;
          p[0] = table[p[1]] + small[p[2]] + own.cells[p[4]] + copied.cells[p[7]];
          p[5] = *chosen(p[4]) + read(&table[9]) + read(table + p[6]) + parts[p[9]][2];
        }}
        void launch_{kernel}(int *p) {{ {kernel}<<<1, 1>>>(p); }}
        "
    )
}

/// Returns a folder with two units, whose tables are 41,000 bytes each.
fn units() -> Workbench {
    let bench = Workbench::new();
    bench.write("a.cu", unit("first", 10_000));
    bench.write("b.cu", unit("second", 10_000));
    bench.prepare(&["a", "b"]);
    bench
}

/// Links the device code of both units with these options of the thin link, up to the image.
fn link(bench: &Workbench, options: &[&str]) -> Run {
    let units = ["a", "b"];
    bench.thinlink(&units, options);
    for unit in units {
        bench.import(unit, &units).succeed();
        bench.codegen(unit).succeed();
        bench.assemble(unit).succeed();
    }
    let nvlink = Run::new(tools().cuda("nvlink"), bench.path()).arg("-arch=sm_90");
    nvlink.args(["a.cubin", "b.cubin", "-o", "image.cubin"])
}

#[test]
fn a_program_with_more_constants_than_constant_memory_is_linked() {
    let bench = units();
    link(&bench, &[]).succeed();
    // Without the move, nvlink refuses the same program.
    let refused = link(&bench, &["--largest-constant=50000"]).expect(255);
    refused.says(&["File uses too much global constant data"]);
}

#[test]
fn every_use_of_a_constant_follows_it() {
    let bench = units();
    bench.thinlink(&["a", "b"], &["--largest-constant=64"]);
    bench.import("a", &["a", "b"]).succeed();
    bench.codegen("a").succeed();
    let text = String::from_utf8_lossy(&bench.read("a.ptx")).into_owned();
    let is_at = |space: &str, name: &str| {
        let mut of_space = text.lines().filter(|line| line.starts_with(&format!(".{space} ")));
        of_space.any(|line| line.contains(&format!("{name}[")))
    };
    for name in ["table", "rows"] {
        assert!(is_at("global", name) && !is_at("const", name), "{name}:\n{text}");
    }
    assert!(is_at("const", "small"), "{text}");
    bench.assemble("a").succeed();
}
