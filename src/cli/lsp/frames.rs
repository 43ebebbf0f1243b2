//! The messages of an editor: frames on standard input, each a text in JSON with its length before it. An unreadable
//! frame is answered with an error, and the next frame is searched for.

use lsp_server::{Connection, ErrorCode, Message};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread::{self, JoinHandle};

/// The longest text of a message, in bytes.
const LONGEST: u64 = 64 << 20;

/// The most bytes that are kept of the end of a line before a text.
const LONGEST_LINE: usize = 1 << 12;

/// The field with the length of the text, in lower case.
const LENGTH: &[u8] = b"content-length:";

/// Connects the server with the editor on standard input and output. The thread ends when the server has dropped its
/// end and all messages are sent.
pub fn connect() -> (Connection, JoinHandle<io::Result<()>>) {
    let (server, Connection { sender, receiver }) = Connection::memory();
    // This thread stays behind when no input comes: it ends with the program.
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        while let Some(frame) = next(&mut input) {
            let goes_on = match frame {
                Ok(message) => {
                    let is_exit = matches!(&message, Message::Notification(note) if note.method == "exit");
                    sender.send(message).is_ok() && !is_exit
                }
                Err(broken) => send(&broken).is_ok(),
            };
            if !goes_on {
                break;
            }
        }
    });
    let writer = thread::spawn(move || {
        receiver.iter().try_for_each(|message| {
            let mut message = serde_json::to_value(message)?;
            message["jsonrpc"] = json!("2.0");
            send(&message)
        })
    });
    (server, writer)
}

/// Writes a message to standard output.
fn send(message: &Json) -> io::Result<()> {
    let text = message.to_string();
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

/// Returns the answer to a frame that is not a message; `id` is that of the request, if known.
fn broken(code: ErrorCode, id: Option<&Json>, message: impl Into<String>) -> Json {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code as i32, "message": message.into()}})
}

/// Returns the next message, or the answer to an unreadable frame; `None` at the end of the input.
fn next(input: &mut impl BufRead) -> Option<Result<Message, Json>> {
    let unreadable = |message: String| Some(Err(broken(ErrorCode::ParseError, None, message)));
    let length = match length(input)? {
        Ok(length) if length <= LONGEST => length,
        Ok(length) => {
            return unreadable(format!("a message of {length} bytes: at most {LONGEST} are read"));
        }
        Err(why) => return unreadable(why),
    };
    let mut text = Vec::new();
    input.take(length).read_to_end(&mut text).ok()?;
    if (text.len() as u64) < length {
        return None;
    }
    let json: Json = match serde_json::from_slice(&text) {
        Ok(json) => json,
        Err(error) => return unreadable(format!("the message is not JSON: {error}")),
    };
    Some(Message::deserialize(&json).map_err(|_| {
        let id = json.get("id").filter(|id| id.is_number() || id.is_string());
        broken(ErrorCode::InvalidRequest, id, "neither a request nor a notification nor a response")
    }))
}

/// Returns the length of the next text from the lines before it, or the error in them; `None` at the end of the input.
///
/// A line may have a text before it whose length was wrong. No text has such a line within: in JSON, a line ends only between tokens.
fn length(input: &mut impl BufRead) -> Option<Result<u64, String>> {
    let mut length = None;
    loop {
        let line = end_of_line(input)?;
        let field = line.to_ascii_lowercase();
        let at = field.windows(LENGTH.len()).rposition(|part| part == LENGTH);
        let value = at.map(|at| String::from_utf8_lossy(&line[at + LENGTH.len()..]).trim().to_owned());
        match value {
            Some(value) => length = Some(value),
            None if line.is_empty() => break,
            None => {}
        }
    }
    Some(match length {
        Some(length) => {
            length.parse().map_err(|_| format!("`Content-Length: {length}` is no number of bytes"))
        }
        None => Err("a message without `Content-Length`".to_owned()),
    })
}

/// Returns the end of the next line, without `\r\n`; `None` at the end of the input.
fn end_of_line(input: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    loop {
        let some = input.fill_buf().ok().filter(|some| !some.is_empty())?;
        let end = some.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(some.len(), |end| end + 1);
        line.extend_from_slice(&some[taken.saturating_sub(LONGEST_LINE)..taken]);
        input.consume(taken);
        let surplus = line.len().saturating_sub(LONGEST_LINE);
        line.drain(..surplus);
        if end.is_some() {
            line.pop();
            line.pop_if(|last| *last == b'\r');
            return Some(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the messages and answers for an input: the methods of messages, and the codes of answers with their
    /// texts.
    fn read(input: &[u8]) -> Vec<String> {
        let mut input = input;
        std::iter::from_fn(|| next(&mut input))
            .map(|frame| match frame {
                Ok(Message::Request(request)) => request.method,
                Ok(other) => format!("{other:?}"),
                Err(answer) => format!("{} {}", answer["error"]["code"], answer["id"]),
            })
            .collect()
    }

    fn frame(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn what_is_no_message_is_answered_and_the_next_one_read() {
        let good = frame(r#"{"jsonrpc": "2.0", "id": 1, "method": "good"}"#);
        for (bad, answers) in [
            (frame("{nonsense"), &["-32700 null"][..]),
            (frame("[1, 2]"), &["-32600 null"]),
            (frame(r#"{"id": 7, "method": 3}"#), &["-32600 7"]),
            ("Content-Type: x\r\n\r\n{}\r\n".to_owned(), &["-32700 null"]),
            ("Content-Length: -4\r\n\r\n{\"a\": 1}".to_owned(), &["-32700 null"]),
            ("Content-Length: four\r\n\r\n{}".to_owned(), &["-32700 null"]),
            ("Content-Length: 99999999999999999999\r\n\r\n{}".to_owned(), &["-32700 null"]),
            ("Content-Length: 999999999999\r\n\r\n{}".to_owned(), &["-32700 null"]),
            (format!("Content-Length: 67108865\r\n\r\n{}", " ".repeat(67_108_865)), &["-32700 null"]),
            ("Content-Length: 2\r\n\r\n{\"id\": 5}".to_owned(), &["-32700 null"]),
        ] {
            let expected: Vec<&str> = answers.iter().copied().chain(["good"]).collect();
            assert_eq!(read((bad.clone() + &good).as_bytes()), expected, "{}", &bad[..bad.len().min(60)]);
        }
        let several = [b"Content-Length: 2\r\n\r\n\xff\xfe".as_slice(), good.as_bytes()].concat();
        assert_eq!(read(&several), ["-32700 null", "good"]);
        let with_type = good.replace("\r\n\r\n", "\r\nContent-Type: application/json\r\n\r\n");
        assert_eq!(read(with_type.to_lowercase().as_bytes()), ["good"]);
        assert_eq!(read(b"Content-Length: 9\r\n\r\n{}"), Vec::<String>::new());
    }
}
