//! A scripted editor.

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// The folder of the repository.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// An editor with its server.
pub struct Editor {
    server: Child,
    out: BufReader<ChildStdout>,
    asked: usize,
}

impl Editor {
    /// Starts the server.
    pub fn start() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_cladist"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("runs");
        let out = BufReader::new(server.stdout.take().expect("piped"));
        let mut editor = Self { server, out, asked: 0 };
        let answer = editor.ask("initialize", json!({"capabilities": {}}));
        assert_eq!(answer["result"]["capabilities"]["textDocumentSync"]["change"], 1);
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, mut message: Json) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    /// Writes to the server, be it a message or not.
    pub fn write(&mut self, bytes: &[u8]) {
        let stdin = self.server.stdin.as_mut().expect("piped");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("written");
    }

    /// Sends a notification.
    pub fn tell(&mut self, method: &str, params: Json) {
        self.send(json!({"method": method, "params": params}));
    }

    /// Sends a request; the answer, which is the next message.
    pub fn ask(&mut self, method: &str, params: Json) -> Json {
        self.asked += 1;
        self.send(json!({"id": self.asked, "method": method, "params": params}));
        let answer = self.receive();
        assert_eq!(answer["id"], self.asked, "{answer}");
        answer
    }

    /// The next message of the server.
    pub fn receive(&mut self) -> Json {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.out.read_line(&mut line).expect("readable") > 0, "the server ended");
            match line.trim_end() {
                "" => break,
                line => {
                    if let Some(number) = line.strip_prefix("Content-Length: ") {
                        length = number.parse().expect("a number");
                    }
                }
            }
        }
        let mut bytes = vec![0; length];
        self.out.read_exact(&mut bytes).expect("readable");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// The findings that the server publishes next.
    pub fn findings(&mut self) -> Vec<Json> {
        let message = self.receive();
        assert_eq!(message["method"], "textDocument/publishDiagnostics", "{message}");
        message["params"]["diagnostics"].as_array().expect("a list").clone()
    }

    /// Opens a text; the findings about it.
    pub fn open(&mut self, path: &Path, text: &str) -> Vec<Json> {
        let document = json!({"uri": uri(path), "languageId": "cladist", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
        self.findings()
    }

    /// Ends the server.
    pub fn end(mut self) {
        assert!(self.ask("shutdown", Json::Null).get("error").is_none());
        self.exit();
    }

    /// Waits for the end of the server, which was asked to shut down.
    pub fn exit(mut self) {
        self.tell("exit", Json::Null);
        assert_eq!(self.server.wait().expect("ends").code(), Some(0));
    }
}

/// What an editor calls a file.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.to_str().expect("UTF-8"))
}

/// What `check --json` says of a file: severity, message and line of each finding.
pub fn checked(path: &Path) -> Vec<(String, String, Option<u64>)> {
    let output = Command::new(env!("CARGO_BIN_EXE_cladist"))
        .args(["check", "--json", path.to_str().expect("UTF-8")])
        .output()
        .expect("runs");
    let document: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    let list = document.get("warnings").or(document.get("diagnostics")).expect("findings");
    let found = list.as_array().expect("a list").iter().map(|found| {
        let text = |field: &str| found[field].as_str().unwrap_or_default().to_owned();
        (
            text("severity"),
            text("message").lines().next().unwrap_or_default().to_owned(),
            found["place"]["line"].as_u64(),
        )
    });
    found.collect()
}
