//! Makes the pictures of the page that the README shows, from a build of the example.

use std::fs;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use crate::browser::Browser;
use crate::example::Example;
use dev_checkout::bazel::Parts;
use dev_process::{Error, Result, while_trying};

/// Folder of the pictures in the checkout.
const FOLDER: &str = "docs/pictures";
/// Width and height of the pictures.
const SIZE: (u32, u32) = (1280, 720);

/// Builds the example and writes the pictures.
pub fn run(parts: &Parts<'_>) -> Result<()> {
    let scratch = TempDir::with_prefix("weft-pictures-")
        .map_err(|error| Error::new(format!("cannot make a folder: {error}")))?;
    let example = Example::build(scratch.path(), parts)?;
    let mut browser = Browser::start(SIZE.0, SIZE.1)?;
    browser.prefer("light")?;
    browser.hide_scrollbars()?;
    browser.open(&example.page, "")?;
    // The kernel with the most instructions has the most to show.
    let heads = "[...document.querySelectorAll('thead button')]";
    browser.evaluate(&format!(
        "{heads}.find((one) => one.textContent === {}).click()",
        json!("instructions")
    ))?;
    browser.click("tbody tr td:nth-child(3)")?;
    save(&mut browser, parts.checkout, "kernels.png")?;
    browser.show("#program")?;
    save(&mut browser, parts.checkout, "program.png")
}

fn save(browser: &mut Browser, checkout: &Path, name: &str) -> Result<()> {
    let folder = checkout.join(FOLDER);
    fs::create_dir_all(&folder).map_err(while_trying("create", &folder))?;
    browser.settle()?;
    let (path, picture) = (folder.join(name), browser.screenshot()?);
    fs::write(&path, &picture).map_err(while_trying("write", &path))?;
    println!("wrote {FOLDER}/{name}: {} kB", picture.len() / 1000);
    Ok(())
}
