//! Every reader accepts real files of its format. With `WEFT_SEEDS`, the files stay in that folder,
//! in a subfolder for each reader: `cargo xtask fuzz` begins its search with them.

use std::collections::BTreeSet;
use std::fs;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::{longrunning as operations, protobuf, rpc};
use dev_readers::{LARGEST_INPUT, READERS, reader};
use prost::Message as _;
use weft_artifact::{Artifact, Decisions, Plan, SummaryFile};
use weft_remote::digest::DigestFunction;
use weft_tests::{ARCHITECTURE, Run, Workbench, path_setting, tools};

const CALLEE: &str = "
struct Shape { __device__ virtual int area(int x) { return x; } };
struct Square : Shape { __device__ int area(int x) override { return x * x; } };
__device__ int table[4] = {1, 2, 3, 4};
__device__ int callee(int x) { Square s; Shape *p = &s; return p->area(x) + table[x & 3]; }
";
const CALLER: &str = "
extern __device__ int callee(int);
extern __device__ int table[4];
__global__ void kernel(int *p) { *p = callee(*p); }
__global__ void other(int *p) { __shared__ int s[8]; s[*p & 7] = 1; __syncthreads(); *p = s[0]; }
void launch(int *p) { kernel<<<1, 1>>>(p); other<<<1, 1>>>(p); int h[4];
  cudaMemcpyFromSymbol(h, table, sizeof h); }
";
const LINK_JOBS: &str = r#"{"common":{"linker_output":"a.out","args":["clang","-O2"],
  "inputs":["b"]},"jobs":[{"args":["-c","a.o"],"inputs":["a.o","a.thinlto.bc"],
  "outputs":["a.native.o"]},{"args":[],"inputs":[],"outputs":["m.o at 12 (a).o"]}]}"#;
const SETTINGS: &str = "[cache]\nmode = \"all\"\ndir = 'cache'\nsize = \"20G\"\n[remote]\n\
  executor = \"grpcs://cluster:443\"\nheaders = [\"a=b\"]\nplatform = [\"OS=linux\"]\n\
  tls-ca = \"ca.pem\"\ntimeout = 60\nfallback = false\nmemory-classes = [\"small=2G\"]\n";
const ASSEMBLY: &str = "{ .reg .pred %p<2>; .extern .func f(); setp.eq.u32 p, $0, ${1:x}; \
  @p bra L${:uid}; call f; $(a$|b$) L${:uid}: mov.u32 $$x, callee; }";

/// Makes the files of a small program, with all that holds its device code.
fn build() -> Workbench {
    let bench = Workbench::new();
    bench.write("a.cu", CALLER);
    bench.write("b.cu", CALLEE);
    bench.prepare(&["a", "b"]);
    bench.thinlink(&["a", "b"], &["--report", "thinlink.json"]);
    bench.import("a", &["a", "b"]).succeed();
    bench.codegen("a").succeed();
    bench.assemble("a").succeed();
    let nvcc = |arguments: &[&str]| {
        let run = Run::new(tools().cuda("nvcc"), bench.path()).arg(format!("-arch={ARCHITECTURE}"));
        run.args(["-rdc=true", "b.cu"]).args(arguments.iter().copied()).succeed();
    };
    nvcc(&["-c", "-o", "zstd.o"]);
    nvcc(&["-c", "-o", "lz4.o", "--compress-mode=speed"]);
    nvcc(&["-c", "-o", "lto.o", "-dlto"]);
    nvcc(&["-cubin", "-o", "b.cubin"]);
    nvcc(&["-ptx", "-o", "b.ptx"]);
    for (mode, name) in [("none", "plain"), ("size", "zstd"), ("speed", "lz4")] {
        let mode = format!("--compress-mode={mode}");
        nvcc(&["-fatbin", "-o", &format!("{name}.fatbin"), &mode]);
    }
    bench
        .llvm("llvm-objcopy")
        .args(["--dump-section", ".llvm.offloading=a.offload", "a.o"])
        .succeed();
    let linker = bench.llvm("clang++").args(["-pie", "-nostdlib", "a.o", "zstd.o", "-o", "linked"]);
    linker.arg("-Wl,--unresolved-symbols=ignore-all").succeed();
    bench.llvm("llvm-ar").args(["rcs", "all.a", "a.o", "lz4.o"]).succeed();
    bench.llvm("llvm-ar").args(["rcsT", "thin.a", "a.o", "zstd.o"]).succeed();
    bench.weft("summarize").args(["-o", "all.summary", "all.a"]).succeed();
    bench.write("modules.tsv", "a\ta.bc\nb\tb.bc\n");
    let stage = ["stage", "--plans", "plans", "--module-map", "modules.tsv", "-o", "staged"];
    bench.weft("backend-job").args(stage).succeed();
    whole_program_cubin(&bench);
    thin_index(&bench);
    cache(&bench);
    bench
}

/// Makes a cubin of a module that depends on nothing, as the mode of ptxas wants it.
fn whole_program_cubin(bench: &Workbench) {
    let ptx = ".version 8.8\n.target sm_90\n.address_size 64\n\
               .visible .entry k(.param .u64 p) { ret; }\n";
    bench.write("whole.ptx", ptx);
    let ptxas = Run::new(tools().cuda("ptxas"), bench.path()).args(["-arch=sm_90", "-ewp"]);
    ptxas.args(["whole.ptx", "-o", "whole.cubin"]).succeed();
}

/// Makes the index of a module of host code that imports from another one.
fn thin_index(bench: &Workbench) {
    bench.write("m.c", "int f(void); int main(void) { return f(); }");
    bench.write("n.c", "int f(void) { return 3; }");
    for name in ["m", "n"] {
        let files = [format!("{name}.c"), "-o".to_owned(), format!("{name}.lto.o")];
        bench.llvm("clang").args(["-O2", "-flto=thin", "-c"]).args(files).succeed();
    }
    let link =
        bench.llvm("clang").args(["-O2", "-flto=thin", "-fuse-ld=lld", "m.lto.o", "n.lto.o"]);
    link.args(["-Wl,--thinlto-index-only", "-o", "m"]).succeed();
}

/// Leaves a result of the codegen phase in a cache.
fn cache(bench: &Workbench) {
    let codegen = ["codegen", "a.linked.bc", "-o", "cached.ptx", "--cache=all"];
    bench.weft("backend-job").args(codegen).args(["--cache-dir", "cache"]).succeed();
}

/// Returns the content of the only file below a folder of the cache.
fn in_cache(bench: &Workbench, folder: &str) -> Vec<u8> {
    let mut path = bench.file(&format!("cache/v1/{folder}"));
    while path.is_dir() {
        path = fs::read_dir(&path).unwrap().next().unwrap().unwrap().path();
    }
    fs::read(path).unwrap()
}

/// Returns the record of an artifact, as it is before compression.
fn record<A: Artifact>(file: &[u8]) -> Vec<u8> {
    let mut record = Vec::new();
    A::decode(file).unwrap().write(&mut record).unwrap();
    record
}

/// Returns a field of a message that is text or a message, of less than 128 bytes.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).ok().filter(|length| *length < 128).unwrap();
    [&[number << 3 | 2, length], content].concat()
}

/// Returns answers of a cluster, each with its reader.
fn answers() -> Vec<(&'static str, Vec<u8>)> {
    let digest = |content: &[u8]| {
        let digest = DigestFunction::Sha256.digest(content);
        let size_bytes = i64::try_from(digest.size()).unwrap();
        Some(reapi::Digest { hash: digest.hex(), size_bytes })
    };
    let file = |path: &str, contents: &[u8]| reapi::OutputFile {
        path: path.to_owned(),
        digest: digest(b"bitcode"),
        contents: contents.to_vec(),
        ..reapi::OutputFile::default()
    };
    let time = |seconds| Some(protobuf::Timestamp { seconds, nanos: 5 });
    let result = reapi::ActionResult {
        output_files: vec![file("linked.bc", b"bitcode"), file("module.ptx", b"")],
        stdout_raw: b"said".to_vec(),
        stderr_digest: digest(b"warned"),
        execution_metadata: Some(reapi::ExecutedActionMetadata {
            worker: "worker".to_owned(),
            execution_start_timestamp: time(7),
            execution_completed_timestamp: time(9),
            ..reapi::ExecutedActionMetadata::default()
        }),
        ..reapi::ActionResult::default()
    };
    let any = |kind: &str, value: Vec<u8>| protobuf::Any {
        type_url: format!("type.googleapis.com/{kind}"),
        value,
    };
    let response = reapi::ExecuteResponse {
        result: Some(result.clone()),
        ..reapi::ExecuteResponse::default()
    };
    let stage = reapi::ExecuteOperationMetadata { stage: 3, ..Default::default() };
    let operation = |result| operations::Operation {
        name: "operations/7".to_owned(),
        metadata: Some(any("ExecuteOperationMetadata", stage.encode_to_vec())),
        done: true,
        result: Some(result),
    };
    let subject = format!("blobs/{}/7", DigestFunction::Sha256.digest(b"bitcode").hex());
    let violation = [field(1, b"MISSING"), field(2, subject.as_bytes())].concat();
    let delay = protobuf::Duration { seconds: 2, nanos: 5 }.encode_to_vec();
    let details = vec![
        any("google.rpc.PreconditionFailure", field(1, &violation)),
        any("google.rpc.RetryInfo", field(1, &delay)),
    ];
    let lost = rpc::Status { code: 9, message: "lost".to_owned(), details };
    let done = any("ExecuteResponse", response.encode_to_vec());
    let done = operation(operations::operation::Result::Response(done));
    let failed = operation(operations::operation::Result::Error(lost));
    let capabilities = reapi::ServerCapabilities {
        cache_capabilities: Some(reapi::CacheCapabilities {
            digest_functions: vec![1, 9],
            max_batch_total_size_bytes: 1 << 22,
            supported_compressors: vec![1],
            ..reapi::CacheCapabilities::default()
        }),
        execution_capabilities: Some(reapi::ExecutionCapabilities {
            digest_function: 1,
            exec_enabled: true,
            ..reapi::ExecutionCapabilities::default()
        }),
        ..reapi::ServerCapabilities::default()
    };
    let text = "content that repeats itself ".repeat(40);
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    vec![
        ("answer_result", result.encode_to_vec()),
        ("answer_operation", done.encode_to_vec()),
        ("answer_operation", failed.encode_to_vec()),
        ("answer_capabilities", capabilities.encode_to_vec()),
        ("answer_frames", ruzstd::encoding::compress_to_vec(text.as_bytes(), level)),
    ]
}

/// Returns real files, each with a reader that must take it.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let bench = build();
    let read = |name: &str| bench.read(name);
    let mut files = answers();
    let mut add = |reader, names: &[&str]| {
        files.extend(names.iter().map(|name| (reader, read(name))));
    };
    let objects = ["a.o", "zstd.o", "lz4.o", "lto.o"];
    let cubins = ["a.cubin", "b.cubin", "whole.cubin"];
    let fatbins = ["plain.fatbin", "zstd.fatbin", "lz4.fatbin"];
    add("archive", &["all.a", "thin.a"]);
    add(
        "device_code",
        &[&objects[..], &cubins, &fatbins, &["a.bc", "a.offload", "a.ptx"]].concat(),
    );
    add("host_facts", &objects);
    add("host_object", &objects);
    add("fatbin", &fatbins);
    add("fatbin_payload", &fatbins);
    add("device_images", &fatbins);
    for reader in ["cubin_costs", "cubin_resources", "cubin_symbols"] {
        add(reader, &cubins);
    }
    add("cubin_whole", &["whole.cubin"]);
    add("offload", &["a.offload"]);
    add("linked_program", &["linked"]);
    add("thin_index", &["m.lto.o.thinlto.bc"]);
    for reader in ["lto_ir_module", "ptx", "ptx_header", "ptx_modes", "ptx_parts"] {
        add(reader, &["a.ptx", "b.ptx", "whole.ptx"]);
    }
    add("summary", &["a.summary", "b.summary", "all.summary"]);
    add("plan", &["plans/a.plan", "plans/b.plan"]);
    add("staged_imports", &["staged/a.imports"]);
    add("decisions", &["plans/decisions.weft"]);
    add("manifest", &["plans/manifest.json"]);
    for name in ["a.summary", "b.summary", "all.summary"] {
        let record = record::<SummaryFile>(&read(name));
        files.extend([("summary_record", record.clone()), ("thin_link", record)]);
    }
    files.push(("plan_record", record::<Plan>(&read("plans/a.plan"))));
    files.push(("decisions_record", record::<Decisions>(&read("plans/decisions.weft"))));
    files.push(("cache_entry", in_cache(&bench, "entries")));
    files.push(("cache_history", in_cache(&bench, "history")));
    let feedback = r#"{"version":1,"kernels":[{"architecture":"sm_90","kernel":"k","choice":
        {"max_registers":64},"tried":[{"choice":{"inline_percent":50},"registers":40,"stack":0,
        "local":0,"instructions":9,"functions":1,"warps":48,"cycles":12}]}]}"#;
    let report = weft_report::BuildReport::new("program");
    files.push(("report", weft_report::page(&report).unwrap().into_bytes()));
    files.push(("report", serde_json::to_vec(&report).unwrap()));
    for (reader, text) in [
        ("feedback", feedback),
        ("link_jobs", LINK_JOBS),
        ("settings", SETTINGS),
        ("assembly", ASSEMBLY),
        ("ptx_header", "// weft-options: opt-level=2 Ofast-compile=2 debug=1 ftz=0\n.version 8.8"),
    ] {
        files.push((reader, text.into()));
    }
    files
}

#[test]
fn every_reader_takes_the_files_that_it_is_for() {
    let files = files();
    let tried: BTreeSet<&str> = files.iter().map(|(reader, _)| *reader).collect();
    let all: BTreeSet<&str> = READERS.iter().map(|reader| reader.name).collect();
    assert_eq!(tried, all, "each reader has files");
    let seeds = path_setting("WEFT_SEEDS");
    for (number, (name, content)) in files.iter().enumerate() {
        let reader = reader(name).unwrap();
        assert!((reader.read)(content), "{name} refuses file {number}");
        if let Some(folder) = seeds.as_ref().map(|seeds| seeds.join(name)) {
            fs::create_dir_all(&folder).unwrap();
            let short = &content[..content.len().min(LARGEST_INPUT)];
            fs::write(folder.join(format!("seed{number}")), short).unwrap();
        }
    }
}
