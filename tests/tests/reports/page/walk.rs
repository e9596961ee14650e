//! A walk through all views of a page, which holds for any program.

use dev_page::{Browser, Picture};
use serde_json::{Value, json};
use weft_report::{BuildReport, Kernel};
use weft_tests::workspace_root;

use crate::page::made::{Made, VIEW};

/// Walks through the page: kernels, program, build, questions and, if there is one, the comparison.
pub(crate) fn walk(made: &Made) {
    let mut browser = made.open("");
    let (browser, report) = (&mut browser, &made.report);
    kernels(browser, report);
    open_kernel(browser, report);
    program(browser, report);
    build(browser, report);
    questions(browser, report);
    change(browser, report);
    themes(browser);
    print(browser, report);
    assert_quiet(browser);
}

/// Fails the test if the console has an error, or if a request left the page.
pub(crate) fn assert_quiet(browser: &Browser) {
    assert!(browser.complaints().is_empty(), "{:#?}", browser.complaints());
    assert!(browser.requests().is_empty(), "{:#?}", browser.requests());
}

/// Fails the test unless the view looks like something, and returns its picture.
fn look(browser: &mut Browser, least_filled: f64) -> Picture {
    let picture = browser.picture().unwrap();
    assert_eq!((picture.width, picture.height), (VIEW.0 as usize, VIEW.1 as usize));
    let (colors, filled) = (picture.colors(), picture.filled());
    assert!(colors > 40 && filled > least_filled, "{colors} colors, {filled} filled");
    picture
}

/// Fails the test if the checker of accessibility finds something serious.
fn assert_accessible(browser: &mut Browser) {
    let script = dev_toolchain::scripts::axe(workspace_root());
    let script = std::fs::read_to_string(&script).unwrap_or_else(|error| {
        panic!("{}: {error}: `cargo xtask test` installs it", script.display())
    });
    browser.evaluate(&script).unwrap();
    let found = browser
        .evaluate(
            "axe.run(document, { resultTypes: ['violations'] }).then((found) => ({
               passes: found.passes.length,
               faults: found.violations
                 .filter((one) => ['serious', 'critical'].includes(one.impact))
                 .map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join('\\n')),
             }))",
        )
        .unwrap();
    assert!(found["passes"].as_u64().unwrap() > 10, "{found}");
    let faults = found["faults"].as_array().unwrap();
    assert!(faults.is_empty(), "{faults:#?}");
}

fn shown(browser: &mut Browser) -> String {
    browser.text("#shown").unwrap()
}

/// Empties the search field and types a text into it.
fn search(browser: &mut Browser, text: &str) {
    browser.click("#search").unwrap();
    browser.evaluate("document.getElementById('search').select()").unwrap();
    if text.is_empty() {
        browser.press("Delete").unwrap();
    } else {
        browser.write(text).unwrap();
    }
}

/// Returns the numbers in a column of the table, from the rows that are in the page.
fn column(browser: &mut Browser, number: usize) -> Vec<u64> {
    // A difference to the earlier build follows the number.
    let texts = browser.evaluate(&format!(
        "[...document.querySelectorAll('tbody tr:not([aria-hidden]) td:nth-child({number})')]
           .map((cell) => [...cell.childNodes].filter((one) => !one.classList?.contains('delta'))
             .map((one) => one.textContent).join('').replaceAll(',', ''))"
    ));
    let texts = texts.unwrap();
    texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap().parse().unwrap()).collect()
}

fn count_text(part: usize, whole: usize, noun: &str) -> String {
    let plural = if whole == 1 { "" } else { "s" };
    let grouped = |number: usize| {
        if number < 1000 {
            number.to_string()
        } else {
            format!("{},{:03}", number / 1000, number % 1000)
        }
    };
    let start = if part == whole { String::new() } else { format!("{} of ", grouped(part)) };
    format!("{start}{} {noun}{plural}", grouped(whole))
}

fn kernels(browser: &mut Browser, report: &BuildReport) {
    let all = report.kernels.len();
    assert_eq!(shown(browser), count_text(all, all, "kernel"));
    let rows = browser.evaluate("document.querySelector('table').getAttribute('aria-rowcount')");
    assert_eq!(rows.unwrap(), json!((all + 1).to_string()));
    look(browser, 0.03);
    assert_accessible(browser);

    // A click on the head shows the largest first, and another one the smallest.
    browser.click("thead th:nth-child(3) button").unwrap();
    let falling = column(browser, 3);
    let largest = report.kernels.iter().map(|kernel| u64::from(kernel.registers)).max();
    assert_eq!(falling.first().copied(), largest);
    assert!(falling.is_sorted_by(|one, other| one >= other) && falling.len() > 5, "{falling:?}");
    browser.click("thead th:nth-child(3) button").unwrap();
    let rising = column(browser, 3);
    assert!(rising.is_sorted() && rising[0] < falling[0], "{rising:?}");
    assert_eq!(browser.text("th[aria-sort=ascending]").unwrap(), "registers");

    let limit = report.kernels[all / 2].registers;
    let fitting = |fits: &dyn Fn(&Kernel) -> bool| {
        report.kernels.iter().filter(|kernel| fits(kernel)).count()
    };
    search(browser, &format!("registers>{limit}"));
    let many = fitting(&|kernel| kernel.registers > limit);
    assert_eq!(shown(browser), count_text(many, all, "kernel"));
    search(browser, "no such kernel");
    assert_eq!(shown(browser), count_text(0, all, "kernel"));
    assert_eq!(browser.text(".none:not([hidden])").unwrap(), "Nothing fits the filter.");
    let name = report.names.mangled(report.kernels[all / 2].name);
    search(browser, name);
    let many = fitting(&|kernel| report.names.mangled(kernel.name).contains(name));
    assert_eq!(shown(browser), count_text(many, all, "kernel"));
    search(browser, "");

    let chip = "(one) => one.textContent === 'calls left'";
    browser
        .evaluate(&format!("[...document.querySelectorAll('button')].find({chip}).click()"))
        .unwrap();
    browser.settle().unwrap();
    let many = fitting(&|kernel| !kernel.calls.is_empty() || kernel.calls_indirectly);
    assert_eq!(shown(browser), count_text(many, all, "kernel"));
    browser
        .evaluate(&format!("[...document.querySelectorAll('button')].find({chip}).click()"))
        .unwrap();
}

fn open_kernel(browser: &mut Browser, report: &BuildReport) {
    browser.show("#kernels").unwrap();
    browser.click("tbody tr:nth-child(2) td:nth-child(3)").unwrap();
    let opened = browser.text("#kernel-name").unwrap();
    // The table leaves out the scope that all kernels are in.
    let listed = browser.text("tr.chosen td:first-child").unwrap();
    let name = |text: &str| text.split('<').next().unwrap().to_owned();
    assert!(name(&opened).ends_with(&name(&listed)), "{opened} {listed}");
    let address = browser.evaluate("location.hash").unwrap();
    let number = address.as_str().unwrap().rsplit_once("kernel=").unwrap().1.parse::<usize>();
    let kernel = &report.kernels[number.unwrap()];
    let short = report.names.short(kernel.name).replace("(anonymous namespace)::", "");
    assert_eq!(opened, short);
    let facts = browser.texts(".facts > div").unwrap();
    assert!(
        facts.iter().any(|fact| fact.starts_with(&format!("registers{}", kernel.registers))),
        "{facts:?}"
    );
    for title in ["PTX", "SASS", "occupancy", "spills", "shared", "calls left"] {
        assert!(facts.iter().any(|fact| fact.starts_with(title)), "{title} is not in {facts:?}");
    }
    look(browser, 0.05);
    assert_accessible(browser);
    browser.click(".close").unwrap();
    assert_eq!(browser.evaluate("document.querySelector('.side').hidden").unwrap(), json!(true));
}

fn zoom(browser: &mut Browser, picture: &str) -> f64 {
    let zoom = browser.evaluate(&format!("document.querySelector('{picture}').dataset.zoom"));
    zoom.unwrap().as_str().unwrap().parse().unwrap()
}

/// Zooms a picture in all ways.
fn assert_zooms(browser: &mut Browser, picture: &str) {
    let whole = zoom(browser, picture);
    browser.click("[aria-label='Zoom in']").unwrap();
    let closer = zoom(browser, picture);
    assert!(closer > whole * 1.3, "{whole} {closer}");
    browser.wheel(picture, -400.0).unwrap();
    browser
        .wait_for(&format!("document.querySelector('{picture}').dataset.zoom > {closer}"))
        .unwrap();
    let closest = zoom(browser, picture);
    look(browser, 0.02);
    browser.evaluate(&format!("document.querySelector('{picture}').focus()")).unwrap();
    browser.press("-").unwrap();
    assert!(zoom(browser, picture) < closest);
    browser.press("0").unwrap();
    let again = zoom(browser, picture);
    assert!((again - whole).abs() < whole * 0.01, "{whole} {again}");
}

fn program(browser: &mut Browser, report: &BuildReport) {
    browser.show("#program").unwrap();
    let all = report.modules.len();
    assert_eq!(shown(browser), count_text(all, all, "unit"));
    look(browser, 0.04);
    assert_accessible(browser);
    assert_zooms(browser, "#graph");
    let most = report.modules.iter().map(|module| module.imports.len()).max().unwrap();
    search(browser, &format!("imports={most}"));
    let many = report.modules.iter().filter(|module| module.imports.len() == most).count();
    assert_eq!(shown(browser), count_text(many, all, "unit"));
    browser.click("tbody tr:first-child td:nth-child(3)").unwrap();
    let id = browser.text(".side h2").unwrap();
    let module = report.modules.iter().find(|module| module.id == id).unwrap();
    let sources: Vec<String> = browser.texts(".side table:first-of-type tbody th").unwrap();
    let of = |at: u32| report.modules[at as usize].id.rsplit('/').next().unwrap().to_owned();
    let expected: Vec<String> = module.imports.iter().map(|edge| of(edge.source)).collect();
    assert_eq!(sources[..expected.len()], expected);
    assert_accessible(browser);

    browser.show("#program?part=decisions").unwrap();
    let gone = report.links[0].removed.len();
    if gone > 0 {
        let heading = format!("Removed kernels and variables: {gone}");
        assert!(browser.texts("h2").unwrap().contains(&heading), "{heading}");
        browser.click(".plain-list details summary").unwrap();
        browser.wait_for("document.querySelector('.plain-list details .answer')").unwrap();
        let why = browser.text(".plain-list details .answer").unwrap();
        assert!(why.contains(" goes:\n  "), "{why}");
    }
    let text = browser.text("main").unwrap();
    for option in report.links[0].options.keys() {
        assert!(text.contains(option), "{option} is not in {text}");
    }
    for line in report.links[0].warnings.iter().chain(&report.links[0].notes) {
        assert!(text.contains(line), "{line} is not in {text}");
    }
    for opaque in &report.links[0].opaque {
        assert!(text.contains(&opaque.unit), "{} is not in {text}", opaque.unit);
    }
    look(browser, 0.01);
    assert_accessible(browser);
}

fn build(browser: &mut Browser, report: &BuildReport) {
    browser.show("#build").unwrap();
    let all = report.jobs.len();
    assert_eq!(shown(browser), count_text(all, all, "job"));
    look(browser, 0.06);
    assert_accessible(browser);
    assert_zooms(browser, "#timeline");
    search(browser, "codegen");
    let fits = |text: &str| text.to_lowercase().contains("codegen");
    let many = report.jobs.iter().filter(|job| fits(&job.phase) || fits(&job.why)).count();
    assert_eq!(shown(browser), count_text(many, all, "job"));

    browser.click("#trace").unwrap();
    let trace = saved(browser);
    let events = trace["traceEvents"].as_array().unwrap();
    let bars = events.iter().filter(|event| event["ph"] == "X").count();
    assert_eq!(bars, report.jobs.iter().filter(|job| !job.earlier).count());
    let flows = events.iter().filter(|event| event["ph"] == "s").count();
    assert_eq!(flows, report.critical_path.len() - 1);
}

/// Waits for the file that the page saves and reads it.
fn saved(browser: &mut Browser) -> Value {
    for _ in 0..200 {
        let files = std::fs::read_dir(browser.downloads()).unwrap().flatten();
        let mut traces = files.map(|file| file.path());
        if let Some(trace) = traces.find(|path| path.to_string_lossy().ends_with(".trace.json")) {
            return serde_json::from_slice(&std::fs::read(trace).unwrap()).unwrap();
        }
        browser.settle().unwrap();
    }
    panic!("no trace was saved");
}

fn questions(browser: &mut Browser, report: &BuildReport) {
    browser.show("#questions").unwrap();
    let name = report.names.mangled(report.kernels[0].name);
    search(browser, name);
    let answer = browser.text("#answer").unwrap();
    let expected = format!("{} of ", report.names.demangled(report.kernels[0].name));
    assert!(answer.starts_with(&expected), "{answer}");
    look(browser, 0.02);
    assert_accessible(browser);
    browser.click(".choices button:nth-child(5)").unwrap();
    let answer = browser.text("#answer").unwrap();
    assert!(answer.contains("  reaches within its module: "), "{answer}");
    // A part of a name lists the symbols that fit.
    search(browser, &name[..name.len().min(5)]);
    assert!(browser.texts(".candidates li").unwrap().len() > 1);
}

fn change(browser: &mut Browser, report: &BuildReport) {
    let views = browser.texts("nav a").unwrap();
    assert_eq!(views.contains(&"Change".to_owned()), report.against.is_some());
    let Some(against) = &report.against else { return };
    browser.show("#change").unwrap();
    let tiles = browser.texts(".tiles div").unwrap();
    for (title, value) in [("worse", against.worse), ("mixed", against.mixed), ("new", against.new)]
    {
        assert!(tiles.contains(&format!("{title}{value}")), "{title}{value} is not in {tiles:?}");
    }
    let has_image = tiles.iter().any(|tile| tile.starts_with("linked image"));
    assert_eq!(has_image, against.image_bytes.is_some(), "{tiles:?}");
    let texts = browser.texts("section p").unwrap();
    assert!(against.note.is_empty() || texts.contains(&format!("{}.", against.note)), "{texts:?}");
    look(browser, 0.03);
    assert_accessible(browser);
    // Only regressions have that color.
    let better = browser.evaluate(
        "[...document.querySelectorAll('section')]
           .find((one) => one.querySelector('h2').textContent.startsWith('Better:'))
           .querySelectorAll('.worse, .is-worse').length",
    );
    assert_eq!(better.unwrap(), json!(0));
}

fn themes(browser: &mut Browser) {
    browser.show("#kernels").unwrap();
    browser.prefer("light").unwrap();
    let light = look(browser, 0.03).lightness();
    browser.prefer("dark").unwrap();
    let dark = look(browser, 0.03).lightness();
    assert!(light > 0.8 && dark < 0.3, "{light} {dark}");
    for view in ["#kernels?kernel=0", "#program", "#build", "#questions?symbol=_Z", "#change"] {
        browser.show(view).unwrap();
        look(browser, 0.01);
        assert_accessible(browser);
    }
    browser.show("#program").unwrap();
    for (label, is_light) in [("light", true), ("dark", false), ("system", false)] {
        browser.click("#theme").unwrap();
        assert_eq!(browser.text("#theme").unwrap(), format!("Theme: {label}"));
        let lightness = look(browser, 0.03).lightness();
        assert_eq!(lightness > 0.5, is_light, "{label}: {lightness}");
    }
    browser.prefer("light").unwrap();
}

/// The printed page has all rows that match the search, and no controls.
fn print(browser: &mut Browser, report: &BuildReport) {
    browser.show("#kernels").unwrap();
    let registers = report.kernels[report.kernels.len() / 2].registers;
    search(browser, &format!("registers={registers}"));
    browser
        .evaluate(
            "addEventListener('beforeprint', () => window.printed = \
             document.querySelectorAll('tbody tr').length)",
        )
        .unwrap();
    let paper = browser.print().unwrap();
    assert!(paper.starts_with(b"%PDF") && paper.len() > 10_000, "{} bytes", paper.len());
    let fitting = report.kernels.iter().filter(|kernel| kernel.registers == registers).count();
    assert_eq!(browser.evaluate("window.printed").unwrap(), json!(fitting));
    browser.medium("print").unwrap();
    let seen = "[...document.querySelectorAll('nav, button, input')]
                  .filter((one) => !one.closest('th') && one.checkVisibility()).length";
    assert_eq!(browser.evaluate(seen).unwrap(), json!(0));
    assert!(look(browser, 0.01).lightness() > 0.8);
    browser.medium("").unwrap();
}
