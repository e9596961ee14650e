//! The page with a keyboard and nothing else.

use dev_page::{Browser, generated};
use serde_json::json;

use crate::page::made::Made;
use crate::page::walk::assert_quiet;

/// Presses Tab until the expression is true of the element `one` that has the focus.
fn tab_to(browser: &mut Browser, is_there: &str) {
    for _ in 0..60 {
        browser.press("Tab").unwrap();
        let found =
            browser.evaluate(&format!("((one) => Boolean({is_there}))(document.activeElement)"));
        if found.unwrap() == json!(true) {
            return;
        }
    }
    panic!("Tab leads to no element with {is_there}");
}

fn focused(browser: &mut Browser, value: &str) -> String {
    let text = browser.evaluate(&format!("String(document.activeElement.{value})"));
    text.unwrap().as_str().unwrap().to_owned()
}

#[test]
fn everything_can_be_done_with_the_keyboard() {
    let made = Made::of(generated::report(300, 100));
    let mut browser = made.open("");
    let browser = &mut browser;
    // The first stop leads past the head of the page.
    browser.press("Tab").unwrap();
    assert_eq!(focused(browser, "textContent"), "Skip to the content");
    browser.press("Enter").unwrap();
    assert_eq!(focused(browser, "id"), "main");
    assert_eq!(browser.text("nav [aria-current=page]").unwrap(), "Kernels");

    browser.press("/").unwrap();
    assert_eq!(focused(browser, "id"), "search");
    browser.write("registers>100").unwrap();
    assert!(browser.text("#shown").unwrap().contains(" of 300 kernels"));

    tab_to(browser, "one.textContent.startsWith('instructions')");
    browser.press("Enter").unwrap();
    assert!(focused(browser, "textContent").starts_with("instructions"));
    assert_eq!(browser.text("th[aria-sort=descending]").unwrap(), "instructions");

    tab_to(browser, "one.matches('tbody a')");
    let first = focused(browser, "textContent");
    for key in ["ArrowDown", "ArrowDown", "PageDown", "End", "Home", "ArrowDown"] {
        browser.press(key).unwrap();
        assert_eq!(focused(browser, "tagName"), "A", "{key}");
    }
    let second = focused(browser, "textContent");
    assert_ne!(first, second);
    browser.press("Enter").unwrap();
    assert_eq!(browser.text("#kernel-name").unwrap(), second);
    tab_to(browser, "one.closest('.side')");
    tab_to(browser, "one.matches('.side a')");
    browser.press("Escape").unwrap();
    assert_eq!(browser.evaluate("document.querySelector('.side').hidden").unwrap(), json!(true));
    assert_eq!(focused(browser, "textContent"), second, "the focus is where it came from");

    // The other views are links of the head.
    browser.press("Shift+Tab").unwrap();
    browser.evaluate("document.querySelector('nav a').focus()").unwrap();
    tab_to(browser, "one.textContent === 'Program'");
    browser.press("Enter").unwrap();
    browser.settle().unwrap();
    tab_to(browser, "one.id === 'graph'");
    let zoom = focused(browser, "dataset.zoom").parse::<f64>().unwrap();
    browser.press("+").unwrap();
    assert!(focused(browser, "dataset.zoom").parse::<f64>().unwrap() > zoom);
    tab_to(browser, "one.matches('tbody a')");
    browser.press("Enter").unwrap();
    browser.wait_for("document.querySelector('.side h2')").unwrap();

    browser.show("#questions").unwrap();
    assert_eq!(focused(browser, "id"), "search");
    browser.write("kernel").unwrap();
    tab_to(browser, "one.matches('.candidates button')");
    browser.press("Enter").unwrap();
    assert!(browser.text("#answer").unwrap().contains(" of src/"));
    assert_quiet(browser);
}
