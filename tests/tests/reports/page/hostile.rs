//! Names that are hostile input: markup, quotes, 60 kB, bytes that are no text, marks that turn
//! text around.

use dev_page::Browser;
use serde_json::json;
use weft_report::{BuildReport, Definitions, Kernel, Link, Listing, Module, NameTable};
use weft_tests::Workbench;

use crate::page::made::Made;
use crate::page::walk::assert_quiet;

/// Names as a module has them, in LLVM's spelling of bytes, and as the page shows them.
fn names() -> [(String, String); 7] {
    let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
    let long = "n".repeat(60_000);
    [
        pair(
            "\\3C/script\\3E\\3Cscript\\3Ealert(1)\\3C/script\\3E",
            "</script><script>alert(1)</script>",
        ),
        pair("\\3Cimg src=x onerror=alert(1)\\3E", "<img src=x onerror=alert(1)>"),
        pair("quotes \\22 ' & \\60 ${1} {other} \\5C", "quotes \" ' & ` ${1} {other} \\"),
        pair("bytes \\FF\\FE\\80 end", "bytes \u{fffd}\u{fffd}\u{fffd} end"),
        pair("turn \\E2\\80\\AE around\\0A\\1B[31m", "turn \\u{202e} around\\u{a}\\u{1b}[31m"),
        pair("-- \\3C!-- ]]\\3E &lt;b&gt;", "-- <!-- ]]> &lt;b&gt;"),
        (long.clone(), long),
    ]
}

/// Fails the test if a name became a part of the page.
fn assert_intact(browser: &mut Browser) {
    let marks =
        browser.evaluate("document.querySelectorAll('img, b, script:not([id]) ~ *').length");
    assert_eq!(marks.unwrap(), json!(0));
    assert_eq!(browser.evaluate("document.scripts.length").unwrap(), json!(1));
    assert_quiet(browser);
}

#[test]
fn hostile_names_of_a_real_module_are_texts_in_the_page() {
    let bench = Workbench::new();
    let names = names();
    let head = "target triple = \"nvptx64-nvidia-cuda\"\n";
    let target = "attributes #0 = { noinline \"target-cpu\"=\"sm_90\" }\n";
    let of_all = |line: &dyn Fn(&str) -> String| -> String {
        names.iter().map(|(name, _)| line(&format!("@\"{name}\""))).collect()
    };
    let calls = of_all(&|name| format!("  call void {name}()\n"));
    let declared = of_all(&|name| format!("declare void {name}()\n"));
    let defined = of_all(&|name| format!("define void {name}() #0 {{ ret void }}\n"));
    let kernel = format!("define ptx_kernel void @kernel() #0 {{\n{calls}  ret void\n}}\n");
    bench.write("a.ll", format!("{head}{declared}{kernel}{target}"));
    bench.write("b.ll", format!("{head}{defined}{target}"));
    for name in ["a", "b"] {
        bench.assemble_ir(name);
        bench
            .weft("summarize")
            .args(["--module-id", name, "--arch", "sm_90"])
            .args(["-o", &format!("{name}.summary"), &format!("{name}.bc")])
            .succeed();
    }
    let thinlink = bench.weft("thinlink").args(["-o", "plans", "a.summary", "b.summary"]);
    thinlink.succeed();
    bench.write("reports.tsv", "");
    let made = Made::of(BuildReport::default()).with_data(bench.path(), "</title><b>t", ("", ""));

    let mut browser = made.open("#questions");
    let browser = &mut browser;
    assert_eq!(browser.text("#title").unwrap(), "</title><b>t");
    for (at, (_, shown)) in names.iter().enumerate() {
        let part: String = shown.chars().take(400).collect();
        browser.evaluate("document.getElementById('search').value = ''").unwrap();
        browser.click("#search").unwrap();
        browser.write(&part).unwrap();
        let answer = browser.text("#answer").unwrap();
        let start: String = shown.chars().take(2000).collect();
        assert!(answer.starts_with(&start), "{at}: {answer:.300}");
        assert!(answer.contains(" of b stays:"), "{at}: {answer:.300}");
        // On a command line are the letters themselves, instead of the page's escapes.
        let typed = part.split('\\').next().unwrap().trim_end();
        let asking = bench.weft("weft").args(["why-live", "-o", "plans", "--", typed]);
        let said = asking.succeed().stdout;
        assert!(*shown != part || answer == said.trim_end(), "{at}: {answer} {said}");
        assert_intact(browser);
    }
    for view in ["#program", "#program?unit=0", "#program?part=decisions"] {
        browser.show(view).unwrap();
        assert_intact(browser);
    }
}

#[test]
fn hostile_names_in_every_place_of_a_report_are_texts_in_the_page() {
    let mut table = NameTable::default();
    let shown: Vec<String> = names().map(|(_, shown)| shown).into();
    let numbers: Vec<u32> = shown.iter().map(|name| table.number(name)).collect();
    let many = u32::try_from(shown.len()).unwrap();
    let kernels = (0..many).zip(&numbers).map(|(module, name)| Kernel {
        name: *name,
        module,
        calls: numbers.clone(),
        listings: vec![Listing { kind: "ptx".to_owned(), text: shown.concat() }],
        ..Kernel::default()
    });
    let modules = shown.iter().map(|name| Module { id: name.clone(), ..Module::default() });
    let link = Link { notes: shown.clone(), warnings: shown.clone(), ..Link::default() };
    let report = BuildReport {
        kernels: kernels.collect(),
        modules: modules.collect(),
        links: vec![link],
        definitions: Definitions {
            name: numbers.clone(),
            module: (0..many).collect(),
            fate: vec![2; numbers.len()],
            other: vec![-1; numbers.len()],
        },
        texts: shown.clone(),
        messages: (0..many).map(|at| (at, at)).collect(),
        names: table.into_names(),
        ..BuildReport::new(shown.concat())
    };
    let made = Made::of(report);
    let mut browser = made.open("");
    let browser = &mut browser;
    // The longest is cut in lists.
    let start = |text: &str| -> String { text.chars().take(60).collect() };
    let labels = browser.texts("tbody td:first-child").unwrap();
    let (labels, starts) = (labels.iter(), shown.iter());
    assert!(labels.map(|label| start(label)).eq(starts.map(|name| start(name))));
    assert_intact(browser);
    for (at, name) in shown.iter().enumerate() {
        browser.show(&format!("#kernels?kernel={at}")).unwrap();
        assert_eq!(start(&browser.text("#kernel-name").unwrap()), start(name));
        browser.click(".listing summary").unwrap();
        browser.wait_for("document.querySelector('.listing pre')").unwrap();
        assert_intact(browser);
        for view in ["program?unit", "questions?symbol"] {
            browser.show(&format!("#{view}={at}")).unwrap();
            assert_intact(browser);
        }
    }
    // Wide content scrolls within the view, and the page stays as wide as the window.
    let width = browser.evaluate("document.documentElement.scrollWidth").unwrap();
    assert_eq!(width, json!(crate::page::made::VIEW.0));
}
