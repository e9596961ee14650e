//! `weft report`: the data of a build, gathered from the real outputs of its jobs.

use serde_json::Value;
use weft_tests::{Run, Workbench, tools};

/// The architectures of the program.
const ARCHITECTURES: [&str; 2] = ["sm_90", "sm_120a"];
const KERNELS: &str = "target triple = \"nvptx64-nvidia-cuda\"
    declare i32 @_Z5scalei(i32)
    declare i32 @_Z7outsidei(i32)
    define ptx_kernel void @_Z4stepPi(ptr %p) #0 {
      %v = load i32, ptr %p
      %s = call i32 @_Z5scalei(i32 %v)
      store i32 %s, ptr %p
      ret void
    }
    define ptx_kernel void @_Z5leavePi(ptr %p) #0 {
      %v = call i32 @_Z7outsidei(i32 3)
      store i32 %v, ptr %p
      ret void
    }
    attributes #0 = { \"target-cpu\"=\"ARCH\" }
";
const LIBRARY: &str = "target triple = \"nvptx64-nvidia-cuda\"
    define i32 @_Z5scalei(i32 %x) #0 { %y = mul i32 %x, 7 ret i32 %y }
    define i32 @_Z7outsidei(i32 %x) #1 { %y = add i32 %x, 9 ret i32 %y }
    attributes #0 = { \"target-cpu\"=\"ARCH\" }
    attributes #1 = { noinline \"target-cpu\"=\"ARCH\" }
";

/// Builds the program for all architectures, each in a separate folder, with a cache. The list of
/// the jobs' files is `list.tsv`.
fn build(bench: &Workbench) {
    build_with(bench, LIBRARY);
}

/// Builds the program with another library.
fn build_with(bench: &Workbench, library: &str) {
    let mut list = Vec::new();
    for architecture in ARCHITECTURES {
        std::fs::create_dir_all(bench.file(architecture)).unwrap();
        for (name, text) in [("a", KERNELS), ("b", library)] {
            let file = format!("{architecture}/{name}");
            bench.write(&format!("{file}.ll"), text.replace("ARCH", architecture));
            bench.assemble_ir(&file);
            bench
                .weft("summarize")
                .args(["--module-id", name, "--arch", architecture])
                .args(["-o", &format!("{file}.summary"), &format!("{file}.bc")])
                .args(["--report", &format!("{file}.summarize.json")])
                .succeed();
        }
        bench
            .weft("thinlink")
            .args(["--close-modules=false", "-o", &format!("{architecture}/plans")])
            .args(["--report", &format!("{architecture}/thinlink.json")])
            .args(["a", "b"].map(|name| format!("{architecture}/{name}.summary")))
            .succeed();
        for name in ["a", "b"] {
            let file = format!("{architecture}/{name}");
            bench
                .weft("backend-job")
                .args(["run", "--plan", &format!("{architecture}/plans/{name}.plan")])
                .args(["--module", &format!("{file}.bc"), "--report", &format!("{file}.json")])
                .args(["a", "b"].map(|other| format!("--import={other}={architecture}/{other}.bc")))
                .args(["--emit=ptx,cubin", "-o", &format!("{file}.cubin")])
                .args(["--ptxas", &tools().cuda("ptxas").to_string_lossy(), "--cache=on"])
                .variable("WEFT_CACHE_DIR", bench.file("cache"))
                .succeed();
            list.extend(
                ["json", "ptx", "summarize.json"].map(|kind| format!("{name}\t{file}.{kind}")),
            );
        }
    }
    list.extend(ARCHITECTURES.map(|name| format!("program\t{name}/thinlink.json")));
    bench.write("list.tsv", list.join("\n"));
}

fn report(bench: &Workbench) -> Run {
    let manifests = ARCHITECTURES.map(|name| format!("--manifest={name}/plans/manifest.json"));
    bench.weft("weft").args(["report", "--title", "program"]).args(manifests)
}

fn json(bench: &Workbench, file: &str) -> Value {
    serde_json::from_slice(&bench.read(file)).unwrap()
}

/// Returns the position of a name.
fn name(report: &Value, mangled: &str) -> usize {
    let names = report["names"]["mangled"].as_array().unwrap();
    names.iter().position(|name| name == mangled).unwrap()
}

#[test]
fn the_data_covers_all_architectures_and_does_not_depend_on_the_order() {
    let bench = Workbench::new();
    build(&bench);
    report(&bench).args(["list.tsv", "--json", "r.json", "--html", "r.html"]).succeed();
    let data = json(&bench, "r.json");
    let links = data["links"].as_array().unwrap();
    let architectures: Vec<_> = links.iter().map(|link| link["architecture"].clone()).collect();
    assert_eq!(architectures, ARCHITECTURES);
    let modules = data["modules"].as_array().unwrap();
    let ids: Vec<_> = modules.iter().map(|module| module["id"].clone()).collect();
    assert_eq!(ids, ["a", "b", "a", "b"]);
    // The second architecture's first module imports one function for inlining.
    assert_eq!(modules[2]["imports"], serde_json::json!([[3, 1, 0]]));
    let kernels = data["kernels"].as_array().unwrap();
    let leave = name(&data, "_Z5leavePi");
    let leaving: Vec<_> = kernels.iter().filter(|kernel| kernel["name"] == leave).collect();
    assert_eq!(leaving.len(), 2, "{kernels:?}");
    for kernel in &leaving {
        assert_eq!(kernel["calls"], serde_json::json!([name(&data, "_Z7outsidei")]));
        assert!(kernel["instructions"].as_u64().unwrap() > 3, "{kernel}");
        assert!(kernel["ptx_bytes"].as_u64().unwrap() > 100, "{kernel}");
        assert_eq!(kernel["spill_loads"], 0);
        assert!(kernel["listings"].is_null());
    }
    let sizes = ARCHITECTURES.map(|architecture| {
        let cubins = ["a", "b"].map(|name| bench.read(&format!("{architecture}/{name}.cubin")));
        cubins.iter().map(Vec::len).sum::<usize>()
    });
    for (image, size) in data["images"].as_array().unwrap().iter().zip(sizes) {
        assert_eq!(image["cubin_bytes"], size);
    }
    let page = String::from_utf8(bench.read("r.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));

    let list = String::from_utf8(bench.read("list.tsv")).unwrap();
    let reversed: Vec<_> = list.lines().rev().collect();
    bench.write("reversed.tsv", reversed.join("\n"));
    report(&bench).args(["reversed.tsv", "--json", "again.json"]).succeed();
    assert!(bench.read("again.json") == bench.read("r.json"));

    report(&bench).args(["list.tsv", "--listings", "--json", "l.json"]).succeed();
    let with_text = json(&bench, "l.json");
    let text = with_text["kernels"][0]["listings"][0]["text"].as_str().unwrap();
    assert!(text.starts_with(".entry _Z") && text.ends_with('}'), "{text}");
}

/// Returns the jobs of a phase.
fn jobs<'data>(data: &'data Value, phase: &str) -> Vec<&'data Value> {
    data["jobs"].as_array().unwrap().iter().filter(|job| job["phase"] == phase).collect()
}

#[test]
fn jobs_say_when_they_ran_where_results_came_from_and_why_they_ran_again() {
    let bench = Workbench::new();
    let data = |file: &str| {
        report(&bench).args(["list.tsv", "--json", file]).succeed();
        json(&bench, file)
    };
    build(&bench);
    let first = data("first.json");
    for (phase, count) in
        [("summarize", 4), ("thinlink", 2), ("import", 4), ("codegen", 4), ("assemble", 4)]
    {
        let jobs = jobs(&first, phase);
        assert_eq!(jobs.len(), count, "{phase}");
        assert!(jobs.iter().all(|job| job["origin"] == "here" && job["worker"] == "1"), "{jobs:?}");
        assert!(jobs.iter().all(|job| job["took"].as_u64().unwrap() > 0), "{jobs:?}");
    }
    report(&bench).args(["list.tsv", "--trace", "trace.json"]).succeed();
    let trace = json(&bench, "trace.json");
    let events = trace["traceEvents"].as_array().unwrap();
    let count = |kind: &str| events.iter().filter(|event| event["ph"] == kind).count();
    assert_eq!((count("X"), count("s"), count("f")), (18, 4, 4), "{trace}");
    let path = first["critical_path"].as_array().unwrap();
    let phases: Vec<_> = path
        .iter()
        .map(|at| &first["jobs"][usize::try_from(at.as_u64().unwrap()).unwrap()]["phase"])
        .collect();
    assert_eq!(phases, ["summarize", "thinlink", "import", "codegen", "assemble"]);

    // Everything comes from the cache, and with it what was inlined.
    build(&bench);
    let again = data("again.json");
    for job in [jobs(&again, "codegen"), jobs(&again, "assemble")].concat() {
        assert_eq!(job["origin"], "cache");
        assert!(job["saved"].as_u64().unwrap() > 0, "{job}");
    }
    let sites = &first["modules"][0]["sites"];
    assert_eq!(sites, &again["modules"][0]["sites"]);
    let kernel = name(&first, "_Z4stepPi");
    let scale = name(&first, "_Z5scalei");
    let site = sites.as_array().unwrap().iter().find(|site| site[1] == scale).unwrap();
    // The kernel's call was inlined, and the body came from module 1.
    let seen = serde_json::json!([site[0], site[2], site[3]]);
    assert_eq!(seen, serde_json::json!([kernel, 1, 1]));

    // An edit of the library changes the kernels' module for each architecture, and no other.
    build_with(&bench, &LIBRARY.replace("%x, 7", "%x, 11"));
    let edited = data("edited.json");
    let ran: Vec<_> =
        jobs(&edited, "codegen").into_iter().filter(|job| job["origin"] == "here").collect();
    assert_eq!(ran.len(), 4, "both modules hold the edited function: {ran:?}");
    for job in ran {
        let why = job["why"].as_str().unwrap();
        assert!(why.starts_with("input module.bc (was "), "{why}");
    }
}

/// Returns a kernel of the first architecture by its mangled name.
fn kernel<'data>(data: &'data Value, mangled: &str) -> &'data Value {
    let name = name(data, mangled);
    let kernels = data["kernels"].as_array().unwrap();
    kernels.iter().find(|kernel| kernel["name"] == name).unwrap()
}

#[test]
fn two_builds_are_put_side_by_side() {
    let bench = Workbench::new();
    build(&bench);
    report(&bench).args(["list.tsv", "--json", "old.json", "--html", "old.html"]).succeed();
    // The kernel that had this function inlined has to call it now. The other function is the
    // library's own, so its plan stays.
    let edited = LIBRARY.replace("scalei(i32 %x) #0", "scalei(i32 %x) #1");
    let edited = edited.replace("%x, 9", "%x, 19");
    build_with(&bench, &edited);
    let compared = |old: &str, file: &str| {
        let arguments = ["list.tsv", "--against", old, "--json", file, "-o", "text"];
        report(&bench).args(arguments).args(["--markdown", "review.md"]).succeed();
        json(&bench, file)
    };
    let data = compared("old.json", "new.json");
    let step = kernel(&data, "_Z4stepPi");
    assert_eq!((&step["change"], &step["before"]["calls"]), (&"worse".into(), &0.into()));
    assert_eq!(kernel(&data, "_Z5leavePi")["change"], "same");
    let against = &data["against"];
    assert_eq!((&against["title"], &against["worse"]), (&"program".into(), &2.into()));
    assert_eq!((&against["same"], &against["gone"]), (&2.into(), &Value::Null));
    let modules: Vec<_> = against["modules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|module| [&module["architecture"], &module["id"], &module["change"]].map(text_of))
        .collect();
    let expected = [
        ["sm_120a", "a", "plan"],
        ["sm_120a", "b", "code"],
        ["sm_90", "a", "plan"],
        ["sm_90", "b", "code"],
    ];
    assert_eq!(modules, expected);
    assert!(data["images"][0]["cubin_bytes_before"].as_u64().unwrap() > 1000, "{data}");
    let text = String::from_utf8(bench.read("text")).unwrap();
    let words =
        "What changed against program: 2 worse, 0 mixed, 0 better, 0 new, 0 gone and 2 like";
    assert!(text.contains(words) && text.contains("\nworse   step  in a (sm_90)\n"), "{text}");
    let review = String::from_utf8(bench.read("review.md")).unwrap();
    assert!(review.contains("| worse | `step` sm\\_90 |"), "{review}");

    compared("old.html", "page.json");
    assert!(bench.read("page.json") == bench.read("new.json"));
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn a_linked_image_says_what_kernels_take_after_linking() {
    let bench = Workbench::new();
    build(&bench);
    let cubins = ["sm_90/a.cubin", "sm_90/b.cubin"];
    Run::new(tools().cuda("nvlink"), bench.path())
        .args(["-arch=sm_90", "-o", "image.cubin"])
        .args(cubins)
        .succeed();
    let data = |arguments: &[&str]| {
        report(&bench).args(["list.tsv", "--json", "r.json"]).args(arguments).succeed();
        json(&bench, "r.json")
    };
    let alone = data(&[]);
    let linked = data(&["--image", "image.cubin"]);
    assert_eq!(linked["images"][0]["image_bytes"], bench.read("image.cubin").len());
    assert!(linked["images"][1]["image_bytes"].is_null());
    // The kernel that calls a function of the other unit needs that function's registers, too.
    let registers = |data: &Value, name: &str| kernel(data, name)["registers"].as_u64().unwrap();
    let usage = Run::new(tools().cuda("cuobjdump"), bench.path());
    let usage = usage.args(["-res-usage", "image.cubin"]).succeed().stdout;
    for name in ["_Z4stepPi", "_Z5leavePi"] {
        let (_, line) = usage.split_once(&format!("Function {name}:\n")).unwrap();
        let expected = format!("REG:{} ", registers(&linked, name));
        assert!(line.lines().next().unwrap().contains(&expected), "{expected}{line}");
    }
    assert!(registers(&alone, "_Z5leavePi") <= registers(&linked, "_Z5leavePi"));

    // Linked images are compared with linked images.
    let same = data(&["--image", "image.cubin", "--against", "image.cubin"]);
    let against = &same["against"];
    assert_eq!((&against["same"], &against["new"]), (&2.into(), &2.into()), "{against}");
    let size = bench.read("image.cubin").len();
    assert_eq!(against["image_bytes"], serde_json::json!([size, size]));
    assert!(against["note"].is_null() && against["modules"].is_null());
    let unfair = data(&["--against", "image.cubin"]);
    let note = unfair["against"]["note"].as_str().unwrap();
    assert!(note.ends_with("--image makes them so"), "{note}");
    // Plain cubins of the units are what the jobs made, and nothing has to be linked.
    let plain = data(&["--against", cubins[0], "--against", cubins[1]]);
    assert_eq!((&plain["against"]["same"], &plain["against"]["note"]), (&2.into(), &Value::Null));
    assert!(plain["images"][0]["cubin_bytes_before"].as_u64().unwrap() > 1000);
}

#[test]
fn limits_of_a_build_are_a_gate() {
    let bench = Workbench::new();
    build(&bench);
    report(&bench).args(["list.tsv", "--json", "old.json"]).succeed();
    let edited = LIBRARY.replace("scalei(i32 %x) #0", "scalei(i32 %x) #1");
    build_with(&bench, &edited);
    let limited = |limits: &[&str]| {
        let limits = limits.iter().map(|limit| format!("--fail-if={limit}"));
        report(&bench).args(["list.tsv", "-o", "text"]).args(limits)
    };
    let compared = |limits: &[&str]| limited(limits).args(["--against", "old.json"]);
    compared(&["spills", "stack>4000", "calls+1", "image+500%", "occupancy-0"]).succeed();
    std::fs::remove_file(bench.file("text")).unwrap();
    let passed = compared(&["calls+0", "worse", "spills"]).args(["--markdown", "review.md"]);
    let told = passed.expect(6);
    told.says(&[
        "2 limits are passed\n  --fail-if 'calls+0':\n",
        "\n    step (sm_90): 0 -> 1 calls\n",
        "\n    step (sm_120a): 0 -> 1 calls\n",
        "\n  --fail-if 'worse':\n",
    ]);
    // All outputs are written.
    assert!(String::from_utf8(bench.read("text")).unwrap().contains("What changed"));
    let review = String::from_utf8(bench.read("review.md")).unwrap();
    assert!(review.contains("- limit `calls+0` passed 2 times:\n"), "{review}");
    limited(&["calls"]).args(["--mangled"]).expect(6).says(&["_Z4stepPi (sm_90): 1 calls"]);

    std::fs::remove_file(bench.file("text")).unwrap();
    limited(&["calls+0"]).expect(2).says(&["--fail-if 'calls+0' is a limit on a difference"]);
    limited(&["speed+5%"]).expect(2).says(&["'speed' is nothing that can be limited"]);
    limited(&["regs+5%%"]).expect(2).says(&["'regs+5%%': '5%%' is no number"]);
    let unknown = limited(&["spills+0"]).args(["--against", "sm_90/a.cubin"]);
    unknown.expect(2).says(&["'spills+0': the earlier build says nothing about spilled bytes"]);
    assert!(!bench.file("text").exists(), "a refused command wrote something");
}

#[test]
fn an_earlier_build_that_is_none_is_refused() {
    let bench = Workbench::new();
    build(&bench);
    report(&bench).args(["list.tsv", "--html", "old.html"]).succeed();
    let page = String::from_utf8(bench.read("old.html")).unwrap();
    let data = page.find("<script id=\"data\"").unwrap();
    bench.write("cut.html", &page[..data + 400]);
    bench.write("newer.json", r#"{"version": 2, "names": 7}"#);
    bench.write("other.json", r#"{"jobs": []}"#);
    let against = |files: &[&str]| {
        let files = files.iter().map(|file| format!("--against={file}"));
        report(&bench).args(["list.tsv", "-o", "text"]).args(files)
    };
    for (file, reason) in [
        ("cut.html", "cut.html: the page holds no whole report"),
        ("newer.json", "newer.json: the report has version 2, and this program reads version 1"),
        ("other.json", "other.json: no report of a build: missing field `version`"),
        ("list.tsv", "list.tsv: neither a report of a build nor device code"),
        ("sm_90/a.ptx", "sm_90/a.ptx: it holds no machine code that can be read"),
    ] {
        against(&[file]).expect(3).says(&[reason]);
    }
    against(&["gone.json"]).expect(4).says(&["cannot read gone.json"]);
    let both = against(&["sm_90/a.cubin", "old.html"]);
    both.expect(2).says(&["old.html: is a report, and a report is compared with no other file"]);
    let image = report(&bench).args(["list.tsv", "-o", "text", "--image", "list.tsv"]);
    image.expect(3).says(&["list.tsv: no device code"]);
    assert!(!bench.file("text").exists(), "a refused command wrote something");
}
