//! A real browser, driven through the protocol of its developer tools.
//!
//! The protocol goes through two pipes of the browser, so nothing listens at a port, and no crate
//! with a client for HTTP and web sockets is needed. A shell passes the pipes to the browser under
//! the file descriptors that it expects.

mod keys;

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::picture::Picture;
use dev_process::{Conversation, Error, Process, Result, environment};

/// Longest wait for one answer.
const PATIENCE: Duration = Duration::from_mins(1);
/// Moves the pipes to the numbers that the browser reads and writes.
const SHELL: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >&2";

/// A browser with one tab.
#[derive(Debug)]
pub struct Browser {
    // The conversation comes first, so that the browser ends before its folder is removed.
    conversation: Conversation,
    folder: TempDir,
    session: String,
    last: u64,
    events: VecDeque<Value>,
    complaints: Vec<String>,
    requests: Vec<String>,
}

impl Browser {
    /// Starts the browser with a view of `width` times `height` pixels.
    pub fn start(width: u32, height: u32) -> Result<Self> {
        let program = environment::find_program("chromium").ok_or_else(|| {
            Error::new("chromium is missing: `cargo xtask test` installs its package")
        })?;
        let folder = TempDir::with_prefix("weft-browser-")
            .map_err(|error| Error::new(format!("cannot make a folder: {error}")))?;
        let log = folder.path().join("log");
        let mut process = Process::new("sh").args(["-c", SHELL]).arg(program).args([
            "--headless",
            "--remote-debugging-pipe",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-dev-shm-usage",
            // A test changes the address more often than people do.
            "--disable-ipc-flooding-protection",
            "--force-device-scale-factor=1",
            "--force-color-profile=srgb",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--lang=en-US",
        ]);
        if environment::is_root() {
            process = process.arg("--no-sandbox");
        }
        let profile = format!("--user-data-dir={}", folder.path().join("profile").display());
        let conversation = process.arg(profile).arg("about:blank").quietly().converse(&log)?;
        let mut browser = Self {
            conversation,
            folder,
            session: String::new(),
            last: 0,
            events: VecDeque::new(),
            complaints: Vec::new(),
            requests: Vec::new(),
        };
        browser.attach(width, height)?;
        Ok(browser)
    }

    fn attach(&mut self, width: u32, height: u32) -> Result<()> {
        let target = self.command("Target.createTarget", &json!({"url": "about:blank"}))?;
        let attached = self.command(
            "Target.attachToTarget",
            &json!({"targetId": target["targetId"], "flatten": true}),
        )?;
        attached["sessionId"].as_str().unwrap_or_default().clone_into(&mut self.session);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.command(&format!("{domain}.enable"), &json!({}))?;
        }
        let folder = self.folder.path().to_string_lossy().into_owned();
        self.command(
            "Browser.setDownloadBehavior",
            &json!({"behavior": "allow", "downloadPath": folder, "eventsEnabled": true}),
        )?;
        self.resize(width, height)
    }

    /// Returns the folder that downloads go to, which is removed with the browser.
    pub fn downloads(&self) -> &Path {
        self.folder.path()
    }

    /// Changes the size of the view.
    pub fn resize(&mut self, width: u32, height: u32) -> Result<()> {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.command("Emulation.setDeviceMetricsOverride", &metrics).map(drop)
    }

    /// Opens a page from a file, at `hash` (`#view` or nothing), and waits until it shows its view.
    pub fn open(&mut self, page: &Path, hash: &str) -> Result<()> {
        // A page that differs in its hash alone would not be read again.
        self.visit("about:blank")?;
        self.visit(&format!("file://{}{hash}", page.display()))?;
        self.wait_for("performance.getEntriesByName('weft-shown').length > 0")
    }

    fn visit(&mut self, address: &str) -> Result<()> {
        self.events.clear();
        let answer = self.command("Page.navigate", &json!({"url": address}))?;
        if let Some(fault) = answer["errorText"].as_str() {
            return Err(Error::new(format!("cannot open {address}: {fault}")));
        }
        self.wait_for_event("Page.loadEventFired").map(drop)
    }

    /// Shows another view of the page that is open.
    pub fn show(&mut self, hash: &str) -> Result<()> {
        self.evaluate(&format!("location.hash = {}", json!(hash)))?;
        self.settle()
    }

    /// Waits until everything requested is drawn.
    pub fn settle(&mut self) -> Result<()> {
        let frames = "new Promise((done) => \
             requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))";
        self.evaluate(frames).map(drop)
    }

    /// Returns the value of an expression in the page. Promises are waited for.
    pub fn evaluate(&mut self, expression: &str) -> Result<Value> {
        let mut answer = self.command(
            "Runtime.evaluate",
            &json!({
                "expression": expression,
                "returnByValue": true,
                "awaitPromise": true,
                "userGesture": true,
            }),
        )?;
        if let Some(fault) = answer.get("exceptionDetails") {
            let cause = fault["exception"]["description"].as_str().or(fault["text"].as_str());
            let cause = cause.unwrap_or_default();
            return Err(Error::new(format!("{cause}\nin the page, of: {expression:.400}")));
        }
        Ok(answer["result"]["value"].take())
    }

    /// Returns the text of the first element that a selector finds.
    pub fn text(&mut self, selector: &str) -> Result<String> {
        let text = self.evaluate(&format!("({})?.textContent", one(selector)))?;
        let text = text.as_str().map(str::to_owned);
        text.ok_or_else(|| Error::new(format!("nothing in the page is {selector}")))
    }

    /// Returns the texts of all elements that a selector finds.
    pub fn texts(&mut self, selector: &str) -> Result<Vec<String>> {
        let all = format!(
            "[...document.querySelectorAll({})].map((one) => one.textContent)",
            json!(selector)
        );
        let texts = self.evaluate(&all)?;
        let texts = texts.as_array().into_iter().flatten();
        Ok(texts.filter_map(|text| text.as_str().map(str::to_owned)).collect())
    }

    /// Waits until an expression in the page is true.
    pub fn wait_for(&mut self, expression: &str) -> Result<()> {
        let wait = format!(
            "new Promise((done) => {{ const look = () => \
             ({expression}) ? done(true) : setTimeout(look, 10); look(); }})"
        );
        self.evaluate(&wait).map(drop)
    }

    /// Clicks in the middle of the first element that a selector finds.
    pub fn click(&mut self, selector: &str) -> Result<()> {
        let (x, y) = self.middle(selector)?;
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.command("Input.dispatchMouseEvent", &event)?;
        }
        self.settle()
    }

    /// Turns the mouse's wheel over an element.
    pub fn wheel(&mut self, selector: &str, by: f64) -> Result<()> {
        let (x, y) = self.middle(selector)?;
        let event = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by});
        self.command("Input.dispatchMouseEvent", &event)?;
        self.settle()
    }

    /// Returns the middle of an element, which is scrolled into view.
    fn middle(&mut self, selector: &str) -> Result<(f64, f64)> {
        let place = self.evaluate(&format!(
            "(() => {{ const found = {}; if (!found) return null; \
             found.scrollIntoView({{ block: 'nearest' }}); \
             const box = found.getBoundingClientRect(); \
             return [box.left + box.width / 2, box.top + box.height / 2]; }})()",
            one(selector)
        ))?;
        match (place[0].as_f64(), place[1].as_f64()) {
            (Some(x), Some(y)) => Ok((x, y)),
            _ => Err(Error::new(format!("nothing in the page is {selector}"))),
        }
    }

    /// Types a text into the element that has the focus.
    pub fn write(&mut self, text: &str) -> Result<()> {
        self.command("Input.insertText", &json!({"text": text}))?;
        self.settle()
    }

    /// Presses and releases a key, called as scripts call it, such as `Enter` or `/`.
    pub fn press(&mut self, key: &str) -> Result<()> {
        let (down, up) = keys::events(key);
        self.command("Input.dispatchKeyEvent", &down)?;
        self.command("Input.dispatchKeyEvent", &up)?;
        self.settle()
    }

    /// Has the system prefer a theme: `light` or `dark`.
    pub fn prefer(&mut self, theme: &str) -> Result<()> {
        let features = json!([{"name": "prefers-color-scheme", "value": theme}]);
        self.command("Emulation.setEmulatedMedia", &json!({"features": features}))?;
        self.settle()
    }

    /// Hides scroll bars, which are noise in a picture.
    pub fn hide_scrollbars(&mut self) -> Result<()> {
        self.command("Emulation.setScrollbarsHidden", &json!({"hidden": true})).map(drop)
    }

    /// Shows the page as on a medium, such as `print`; an empty name means the screen.
    pub fn medium(&mut self, name: &str) -> Result<()> {
        self.command("Emulation.setEmulatedMedia", &json!({"media": name}))?;
        self.settle()
    }

    /// Returns the page as a picture in the format PNG.
    pub fn screenshot(&mut self) -> Result<Vec<u8>> {
        let answer = self.command("Page.captureScreenshot", &json!({"format": "png"}))?;
        decoded(&answer)
    }

    /// Returns the picture of the page.
    pub fn picture(&mut self) -> Result<Picture> {
        Picture::decode(&self.screenshot()?)
    }

    /// Prints the page and returns the PDF.
    pub fn print(&mut self) -> Result<Vec<u8>> {
        let answer = self.command("Page.printToPDF", &json!({"printBackground": false}))?;
        decoded(&answer)
    }

    /// Returns errors and warnings that the browser wrote to its console so far.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// Returns the addresses that pages asked for so far, without the pages' own.
    pub fn requests(&self) -> &[String] {
        &self.requests
    }

    fn wait_for_event(&mut self, method: &str) -> Result<Value> {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["method"] == method) {
                return Ok(self.events.remove(at).unwrap_or_default());
            }
            let message = self.hear()?;
            self.note(message);
        }
    }

    /// Sends a command and waits for its answer.
    fn command(&mut self, method: &str, parameters: &Value) -> Result<Value> {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.conversation.say(message.to_string().as_bytes())?;
        loop {
            let mut message = self.hear().map_err(|error| {
                Error::new(format!("{method}: {error}\n{:.400}", message["params"].to_string()))
            })?;
            if message["id"] != self.last {
                self.note(message);
            } else if message["error"].is_null() {
                return Ok(message["result"].take());
            } else {
                return Err(Error::new(format!("{method}: {}", message["error"])));
            }
        }
    }

    fn hear(&self) -> Result<Value> {
        let message = self.conversation.hear(PATIENCE)?;
        serde_json::from_slice(&message)
            .map_err(|error| Error::new(format!("the browser does not speak JSON: {error}")))
    }

    /// Keeps an event.
    fn note(&mut self, event: Value) {
        let parameters = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => {
                self.complaints.push(parameters["exceptionDetails"].to_string());
            }
            "Runtime.consoleAPICalled"
                if ["error", "warning", "assert"].contains(&text_of(&parameters["type"])) =>
            {
                self.complaints.push(parameters["args"].to_string());
            }
            "Log.entryAdded" => self.complaints.push(parameters["entry"].to_string()),
            "Network.requestWillBeSent" => {
                let address = text_of(&parameters["request"]["url"]);
                // The data of an address is no request, and a page may save what it made.
                let is_own = parameters["type"] == "Document"
                    || ["data:", "blob:"].iter().any(|start| address.starts_with(start));
                if !is_own {
                    self.requests.push(address.to_owned());
                }
            }
            _ => {}
        }
        self.events.push_back(event);
    }
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn one(selector: &str) -> String {
    format!("document.querySelector({})", json!(selector))
}

fn decoded(answer: &Value) -> Result<Vec<u8>> {
    BASE64_STANDARD
        .decode(text_of(&answer["data"]))
        .map_err(|error| Error::new(format!("the browser's data is no base64: {error}")))
}
