//! Small programs whose linked modules are golden files.
//!
//! Each folder of `scenarios` holds the units of one program as IR (`UNIT.ll`). The host
//! information is complete, and every kernel stays. Beside them are the expected output of the
//! import phase for each unit (`UNIT.linked.ll`) and the expected messages of the thin link
//! (`thinlink.txt`). ptxas must accept the PTX of every linked module, and all cubins must link.

use std::collections::BTreeSet;

use weft_tests::{ARCHITECTURE, Run, Workbench, golden, tools, workspace_root};

/// Runs one scenario. Returns the PTX of its units.
fn scenario(name: &str) -> Vec<String> {
    let folder = workspace_root().join("tests/scenarios").join(name);
    let bench = Workbench::new();
    let mut units: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let file = entry.unwrap().file_name().to_string_lossy().into_owned();
        if let Some(unit) = file.strip_suffix(".ll").filter(|unit| !unit.contains('.')) {
            bench.write(&file, std::fs::read(folder.join(&file)).unwrap());
            units.push(unit.to_owned());
        }
    }
    units.sort();
    let units: Vec<&str> = units.iter().map(String::as_str).collect();
    bench.prepare(&units);
    // Most of the programs are about imports for inlining alone.
    let options: &[&str] = match name {
        "closed" => &["--close-modules"],
        "packed" => &["--close-modules", "--full=2"],
        _ => &["--close-modules=false"],
    };
    let options = [&["--print-imports", "--verbose"], options].concat();
    let outcome = bench.thinlink(&units, &options);
    golden::compare(&folder.join("thinlink.txt"), &format!("{}{}", outcome.stdout, outcome.stderr));
    let mut texts = Vec::new();
    for unit in &units {
        bench.import(unit, &units).succeed();
        let text = bench.text_of(&format!("{unit}.linked.bc"));
        golden::compare(&folder.join(format!("{unit}.linked.ll")), &text);
        bench.codegen(unit).succeed();
        bench.assemble(unit).succeed();
        texts.push(String::from_utf8(bench.read(&format!("{unit}.ptx"))).unwrap());
    }
    Run::new(tools().cuda("nvlink"), bench.path())
        .arg(format!("-arch={ARCHITECTURE}"))
        .args(units.iter().map(|unit| format!("{unit}.cubin")))
        .args(["-o", "image.cubin"])
        .succeed();
    texts
}

#[test]
fn call() {
    let texts = scenario("call");
    assert!(!texts[0].contains("call"), "inlined:\n{}", texts[0]);
    assert!(!texts[1].contains("unused"), "removed:\n{}", texts[1]);
}

#[test]
fn promotion() {
    let texts = scenario("promotion");
    for global in ["counter_weft_", "buffer$2estatic_weft_", "report_weft_"] {
        assert!(texts.iter().all(|text| text.contains(global)), "{global} in both:\n{texts:#?}");
    }
    assert!(!texts[0].contains("own"), "what only an unimported body uses:\n{}", texts[0]);
}

#[test]
fn odr() {
    let texts = scenario("odr");
    assert!(texts[0].contains(".weak .func"), "the kept copy:\n{}", texts[0]);
    assert!(texts[1].contains(".extern .func"), "the other copy:\n{}", texts[1]);
}

#[test]
fn noinline() {
    let texts = scenario("noinline");
    assert!(texts[0].contains(".extern .func"), "a call stays:\n{}", texts[0]);
    assert!(!texts[1].contains("helper"), "inlined and gone:\n{}", texts[1]);
}

#[test]
fn chain() {
    let texts = scenario("chain");
    assert!(!texts[0].contains("call"), "inlined to the bottom:\n{}", texts[0]);
}

#[test]
fn vtable() {
    let texts = scenario("vtable");
    assert!(!texts[0].contains("prototype"), "the virtual call became direct:\n{}", texts[0]);
}

/// Returns the names of the local functions in `ptx`.
fn local_functions(ptx: &str) -> BTreeSet<&str> {
    let heads = ptx.lines().filter(|line| line.starts_with(".func "));
    let names = heads.map(|line| line.rsplit_once(") ").map_or(line, |(_, name)| name));
    names.map(|name| name.split(['(', ';']).next().unwrap_or(name).trim()).collect()
}

#[test]
fn closed() {
    let texts = scenario("closed");
    // The merged function that the program keeps has its own name, as no other module has it.
    let expected = [
        &["called", "merged", "pointed_at", "slow_path_weft_10e5cf3d3c8a4f9f", "slow_path"][..],
        &[],
    ];
    for (text, expected) in texts.iter().zip(expected) {
        let names = local_functions(text);
        let kept: Vec<_> = names
            .iter()
            .map(|name| name.rsplit_once("_weft_").map_or(*name, |(name, _)| name))
            .collect();
        assert_eq!(kept, expected, "{text}");
    }
    let all: Vec<_> = texts.iter().flat_map(|text| local_functions(text)).collect();
    let different: BTreeSet<_> = all.iter().collect();
    assert_eq!(different.len(), all.len(), "nvlink mixes up local functions of one name: {all:?}");
    assert!(!texts[1].contains("called"), "nobody else needs it:\n{}", texts[1]);
    assert!(
        texts[0].contains(".extern .func  (.param .b32 func_retval0) pointed_at"),
        "{}",
        texts[0]
    );
}

#[test]
fn packed() {
    let texts = scenario("packed");
    let first = &texts[0];
    let scales = local_functions(first).iter().filter(|name| name.starts_with("scale_")).count();
    assert_eq!(scales, 2, "each member's own function:\n{first}");
    assert!(first.contains(".entry first") && first.contains(".entry second"), "{first}");
    assert!(!first.contains("unused") && !first.contains(".extern"), "{first}");
    assert!(!texts[1].contains("second"), "compiled elsewhere:\n{}", texts[1]);
    assert!(texts[2].contains(".extern .global .align 4 .u32 counter_weft_"), "{}", texts[2]);
}

#[test]
fn widths() {
    let texts = scenario("widths");
    let variables = [
        (".global .align 4 .u8", "seen", ""),
        (".global .align 1 .u8", "fresh", " = 1"),
        (".global .align 1 .u8", "three", " = 7"),
        (".global .align 4 .u32", "color", " = 16777214"),
        (".shared .align 1 .u8", "voted", ""),
    ];
    for (of, name, initial) in variables {
        let lines = [&texts[0], &texts[1]].map(|text| {
            let start = format!("{of} {name}_weft_");
            text.lines().find(|line| line.contains(&start)).unwrap_or_default()
        });
        assert!(lines[0].starts_with(".extern "), "{name} is declared:\n{}", texts[0]);
        let end = format!("{initial};");
        let is_defined = lines[1].ends_with(&end) && lines[1].starts_with(".visible ");
        assert!(is_defined, "{name} is defined, and starts with{initial}:\n{}", texts[1]);
    }
}

#[test]
fn imported_functions_name_their_module_and_file_if_wanted() {
    let folder = workspace_root().join("tests/scenarios/call");
    let bench = Workbench::new();
    for unit in ["a", "b"] {
        let file = format!("{unit}.ll");
        let text = std::fs::read_to_string(folder.join(&file)).unwrap();
        let source = format!("source_filename = \"{}/{unit}.cu\"\n", bench.path().display());
        bench.write(&file, format!("{source}{text}"));
    }
    bench.prepare(&["a", "b"]);
    let linked = |options: &[&str]| {
        bench.thinlink(&["a", "b"], &[&["--close-modules=false"], options].concat());
        bench.import("a", &["a", "b"]).succeed();
        let text = bench.text_of("a.linked.bc");
        let callee = text.lines().find(|line| line.starts_with("define available_externally"));
        (callee.unwrap().to_owned(), text)
    };
    let (callee, text) = linked(&["--enable-import-metadata"]);
    // Returns the text that the callee's metadata of a kind leads to.
    let named = |kind: &str| {
        let (_, rest) = callee.split_once(&format!("!{kind} ")).unwrap();
        let node = rest.split([' ', '\n']).next().unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{node} = ")));
        line.unwrap().to_owned()
    };
    assert_eq!(named("thinlto_src_module"), "!{!\"b\"}", "{text}");
    assert_eq!(named("thinlto_src_file"), "!{!\"b.cu\"}", "{text}");
    assert!(!text.contains(&*bench.path().to_string_lossy()), "{text}");
    bench.codegen("a").succeed();
    assert!(!linked(&[]).1.contains("thinlto_src"), "only if wanted");
}
