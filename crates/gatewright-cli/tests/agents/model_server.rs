//! A model on loopback that says its scripted lines in the wire form of an agent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// The wire forms of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    Anthropic,
    Responses,
    Gemini,
    Chat,
}

/// One tool call that the model makes.
#[derive(Debug, Clone)]
pub struct Step {
    pub tool: String,
    pub input: Value,
}

pub fn step(tool: &str, input: Value) -> Step {
    Step { tool: tool.to_owned(), input }
}

/// A running server; it ends with the test process.
pub struct ModelServer {
    pub port: u16,
    state: Arc<Mutex<State>>,
}

struct State {
    wire: Wire,
    steps: Vec<Step>,
    said: usize,
    heard: Vec<String>,
}

impl ModelServer {
    pub fn start(wire: Wire, steps: Vec<Step>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(Mutex::new(State { wire, steps, said: 0, heard: Vec::new() }));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                std::thread::spawn(move || serve(stream, &state));
            }
        });
        Self { port, state }
    }

    /// Everything that the agent has sent to its model.
    pub fn heard(&self) -> String {
        self.state.lock().expect("a lock").heard.join("\n")
    }

    /// How many of the steps were said.
    pub fn said(&self) -> usize {
        self.state.lock().expect("a lock").said
    }
}

fn serve(stream: TcpStream, state: &Mutex<State>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let (first, body) = request(&mut reader)?;
    let mut stream = stream;
    let answer = if first.starts_with("POST") {
        state.lock().expect("a lock").answer(&first, &body)
    } else {
        plain(&json!({"data": [], "models": []}))
    };
    stream.write_all(answer.as_bytes()).ok()
}

/// The request line and the body.
fn request(reader: &mut BufReader<TcpStream>) -> Option<(String, String)> {
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let (mut length, mut is_chunked) = (0, false);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        is_chunked |= line.starts_with("transfer-encoding:") && line.contains("chunked");
    }
    let mut body = Vec::new();
    if is_chunked {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size).ok()?;
            let size = usize::from_str_radix(size.trim(), 16).ok()?;
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk).ok()?;
            body.extend_from_slice(&chunk[..size]);
            if size == 0 {
                break;
            }
        }
    } else {
        body.resize(length, 0);
        reader.read_exact(&mut body).ok()?;
    }
    Some((first, String::from_utf8_lossy(&body).into_owned()))
}

impl State {
    fn answer(&mut self, first: &str, body: &str) -> String {
        self.heard.push(body.to_owned());
        if first.contains("count_tokens") || first.contains("countTokens") {
            return plain(&json!({"input_tokens": 10, "totalTokens": 10}));
        }
        let step = if self.is_main(body) { self.steps.get(self.said).cloned() } else { None };
        self.said += usize::from(step.is_some());
        let number = self.said;
        match self.wire {
            Wire::Anthropic => anthropic(step, number),
            Wire::Responses => responses(step, number),
            Wire::Gemini => gemini(step, first.contains("stream")),
            Wire::Chat => chat(step, number),
        }
    }

    /// Agents ask small questions on the side, without their tools.
    fn is_main(&self, body: &str) -> bool {
        let mark = match self.wire {
            Wire::Anthropic => "\"Write\"",
            Wire::Gemini => "write_file",
            Wire::Responses | Wire::Chat => "\"tools\"",
        };
        body.contains(mark)
    }
}

fn plain(value: &Value) -> String {
    let body = value.to_string();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{body}",
        body.len()
    )
}

fn events(events: &[String]) -> String {
    let body = events.concat();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{body}",
        body.len()
    )
}

fn named(value: Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or_default())
}

fn anthropic(step: Option<Step>, number: usize) -> String {
    let (block, delta, reason) = match step {
        Some(step) => (
            json!({"type": "tool_use", "id": format!("toolu_{number}"), "name": step.tool, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": step.input.to_string()}),
            "tool_use",
        ),
        None => (
            json!({"type": "text", "text": ""}),
            json!({"type": "text_delta", "text": "done"}),
            "end_turn",
        ),
    };
    events(
        &[
            json!({"type": "message_start", "message": {
                "id": format!("m{number}"), "type": "message", "role": "assistant", "model": "m",
                "content": [], "stop_reason": null,
                "usage": {"input_tokens": 1, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": block}),
            json!({"type": "content_block_delta", "index": 0, "delta": delta}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "usage": {"output_tokens": 5},
                "delta": {"stop_reason": reason, "stop_sequence": null}}),
            json!({"type": "message_stop"}),
        ]
        .map(named),
    )
}

fn responses(step: Option<Step>, number: usize) -> String {
    let (id, call_id) = (format!("i{number}"), format!("call{number}"));
    let item = match step {
        Some(Step { tool, input }) if tool == "apply_patch" => json!({
            "type": "custom_tool_call", "id": id, "call_id": call_id, "name": tool, "input": input,
        }),
        Some(Step { tool, input }) => {
            let mut item = json!({
                "type": "function_call", "id": id, "call_id": call_id, "name": tool,
                "arguments": input.to_string(),
            });
            // Tools of servers live in a namespace of their own.
            if let Some((namespace, name)) = tool.split_once("::") {
                item["name"] = json!(name);
                item["namespace"] = json!(namespace);
            }
            item
        }
        None => json!({
            "type": "message", "id": id, "role": "assistant",
            "content": [{"type": "output_text", "text": "done"}],
        }),
    };
    let usage = json!({"input_tokens": 1, "output_tokens": 1, "total_tokens": 2});
    events(
        &[
            json!({"type": "response.created", "response": {"id": "r"}}),
            json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
            json!({"type": "response.completed", "response": {"id": "r", "usage": usage}}),
        ]
        .map(named),
    )
}

fn gemini(step: Option<Step>, is_stream: bool) -> String {
    let part = match step {
        Some(step) => json!({"functionCall": {"name": step.tool, "args": step.input}}),
        None => json!({"text": "done"}),
    };
    let answer = json!({
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
    });
    if is_stream { events(&[format!("data: {answer}\n\n")]) } else { plain(&answer) }
}

fn chat(step: Option<Step>, number: usize) -> String {
    let (delta, reason) = match step {
        Some(step) => (
            json!({"role": "assistant", "tool_calls": [{
                "index": 0, "id": format!("c{number}"), "type": "function",
                "function": {"name": step.tool, "arguments": step.input.to_string()}}]}),
            "tool_calls",
        ),
        None => (json!({"role": "assistant", "content": "done"}), "stop"),
    };
    let chunk = |delta: Value, reason: Value| {
        let value = json!({
            "id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
        });
        format!("data: {value}\n\n")
    };
    events(&[
        chunk(delta, Value::Null),
        chunk(json!({}), json!(reason)),
        "data: [DONE]\n\n".to_owned(),
    ])
}
