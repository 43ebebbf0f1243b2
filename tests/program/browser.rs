//! A Chromium without a window, driven through a pipe (the Chrome DevTools Protocol with `--remote-debugging-pipe`).

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What the program may be called.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub struct Browser {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Json>,
    session: Option<String>,
    asked: u64,
    /// Errors and warnings of the console, and requests that leave the machine.
    pub complaints: Vec<String>,
    // Removed when the browser has ended.
    _profile: TempDir,
}

impl Browser {
    /// Starts the browser; `None`, after saying so, where there is none.
    pub fn start() -> Option<Self> {
        let runs = |name: &&str| {
            let version =
                Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            version.is_ok_and(|status| status.success())
        };
        let Some(name) = NAMES.into_iter().find(|name| runs(name)) else {
            eprintln!("skipped: there is no Chromium");
            return None;
        };
        let profile = tempfile::tempdir().expect("a folder");
        // The browser reads from descriptor 3 and writes to 4.
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 1>&2", name])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--no-first-run", "--disable-background-networking", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let (input, output) = (process.stdin.take().expect("a pipe"), process.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self {
            process,
            input,
            messages,
            session: None,
            asked: 0,
            complaints: Vec::new(),
            _profile: profile,
        };
        let target = browser.ask("Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.ask("Target.attachToTarget", &attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), &json!({}));
        }
        Some(browser)
    }

    /// Opens a file at a fragment (`""`, or with its `#`), in a window of this width, light or dark.
    pub fn open(&mut self, file: &Path, fragment: &str, width: u32, dark: bool) {
        let metrics = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", &metrics);
        let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
        self.ask("Emulation.setEmulatedMedia", &json!({ "features": [scheme] }));
        // A change of the fragment alone would not load the page again. Events of an earlier page may still arrive, so the page is asked.
        for url in ["about:blank".to_owned(), address(file, fragment)] {
            self.ask("Page.navigate", &json!({ "url": url }));
            let is_blank = if url == "about:blank" { "===" } else { "!==" };
            self.wait_for(&format!(
                "location.href {is_blank} 'about:blank' && document.readyState === 'complete'"
            ));
        }
    }

    /// The value of an expression of JavaScript.
    pub fn value(&mut self, expression: &str) -> Json {
        let params = json!({ "expression": expression, "returnByValue": true });
        let answer = self.ask("Runtime.evaluate", &params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until an expression of JavaScript is true.
    pub fn wait_for(&mut self, expression: &str) {
        let limit = Instant::now() + PATIENCE;
        while self.value(expression) != true {
            assert!(Instant::now() < limit, "never true: {expression}");
            self.settle();
        }
    }

    /// What is seen in the window, in a grid of so many columns and rows: how bright each cell is, a hexadecimal digit from black to white, line by line.
    pub fn picture(&mut self, columns: u32, rows: u32) -> String {
        let shot = self.ask("Page.captureScreenshot", &json!({ "format": "png" }));
        let grid = format!(
            "(async () => {{ const image = new Image(); image.src = 'data:image/png;base64,' + {}; await image.decode();
              const canvas = new OffscreenCanvas({columns}, {rows}); const pen = canvas.getContext('2d');
              pen.imageSmoothingQuality = 'high'; pen.drawImage(image, 0, 0, {columns}, {rows});
              const bytes = pen.getImageData(0, 0, {columns}, {rows}).data; let text = '';
              for (let at = 0; at < bytes.length; at += 4) {{
                const grey = (bytes[at] + bytes[at + 1] + bytes[at + 2]) / 3;
                text += Math.min(15, Math.floor(grey / 16)).toString(16);
                if ((at / 4 + 1) % {columns} === 0) text += '\\n'; }}
              return text; }})()",
            shot["data"]
        );
        let params = json!({ "expression": grid, "returnByValue": true, "awaitPromise": true });
        let answer = self.ask("Runtime.evaluate", &params);
        answer["result"]["value"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// A click of the mouse into the middle of the first element with this selector.
    pub fn click(&mut self, selector: &str) {
        let element = format!("document.querySelector({})", json!(selector));
        // Parts that come into sight would get their true height only in the next frame, and move others.
        self.value(
            "(() => { const sheet = new CSSStyleSheet(); sheet.replaceSync('* { content-visibility: visible !important }');
              document.adoptedStyleSheets = [sheet]; })()",
        );
        let at = self.value(&format!(
            "(() => {{ {element}.scrollIntoView({{ block: 'center', behavior: 'instant' }});
              const r = {element}.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] }})()"
        ));
        // The mouse finds what the last frame shows.
        self.settle();
        for event in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let params = json!({ "type": event, "x": at[0], "y": at[1], "button": "left", "clickCount": 1, "buttons": 1 });
            self.ask("Input.dispatchMouseEvent", &params);
        }
        self.settle();
    }

    /// Moves the mouse to where nothing is.
    pub fn move_away(&mut self) {
        self.ask("Input.dispatchMouseEvent", &json!({ "type": "mouseMoved", "x": 1, "y": 1 }));
        self.settle();
    }

    /// Waits until the page has handled what was sent to it: on a busy machine, that is later than the answer.
    fn settle(&mut self) {
        let handled = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))";
        self.ask("Runtime.evaluate", &json!({ "expression": handled, "awaitPromise": true }));
    }

    /// A key that is pressed and released.
    pub fn press(&mut self, key: &str) {
        for event in ["rawKeyDown", "keyUp"] {
            let code = match key {
                "ArrowLeft" => 37,
                "ArrowRight" => 39,
                "Enter" => 13,
                "/" => 191,
                _ => 9,
            };
            let params = json!({ "type": event, "key": key, "code": key, "windowsVirtualKeyCode": code });
            self.ask("Input.dispatchKeyEvent", &params);
            if key == "Enter" && event == "rawKeyDown" {
                self.ask("Input.dispatchKeyEvent", &json!({ "type": "char", "text": "\r" }));
            }
        }
        self.settle();
    }

    /// A text that is typed into what has the focus.
    pub fn insert(&mut self, text: &str) {
        self.ask("Input.insertText", &json!({ "text": text }));
        self.settle();
    }

    fn ask(&mut self, method: &str, params: &Json) -> Json {
        self.asked += 1;
        let mut message = json!({ "id": self.asked, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        write!(self.input, "{message}\0").expect("the browser listens");
        self.input.flush().expect("the browser listens");
        loop {
            let answer = self.next();
            if answer["id"] == self.asked {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    fn next(&mut self) -> Json {
        let message = self.messages.recv_timeout(PATIENCE).expect("the browser answers");
        let params = &message["params"];
        let url = params["request"]["url"].as_str().unwrap_or_default();
        let complains = match message["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => true,
            "Runtime.consoleAPICalled" => params["type"] == "error" || params["type"] == "warning",
            "Log.entryAdded" => params["entry"]["level"] == "error" || params["entry"]["level"] == "warning",
            "Network.requestWillBeSent" => {
                !["file:", "data:", "about:", "blob:"].iter().any(|kind| url.starts_with(kind))
            }
            _ => false,
        };
        if complains {
            self.complaints.push(message.to_string());
        }
        message
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The address of a file, with everything but letters, digits and a few signs escaped.
fn address(file: &Path, fragment: &str) -> String {
    let path = file.canonicalize().expect("a file");
    let escaped: String = path
        .to_str()
        .expect("UTF-8")
        .bytes()
        .map(|b| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => char::from(b).to_string(),
            _ => format!("%{b:02X}"),
        })
        .collect();
    format!("file://{escaped}{fragment}")
}
