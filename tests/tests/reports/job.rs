//! Reports of a job: the resource report against cuobjdump, the trace, the saved folder that
//! reruns, and one call for several architectures.

use serde_json::Value;
use weft_tests::{Run, Workbench, tools};

const UNIT: &str = "target triple = \"nvptx64-nvidia-cuda\"
    @tile = internal addrspace(3) global [1024 x float] undef, align 4
    @table = addrspace(4) constant [16 x i32] zeroinitializer
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare i32 @callee(i32)
    define ptx_kernel void @bounded(ptr %p) #0 {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %a = alloca [64 x i32]
      %s = getelementptr [64 x i32], ptr %a, i32 0, i32 %t
      store volatile i32 %t, ptr %s
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %g = getelementptr [16 x i32], ptr addrspace(4) @table, i32 0, i32 %t
      %c = load volatile i32, ptr addrspace(4) %g
      %f = getelementptr [1024 x float], ptr addrspace(3) @tile, i32 0, i32 %t
      store volatile float 1.0, ptr addrspace(3) %f
      store i32 %c, ptr %p
      ret void
    }
    define ptx_kernel void @free(ptr %p) #1 {
      %v = call i32 @callee(i32 3)
      store i32 %v, ptr %p
      ret void
    }
    attributes #0 = { \"target-cpu\"=\"ARCH\" \"nvvm.maxntid\"=\"128,2\" }
    attributes #1 = { \"target-cpu\"=\"ARCH\" }
";
const CALLEE: &str = "target triple = \"nvptx64-nvidia-cuda\"
    define i32 @callee(i32 %x) #0 { %y = mul i32 %x, 7 ret i32 %y }
    attributes #0 = { \"target-cpu\"=\"ARCH\" }
";

/// Compiles and plans both units for an architecture: `ARCH/a.bc`, `ARCH/b.bc` and `plans-ARCH`.
fn prepare(bench: &Workbench, architecture: &str) {
    std::fs::create_dir_all(bench.file(architecture)).unwrap();
    for (name, text) in [("a", UNIT), ("b", CALLEE)] {
        let file = format!("{architecture}/{name}");
        bench.write(&format!("{file}.ll"), text.replace("ARCH", architecture));
        bench.assemble_ir(&file);
        bench
            .weft("summarize")
            .args(["--module-id", name, "--arch", architecture])
            .args(["-o", &format!("{file}.summary"), &format!("{file}.bc")])
            .succeed();
    }
    bench
        .weft("thinlink")
        // Reports count the imports for inlining only.
        .args(["--close-modules=false", "-o", &format!("plans-{architecture}")])
        .args(["a", "b"].map(|name| format!("{architecture}/{name}.summary")))
        .succeed();
}

fn job(bench: &Workbench) -> Run {
    bench
        .weft("backend-job")
        .args(["run", "--plan", "plans-sm_90/a.plan", "--module", "{arch}/a.bc"])
        .args(["--import", "b={arch}/b.bc", "--ptxas", &tools().cuda("ptxas").to_string_lossy()])
}

#[test]
fn the_report_says_what_cuobjdump_says() {
    let bench = Workbench::new();
    prepare(&bench, "sm_90");
    let outcome = job(&bench).args(["-o", "a.cubin", "--report", "r.json", "--verbose"]).succeed();
    let report: Value = serde_json::from_slice(&bench.read("r.json")).unwrap();
    let usage = Run::new(tools().cuda("cuobjdump"), bench.path()).args(["-res-usage", "a.cubin"]);
    let usage = usage.succeed().stdout;
    let kernels = report["kernels"].as_array().unwrap();
    assert_eq!(
        kernels.iter().map(|kernel| kernel["name"].clone()).collect::<Vec<_>>(),
        ["bounded", "free"]
    );
    for kernel in kernels {
        let head = format!("Function {}:\n", kernel["name"].as_str().unwrap());
        let (_, line) = usage.split_once(&head).unwrap();
        for (key, value) in [
            ("REG", &kernel["registers"]),
            ("SHARED", &kernel["shared_bytes"]),
            ("CONSTANT[0]", &kernel["constant_bytes"]["0"]),
        ] {
            let expected = format!("{key}:{value} ");
            assert!(line.lines().next().unwrap().contains(&expected), "{expected} {line}");
        }
        assert_eq!(kernel["spill_store_bytes"], 0);
    }
    let bounded = &kernels[0];
    assert_eq!((&bounded["shared_bytes"], &bounded["stack_bytes"]), (&4096.into(), &256.into()));
    assert_eq!((&bounded["barriers"], &bounded["max_threads"]), (&1.into(), &256.into()));
    assert_eq!(bounded["constant_bytes"]["3"], 64);
    assert_eq!(bounded["occupancy"]["warps"], 64);
    let module = &report["modules"][0];
    assert_eq!((&module["imported"], &module["calls_fewer"]), (&1.into(), &1.into()));
    for (name, count) in [
        ("imported_inlined", 1),
        ("imported_instructions", 2),
        ("imported_instructions_inlined", 2),
    ] {
        assert_eq!(module[name], count, "{name}");
    }
    assert_eq!(
        (&module["before"]["functions"], &module["after"]["functions"]),
        (&3.into(), &2.into())
    );
    let phases: Vec<_> =
        report["phases"].as_array().unwrap().iter().map(|phase| phase["name"].clone()).collect();
    assert_eq!(phases, ["import sm_90", "codegen sm_90", "assemble"]);
    outcome.says(&[
        "64/64 warps (warps)",
        "bounded",
        "sm_90: 1 bodies for inlining, 3 -> 2 functions",
    ]);
}

/// PTX with references of all three kinds; `reads` names a texture through a function.
const IMAGES: &str = ".version 8.8\n.target sm_90, texmode_independent
    .address_size 64
    .global .texref one;
    .global .texref two;
    .global .samplerref sampler;
    .global .surfref surface;
    .visible .global .align 4 .b8 cells[40];
    .visible .global .align 4 .u32 first = 7;
    .func (.param .b32 result) sampled()
    {
      .reg .f32 %f<6>;
      mov.f32 %f5, 0f00000000;
      tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [one, sampler, {%f5,%f5}];
      st.param.f32 [result], %f1;
      ret;
    }
    .visible .entry reads(.param .u64 to)
    {
      .reg .f32 %f<7>;
      .reg .u64 %to;
      ld.param.u64 %to, [to];
      { .param .b32 back; call (back), sampled, (); ld.param.f32 %f6, [back]; }
      mov.f32 %f5, 0f00000000;
      tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [two, sampler, {%f5,%f5}];
      add.f32 %f1, %f1, %f6;
      st.global.f32 [%to], %f1;
      ret;
    }
    .visible .entry writes()
    {
      .reg .b32 %x;
      .reg .u32 %y;
      mov.u32 %x, 3;
      ld.global.u32 %y, [first];
      st.global.u32 [cells], %y;
      sust.b.1d.b32.trap [surface, {%x}], {%y};
      ret;
    }
";

#[test]
fn references_to_images_global_memory_and_times_are_in_reports() {
    let bench = Workbench::new();
    bench.write("a.ptx", IMAGES);
    let told = bench.assemble("a").args(["--report", "r.json", "--verbose"]).succeed();
    let report: Value = serde_json::from_slice(&bench.read("r.json")).unwrap();
    let kernels = report["kernels"].as_array().unwrap();
    assert_eq!(kernels.len(), 2);
    for (kernel, counts) in kernels.iter().zip([("reads", [2, 0, 1]), ("writes", [0, 1, 0])]) {
        let [textures, surfaces, samplers] = counts.1;
        assert_eq!(kernel["name"], counts.0);
        assert_eq!(kernel["textures"], textures, "{kernel}");
        assert_eq!(kernel["surfaces"], surfaces, "{kernel}");
        assert_eq!(kernel["samplers"], samplers, "{kernel}");
        assert_eq!(kernel["global_bytes"], 44, "{kernel}");
        assert!(kernel["compile_seconds"].as_f64().unwrap() > 0.0, "{kernel}");
    }
    told.says(&["2/0/1", "0/1/0"]);
    let usage = Run::new(tools().cuda("cuobjdump"), bench.path()).args(["-res-usage", "a.cubin"]);
    let usage = usage.succeed().stdout;
    assert!(usage.contains("GLOBAL:44"), "{usage}");
}

#[test]
fn reports_and_traces_change_no_output() {
    let bench = Workbench::new();
    prepare(&bench, "sm_90");
    job(&bench).args(["-o", "plain.{part}.cubin", "--split", "2"]).succeed();
    let options = ["--report", "r.json", "--time-trace", "t.json", "--verbose", "--split", "2"];
    job(&bench).args(["-o", "told.{part}.cubin"]).args(options).succeed();
    for part in 0..2 {
        let read = |name: &str| bench.read(&format!("{name}.{part}.cubin"));
        assert!(read("plain") == read("told"), "partition {part}");
    }
    let trace: Value = serde_json::from_slice(&bench.read("t.json")).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let count = |name: &str| events.iter().filter(|event| event["name"] == name).count();
    assert_eq!(count("assemble"), 2, "{trace}");
    assert_eq!((count("import"), count("codegen")), (1, 1), "{trace}");
}

#[test]
fn a_programs_report_is_made_of_its_jobs_or_of_their_cubins() {
    let bench = Workbench::new();
    prepare(&bench, "sm_90");
    job(&bench).args(["-o", "a.cubin", "--report", "r.json"]).succeed();
    let report = |list: &str| {
        let manifest = ["--manifest", "plans-sm_90/manifest.json"];
        bench.weft("weft").args(["report", list]).args(manifest)
    };
    // Returns the words of the first line that has a word.
    let words = |text: &str, word: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect());
        let mut lines = lines.filter(|words: &Vec<String>| words.iter().any(|one| one == word));
        lines.next().unwrap_or_default()
    };
    bench.write("jobs.tsv", "a\tr.json\n");
    bench.write("cubins.tsv", "a\ta.cubin\n");
    let of_jobs = report("jobs.tsv").succeed().stdout;
    let of_cubins = report("cubins.tsv").succeed().stdout;
    // Only reports know spills, which are zero and so left out, and times.
    let head = ["warps", "regs", "stack", "shared", "instr", "const", "ms", "kernel", "unit"];
    assert_eq!(words(&of_jobs, "regs"), head, "{of_jobs}");
    let head = ["warps", "regs", "stack", "spill", "shared", "instr", "const", "kernel", "unit"];
    assert_eq!(words(&of_cubins, "regs"), head, "{of_cubins}");
    let mut known = words(&of_jobs, "bounded");
    let mut less = words(&of_cubins, "bounded");
    assert!(known.remove(6).parse::<f64>().unwrap() > 0.0, "{of_jobs}");
    assert_eq!(less.remove(3), "?", "{of_cubins}");
    assert_eq!(known, less);
    // ptxas runs twice for a module with constants.
    for text in ["3 -> 2 ", "    imports 1 definition from b (1 inlined)\n", "assemble     2 "] {
        assert!(of_jobs.contains(text), "{text:?} is not in {of_jobs}");
        assert!(!of_cubins.contains(text), "{text:?} is in {of_cubins}");
    }
    assert!(of_cubins.contains("    imports 1 definition from b\n"), "{of_cubins}");

    report("jobs.tsv").args(["-o", "text"]).succeed();
    assert_eq!(bench.read("text"), of_jobs.as_bytes());

    bench.write("wrong.tsv", "a\tjobs.tsv\n");
    report("wrong.tsv").expect(3).says(&["jobs.tsv: neither a report nor a cubin"]);
    bench.write("no_tab.tsv", "a r.json\n");
    report("no_tab.tsv").expect(3).says(&["no_tab.tsv:1: expected ID<TAB>FILE"]);
    report("gone.tsv").expect(4).says(&["cannot read gone.tsv"]);
}

#[test]
fn a_saved_job_runs_again_elsewhere() {
    let bench = Workbench::new();
    prepare(&bench, "sm_90");
    job(&bench).args(["--emit=ptx,cubin", "-o", "a.cubin", "--save", "saved", "-O2"]).succeed();
    let away = Workbench::new();
    let copy = Run::new("cp", bench.path());
    copy.args(["-r", "saved", &away.file("job").to_string_lossy()]).succeed();
    for folder in ["plans-sm_90", "sm_90", "saved"] {
        std::fs::remove_dir_all(bench.file(folder)).unwrap();
    }
    let script = String::from_utf8(away.read("job/run")).unwrap();
    assert!(!script.contains(&*bench.path().to_string_lossy()), "{script}");
    let run = format!("BACKEND_JOB={} job/run", tools().weft("backend-job").display());
    Run::new("sh", away.path()).args(["-c", &run]).succeed();
    assert!(away.read("job/out/a.cubin") == bench.read("a.cubin"));
    assert!(away.read("job/out/a.ptx") == bench.read("a.ptx"));
}

/// The folder is meant to be shared. Credentials come from options, variables and a settings file.
#[test]
fn a_saved_job_has_no_credentials() {
    let bench = Workbench::new();
    prepare(&bench, "sm_90");
    // No server listens there. The job goes on without one, and its messages hold no secret.
    bench.write(
        "weft.toml",
        "[remote]\nheaders = [\"x-file=SECRET-1\"]\ncache = \"grpc://me:SECRET-2@localhost:1\"\n",
    );
    let by_option = [
        "--remote-header=x-key=SECRET-3",
        "--remote-header",
        "x-other=SECRET-4",
        "--remote-cache",
        "grpc://me:SECRET-5@localhost:1",
        "--remote-salt=SECRET-6",
        "--remote-instance=SECRET-7",
        "--remote-fallback",
        "--cache=on",
        "--explain-miss",
        "--stats",
    ];
    let saved = |name: &str, run: Run| {
        let run = run.variable("WEFT_CACHE_DIR", bench.file("cache"));
        let reports = ["-o", "a.cubin", "--report", "r.json", "--time-trace", "t.json", "-v"];
        run.args(reports).args(["--save", name]).succeed()
    };
    let outcomes = [
        saved("options", job(&bench).args(by_option)),
        saved("file", job(&bench).args(["--config", "weft.toml", "--cache=on"])),
        saved(
            "variables",
            job(&bench)
                .variable("WEFT_REMOTE_HEADERS", "x-key=SECRET-8")
                .variable("WEFT_REMOTE_CACHE", "grpc://me:SECRET-9@localhost:1")
                .arg("--cache=on"),
        ),
    ];
    for outcome in &outcomes {
        assert!(!outcome.stderr.contains("SECRET"), "{}", outcome.stderr);
    }
    for folder in ["options", "file", "variables", "r.json", "t.json", "a.cubin"] {
        let found = Run::new("grep", bench.path()).args(["-r", "SECRET", folder]).outcome();
        assert_eq!(found.code, Some(1), "{}", found.stdout);
    }
    let script = |folder: &str| String::from_utf8(bench.read(&format!("{folder}/run"))).unwrap();
    let expected = "# Left out, since their values may hold credentials: --remote-cache, \
                    --remote-fallback, --remote-header, --remote-instance, --remote-salt.\n";
    assert!(script("options").contains(expected), "{}", script("options"));
    assert!(script("options").contains("--cache=on"));
    assert!(script("file").contains("credentials: --config.\n"), "{}", script("file"));
    assert!(!script("variables").contains("Left out"), "{}", script("variables"));
    for folder in ["file", "options"] {
        let run = format!("BACKEND_JOB={} {folder}/run", tools().weft("backend-job").display());
        Run::new("sh", bench.path()).args(["-c", &run]).succeed();
        assert!(bench.read(&format!("{folder}/out/a.cubin")) == bench.read("a.cubin"));
    }
}

#[test]
fn one_call_makes_the_cubins_of_all_architectures() {
    let bench = Workbench::new();
    prepare(&bench, "sm_90");
    prepare(&bench, "sm_120a");
    job(&bench)
        .args(["--also-plan", "plans-sm_120a/a.plan", "-o", "a.{arch}.cubin", "--report", "r.json"])
        .args(["--list", "list", "--save", "saved"])
        .succeed();
    assert_eq!(bench.read("list"), b"a.sm_90.cubin\na.sm_120a.cubin\n");
    job(&bench).args(["-o", "single.cubin"]).succeed();
    assert!(bench.read("a.sm_90.cubin") == bench.read("single.cubin"));
    let report: Value = serde_json::from_slice(&bench.read("r.json")).unwrap();
    assert_eq!(report["kernels"].as_array().unwrap().len(), 4);
    let run = format!("BACKEND_JOB={} saved/run", tools().weft("backend-job").display());
    Run::new("sh", bench.path()).args(["-c", &run]).succeed();
    assert!(bench.read("saved/out/a.sm_120a.cubin") == bench.read("a.sm_120a.cubin"));

    let both = job(&bench).args(["--also-plan", "plans-sm_120a/a.plan", "-o", "a.cubin"]);
    both.expect(2).says(&["put {arch} into the name 'a.cubin'"]);
    let twice = job(&bench).args(["--also-plan", "plans-sm_90/a.plan", "-o", "{arch}.cubin"]);
    twice.expect(3).says(&["another plan is for sm_90 too"]);
}
