//! Measures the page of a large program: its size, the time to make it, and how fast a browser is
//! with it.

use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use crate::browser::Browser;
use crate::generated;
use dev_process::{Error, Result, Stopwatch, while_trying};
use weft_report::NameTable;

/// Number of times that the page is made, and opened. The median counts.
const RUNS: usize = 5;
/// Texts that are typed into the search field, from those that fit all kernels to those that fit
/// none.
const SEARCHES: [&str; 15] = [
    "k",
    "ke",
    "ker",
    "kernel",
    "e",
    "",
    "particles",
    "registers>64",
    "reg>128 spills>0",
    "policy<float",
    "src/solver",
    "_ZN9radiation",
    "no such kernel",
    "instructions<100",
    "",
];

/// Prints the figures.
pub fn run() -> Result<()> {
    let (kernels, units) = generated::LARGE;
    let report = generated::report(kernels, units);
    let folder = TempDir::with_prefix("weft-page-bench-")
        .map_err(|error| Error::new(format!("cannot make a folder: {error}")))?;
    let file = folder.path().join("page.html");
    let (mut seconds, mut bytes) = (Vec::new(), 0);
    for _ in 0..RUNS {
        let stopwatch = Stopwatch::start();
        // The forms of names are made with the data, and are a large part of the work.
        let mut table = NameTable::default();
        report.names.mangled.iter().for_each(|name| {
            table.number(name);
        });
        let page = weft_report::page(&report);
        let page = page.map_err(|error| Error::new(format!("cannot make the page: {error}")))?;
        std::fs::write(&file, &page).map_err(while_trying("write", &file))?;
        seconds.push(stopwatch.seconds());
        bytes = page.len();
    }
    println!("metric page.bytes_3000_kernels {bytes}");
    println!("metric page.seconds_to_make {:.2}", median(seconds));
    open(&file)
}

/// Opens the page and searches in it.
fn open(file: &Path) -> Result<()> {
    let (mut painted, mut shown, mut searched) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let mut browser = Browser::start(1280, 800)?;
        browser.open(file, "")?;
        painted.push(time(&mut browser, "first-contentful-paint")?);
        shown.push(time(&mut browser, "weft-shown")?);
        for text in SEARCHES {
            searched.push(search(&mut browser, text)?);
        }
    }
    println!("metric page.first_paint_ms {:.0}", median(painted));
    println!("metric page.table_shown_ms {:.0}", median(shown));
    println!("metric page.search_ms {:.1}", median(searched.clone()));
    println!("metric page.search_worst_ms {:.1}", searched.into_iter().fold(0.0, f64::max));
    Ok(())
}

/// Returns the milliseconds from the start of the navigation to an entry of the browser's record.
fn time(browser: &mut Browser, entry: &str) -> Result<f64> {
    let entry = format!("performance.getEntriesByName({})", json!(entry));
    browser.wait_for(&format!("{entry}.length > 0"))?;
    number(&browser.evaluate(&format!("{entry}[0].startTime"))?)
}

/// Returns the milliseconds from the event of typing to the end of the frame that shows the result.
fn search(browser: &mut Browser, text: &str) -> Result<f64> {
    let taken = browser.evaluate(&format!(
        "new Promise((done) => {{
           const field = document.getElementById('search');
           field.value = {};
           const start = performance.now();
           field.dispatchEvent(new Event('input', {{ bubbles: true }}));
           requestAnimationFrame(() => {{
             const channel = new MessageChannel();
             channel.port1.onmessage = () => done(performance.now() - start);
             channel.port2.postMessage(null);
           }});
         }})",
        json!(text)
    ))?;
    number(&taken)
}

fn number(value: &serde_json::Value) -> Result<f64> {
    value.as_f64().ok_or_else(|| Error::new(format!("the browser says {value}, no number")))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
