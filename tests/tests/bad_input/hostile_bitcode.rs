//! Bitcode that was changed on purpose, in every place where a program takes bitcode: the program
//! refuses it with the file's name and exit code 3, or takes it for what it then means, within a
//! time limit, and leaves nothing behind.
//!
//! `WEFT_HOSTILE_FILES` sets the number of changed files, and `WEFT_SEED` the first seed. `cargo
//! xtask nightly` runs the long form. `WEFT_KEEP` names a folder for the files that show a
//! defect.

use std::ffi::OsString;
use std::fmt::Write as _;

use dev_random::SplitMix64;
use weft_tests::{Run, Workbench, path_setting, setting, tools};

/// Exit code for a wrong input.
const INPUT: i32 = 3;
/// Time in seconds after which a program counts as one that does not end. A file of 4 kB can make
/// LLVM's reader allocate all of its budget of 1 GiB, which takes many seconds on a busy machine.
const PATIENCE: &str = "120";

const CALLER: &str = "
struct Shape { __device__ virtual int area(int x) { return x; } };
struct Square : Shape { __device__ int area(int x) override { return x * x; } };
extern __device__ int callee(int, float *);
extern __device__ int table[4];
__global__ void kernel(int *p, float *f) {
  __shared__ int s[64];
  Square square; Shape *shape = &square;
  for (int i = 0; i < p[0]; ++i) s[i & 63] += shape->area(p[i]) + table[i & 3];
  __syncthreads();
  *p = callee(s[threadIdx.x & 63], f);
}
void launch(int *p, float *f) { kernel<<<1, 1>>>(p, f); }
";
const CALLEE: &str = "
__device__ int table[4] = {1, 2, 3, 4};
__device__ int callee(int x, float *f) {
  switch (x & 7) { case 1: *f = sinf(*f); break; case 3: asm volatile(\"membar.gl;\"); break;
  case 5: atomicAdd(f, 1.0f); break; default: table[x & 3] = x; }
  return table[x & 1] + x;
}
";

/// Returns the bytes of a file after some changes.
fn changed(file: &[u8], other: &[u8], random: &mut SplitMix64) -> Vec<u8> {
    let mut file = file.to_vec();
    let mut below = |bound: usize| usize::try_from(random.below(bound as u64)).unwrap();
    // The identification of the writer is at the start: nearly all changes of it are refused alike.
    let start = 64;
    for _ in 0..=below(3) {
        let at = start + below(file.len() - start - 8);
        match below(8) {
            0..=2 => file[at] ^= 1 << below(8),
            3 => file[at] = [0, 0x7F, 0x80, 0xFF][below(4)],
            4 => {
                // Blocks and their lengths are counted in words.
                let word = at / 4 * 4;
                let value = [0, 1, u32::MAX, 1 << 31, 1 << 20][below(5)];
                file[word..word + 4].copy_from_slice(&value.to_le_bytes());
            }
            5 => {
                let length = (4 * (1 + below(16))).min(file.len() - at);
                let from = below(other.len() - length);
                file[at..at + length].copy_from_slice(&other[from..from + length]);
            }
            6 => {
                let length = (4 * (1 + below(16))).min(file.len() - at - 8);
                file.drain(at..at + length);
            }
            _ => {
                let from = at.saturating_sub(below(256));
                let piece = file[from..at].to_vec();
                file.splice(at..at, piece);
            }
        }
        if file.len() < start + 128 {
            break;
        }
    }
    file
}

/// Returns a command like `run` that a time limit ends with exit code 124.
fn limited(bench: &Workbench, arguments: &[&str]) -> Run {
    let mut words: Vec<OsString> = vec!["--kill-after=1".into(), PATIENCE.into()];
    words.push(tools().weft(arguments[0]).into());
    words.extend(arguments[1..].iter().map(OsString::from));
    Run::new("timeout", bench.path()).args(words)
}

fn names(bench: &Workbench) -> Vec<OsString> {
    let entries = std::fs::read_dir(bench.path()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

/// A place where a program takes bitcode: the file that is changed, the program's command line and
/// its output.
type Place = (&'static str, &'static [&'static str], &'static str);

const PLACES: [Place; 4] = [
    ("a.bc", &["summarize", "--module-id", "a", "-o", "out.summary", "hostile.bc"], "out.summary"),
    (
        "a.bc",
        &[
            "backend-job",
            "import",
            "--plan",
            "plans/a.plan",
            "--module",
            "hostile.bc",
            "--import=b=b.bc",
            "-o",
            "out.linked.bc",
        ],
        "out.linked.bc",
    ),
    (
        "b.bc",
        &[
            "backend-job",
            "import",
            "--plan",
            "plans/a.plan",
            "--module",
            "a.bc",
            "--import=b=hostile.bc",
            "-o",
            "out.linked.bc",
        ],
        "out.linked.bc",
    ),
    ("a.linked.bc", &["backend-job", "codegen", "hostile.bc", "-o", "out.ptx"], "out.ptx"),
];

#[test]
fn changed_bitcode_is_refused_or_taken_wherever_it_is_read() {
    let bench = Workbench::new();
    bench.write("a.cu", CALLER);
    bench.write("b.cu", CALLEE);
    bench.prepare(&["a", "b"]);
    bench.thinlink(&["a", "b"], &["--close-modules=false"]);
    bench.import("a", &["b"]).succeed();
    bench.write("hostile.bc", "");
    let before = names(&bench);
    let count = setting("WEFT_HOSTILE_FILES", 160);
    let first = setting("WEFT_SEED", 1);
    let keeps = path_setting("WEFT_KEEP");
    let (mut taken, mut refused, mut wrong) = ([0; 4], [0; 4], String::new());
    for seed in first..first + count {
        let place = usize::try_from(seed % 4).unwrap();
        let (file, arguments, output) = PLACES[place];
        let mut random = SplitMix64::new(seed);
        let other = if file == "b.bc" { "a.bc" } else { "b.bc" };
        let hostile = changed(&bench.read(file), &bench.read(other), &mut random);
        bench.write("hostile.bc", hostile);
        let said = wrong.len();
        let outcome = limited(&bench, arguments).outcome();
        let lines = outcome.stderr.lines().filter(|line| line.contains("error: ")).count();
        match outcome.code {
            Some(0) => {
                taken[place] += 1;
                bench.remove(output);
            }
            Some(INPUT) if outcome.stderr.contains("hostile.bc") && lines == 1 => {
                refused[place] += 1;
            }
            code => {
                let _ = write!(wrong, "seed {seed}, {arguments:?}: {code:?}\n{}\n", outcome.stderr);
            }
        }
        if let Some(folder) = keeps.as_ref().filter(|_| wrong.len() > said) {
            std::fs::copy(bench.file("hostile.bc"), folder.join(format!("{seed}.bc"))).unwrap();
        }
        if names(&bench) != before {
            let _ = writeln!(wrong, "seed {seed}, {arguments:?} leaves {:?}", names(&bench));
            let new = names(&bench).into_iter().filter(|name| !before.contains(name));
            new.for_each(|name| bench.remove(&name.to_string_lossy()));
        }
    }
    println!("metric strain.hostile_bitcode {count}");
    println!("taken {taken:?}, refused {refused:?}");
    assert!(wrong.is_empty(), "{wrong}");
    assert!(refused.iter().all(|count| *count > 0), "{taken:?} taken, {refused:?} refused");
}
