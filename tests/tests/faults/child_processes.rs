//! Programs that a job starts: the limits and signals that they inherit, and their end if the job
//! ends first.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

use weft_tests::{Outcome, Run, Workbench, tools};

/// Number of partitions of the split job, and of its kernels.
const PARTITIONS: usize = 48;
/// Number of stores of each kernel. The thread of each partition reads the kernels of all, and
/// reading must take a while.
const STORES: usize = 200;

/// Returns a planned unit `k` with a kernel for each partition.
fn planned() -> Workbench {
    let mut text = "target triple = \"nvptx64-nvidia-cuda\"\n".to_owned();
    for kernel in 0..PARTITIONS {
        let stores = format!("store volatile i32 {kernel}, ptr %out\n").repeat(STORES);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "define ptx_kernel void @kernel{kernel}(ptr %out) #0 {{\n{stores}ret void\n}}"
        );
    }
    let bench = Workbench::new();
    bench.write("k.ll", text + "attributes #0 = { \"target-cpu\"=\"sm_90\" }\n");
    bench.prepare(&["k"]);
    bench.thinlink(&["k"], &[]);
    bench
}

/// Some threads read partitions as bitcode while others start ptxas.
#[test]
fn every_ptxas_has_the_limits_of_the_job() {
    let bench = planned();
    std::fs::create_dir(bench.file("limits")).unwrap();
    bench.write_script(
        "ptxas",
        &format!(
            "cat /proc/self/limits > {}/$$; exec {} \"$@\"",
            bench.file("limits").display(),
            tools().cuda("ptxas").display()
        ),
    );
    let split = PARTITIONS.to_string();
    bench
        .weft("backend-job")
        .args(["run", "--plan", "plans/k.plan", "--module", "k.bc", "--ptxas", "./ptxas"])
        .args(["--split", &split, "--threads", "8", "-o", "k.{part}.cubin"])
        .succeed();
    let expected = std::fs::read_to_string("/proc/self/limits").unwrap();
    let mut count = 0;
    for entry in std::fs::read_dir(bench.file("limits")).unwrap() {
        assert_eq!(std::fs::read_to_string(entry.unwrap().path()).unwrap(), expected);
        count += 1;
    }
    // One more is asked for the newest PTX that it takes.
    assert_eq!(count, PARTITIONS + 1);
}

/// Returns a bench with PTX `k.ptx`, and an empty folder `tmp` for the jobs' temporary files.
fn with_ptx() -> Workbench {
    let bench = Workbench::new();
    let body = ".visible .entry only()\n{\nret;\n}\n";
    bench.write("k.ptx", format!(".version 8.8\n.target sm_90\n.address_size 64\n{body}"));
    std::fs::create_dir(bench.file("tmp")).unwrap();
    bench
}

/// Returns the command that assembles `k.ptx` to `output` with the `ptxas` of the bench.
fn assembly(bench: &Workbench, output: &str) -> Run {
    // A shell that runs the tests in the background may ignore signals, and children inherit that.
    Run::new("env", bench.path())
        .variable("TMPDIR", bench.file("tmp"))
        .arg("--default-signal")
        .arg(tools().weft("backend-job"))
        .args(["assemble", "--ptxas", "./ptxas", "k.ptx", "-o", output])
}

/// Returns a script that continues as the real ptxas.
fn real_ptxas() -> String {
    format!("exec {} \"$@\"", tools().cuda("ptxas").display())
}

/// Returns the paths in the folder for temporary files.
fn temporary(bench: &Workbench) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(bench.file("tmp")).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// A job whose ptxas hangs, and so does a child of this ptxas.
struct Hanging {
    thread: JoinHandle<Outcome>,
    job: u32,
    ptxas: u32,
    child: u32,
}

impl Hanging {
    /// Starts a job, and waits until its ptxas and the child of ptxas run.
    fn start(bench: &Workbench) -> Self {
        Self::start_by(bench, assembly(bench, "hanging.cubin"))
    }

    /// Starts a job by a command whose ptxas is that of the bench.
    fn start_by(bench: &Workbench, run: Run) -> Self {
        let (numbers, whole) = (bench.file("numbers.part"), bench.file("numbers"));
        bench.write_script(
            "ptxas",
            &format!(
                // A link asks what PTX it takes, by a version that it does not know.
                "grep -q 'version 99.9' module.ptx && exit 1\n\
                 sleep 600 &\necho $PPID $$ $! > {}\nmv {0} {}\nwait",
                numbers.display(),
                whole.display()
            ),
        );
        let thread = std::thread::spawn(move || run.outcome());
        eventually("the script runs", || whole.exists());
        let numbers = String::from_utf8(bench.read("numbers")).unwrap();
        bench.remove("numbers");
        let numbers: Vec<u32> =
            numbers.split_whitespace().map(|number| number.parse().unwrap()).collect();
        let [job, ptxas, child]: [u32; 3] = numbers.try_into().unwrap();
        assert!([job, ptxas, child].into_iter().all(is_running));
        Self { thread, job, ptxas, child }
    }
}

/// Waits for a condition that must hold soon. A machine under load takes longer than a second.
fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let looks = |_| {
        sleep(Duration::from_millis(10));
        is_so()
    };
    assert!((0..1000).any(looks), "not within 10 s: {what}");
}

/// Returns the fields of the process's line in `/proc` from its state on. The result is empty if
/// the process is gone.
fn fields(process: u32) -> Vec<String> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let (_, rest) = text.rsplit_once(')').unwrap_or_default();
    rest.split_whitespace().map(str::to_owned).collect()
}

/// Returns whether a process runs. A process that has ended but has not been waited for does not
/// run.
fn is_running(process: u32) -> bool {
    fields(process).first().is_some_and(|state| state != "Z" && state != "X")
}

fn send(signal: &str, processes: &[u32]) {
    let processes = processes.iter().map(ToString::to_string);
    Run::new("kill", "/").arg(format!("-{signal}")).args(processes).succeed();
}

#[test]
fn nothing_is_left_of_a_job_that_a_signal_ends() {
    for signal in ["KILL", "INT", "TERM", "HUP"] {
        let bench = with_ptx();
        let hanging = Hanging::start(&bench);
        send(signal, &[hanging.job]);
        assert_eq!(hanging.thread.join().unwrap().code, None, "{signal}");
        eventually(signal, || !is_running(hanging.ptxas) && !is_running(hanging.child));
        eventually(signal, || temporary(&bench).is_empty());
        assert!(!bench.file("hanging.cubin").exists());
    }
}

/// `weft link` alone gets the signal, as from a build's time limit, and not the job.
#[test]
fn nothing_is_left_of_a_link_that_a_signal_ends() {
    for signal in ["KILL", "INT", "TERM"] {
        let bench = with_ptx();
        bench.write("k.cu", "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n");
        bench.compile_cuda("k", &[]);
        // A root of CUDA with the ptxas of the bench.
        std::fs::create_dir_all(bench.file("cuda/bin")).unwrap();
        for program in ["nvlink", "fatbinary"] {
            let place = bench.file("cuda/bin").join(program);
            std::os::unix::fs::symlink(tools().cuda(program), place).unwrap();
        }
        std::os::unix::fs::symlink(bench.file("ptxas"), bench.file("cuda/bin/ptxas")).unwrap();
        let link = Run::new("env", bench.path())
            .variable("TMPDIR", bench.file("tmp"))
            .arg("--default-signal")
            .arg(tools().weft("weft"))
            .args(["link", "--cuda", "cuda", "--", "g++", "k.o", "-o", "program"]);
        let hanging = Hanging::start_by(&bench, link);
        let weft: u32 = fields(hanging.job)[1].parse().unwrap();
        send(signal, &[weft]);
        assert_eq!(hanging.thread.join().unwrap().code, None, "{signal}");
        let all = [hanging.job, hanging.ptxas, hanging.child];
        eventually(signal, || !all.into_iter().any(is_running));
        eventually(signal, || temporary(&bench).is_empty());
        assert!(!bench.file("program").exists());
    }
}

#[test]
fn the_next_job_removes_remains_of_a_killed_one() {
    let bench = with_ptx();
    let hanging = Hanging::start(&bench);
    // The leader of the group would end the other processes. Killed with its leader, the job leaves
    // as much behind as it can.
    let supervisor = fields(hanging.ptxas)[2].parse().unwrap();
    send("KILL", &[supervisor, hanging.job]);
    hanging.thread.join().unwrap();
    let left = temporary(&bench);
    assert_eq!(left.len(), 1);
    for (name, content) in [("other", "kept"), ("weft-job", "kept"), ("weft-other", "kept")] {
        std::fs::write(bench.file("tmp").join(name), content).unwrap();
    }
    bench.write_script("ptxas", &real_ptxas());
    assembly(&bench, "k.cubin").succeed();
    assert!(!left[0].exists());
    assert_eq!(temporary(&bench).len(), 3);
    send("KILL", &[hanging.ptxas, hanging.child]);
}

#[test]
fn the_folder_of_a_living_job_stays() {
    let bench = with_ptx();
    let go = bench.file("go");
    let script = format!(
        "touch {}\nwhile [ ! -e {} ]; do sleep 0.01; done\n{}",
        bench.file("runs").display(),
        go.display(),
        real_ptxas()
    );
    bench.write_script("ptxas", &script);
    let run = assembly(&bench, "slow.cubin");
    let slow = std::thread::spawn(move || run.outcome());
    eventually("the script runs", || bench.file("runs").exists());
    let folders = temporary(&bench);
    assert_eq!(folders.len(), 1);
    let other = tools().cuda("ptxas").display().to_string();
    let run = bench.weft("backend-job").variable("TMPDIR", bench.file("tmp"));
    run.args(["assemble", "--ptxas", &other, "k.ptx", "-o", "k.cubin"]).succeed();
    assert_eq!(temporary(&bench), folders);
    bench.write("go", "");
    assert_eq!(slow.join().unwrap().code, Some(0));
    assert!(bench.read("slow.cubin") == bench.read("k.cubin"));
    assert!(temporary(&bench).is_empty());
}

#[test]
fn many_jobs_may_start_at_once() {
    let bench = with_ptx();
    bench.write_script("ptxas", &real_ptxas());
    for number in 0..10 {
        std::fs::create_dir(bench.file("tmp").join(format!("weft-job-{number}"))).unwrap();
    }
    let jobs: Vec<_> = (0..20)
        .map(|number| {
            let run = assembly(&bench, &format!("{number}.cubin"));
            std::thread::spawn(move || run.outcome())
        })
        .collect();
    for job in jobs {
        let outcome = job.join().unwrap();
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    }
    assert!((1..20).all(|number| bench.read(&format!("{number}.cubin")) == bench.read("0.cubin")));
    assert!(temporary(&bench).is_empty());
}

#[test]
fn all_that_a_program_started_ends_with_its_time() {
    let bench = with_ptx();
    let child = bench.file("child");
    bench.write_script("ptxas", &format!("sleep 600 &\necho $! > {}\nwait", child.display()));
    let run = assembly(&bench, "k.cubin").args(["--timeout", "1"]);
    run.expect(5).says(&["did not end within 1 s and was killed"]);
    let child = || String::from_utf8(bench.read("child")).unwrap().trim().parse().unwrap();
    eventually("the child ends", || !is_running(child()));
    // Processes that a program leaves behind when it succeeds are not waited for, either.
    let script =
        format!("sleep 600 &\necho $! > {}\n{}", bench.file("child").display(), real_ptxas());
    bench.write_script("ptxas", &script);
    assembly(&bench, "k.cubin").succeed();
    eventually("the child ends", || !is_running(child()));
    assert!(temporary(&bench).is_empty());
}

/// Build systems put a tool into place and start others meanwhile, which keep its file open.
#[test]
fn a_program_that_is_open_for_writing_is_waited_for() {
    let bench = with_ptx();
    bench.write_script("ptxas", &real_ptxas());
    let writer = std::fs::OpenOptions::new().append(true).open(bench.file("ptxas")).unwrap();
    let job = assembly(&bench, "k.cubin");
    let job = std::thread::spawn(move || job.outcome());
    sleep(Duration::from_secs(1));
    assert!(!job.is_finished(), "the job did not wait");
    drop(writer);
    let outcome = job.join().unwrap();
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
}
