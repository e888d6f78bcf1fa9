//! Laws: redaction is idempotent and leaves no match; any split of a stream gives
//! the output of the whole; JSON stays JSON; the placeholders of a file that is
//! sent back unchanged stand for what they hid.

#![no_main]

use gatewright_guards::egress::{RedactedFile, Redactor, Stream};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u16, &str)| {
    let (cut, text) = input;
    let redactor = Redactor::default();
    let whole = redactor.redact(text).text;
    let left = redactor.find(whole.as_bytes());
    assert!(left.is_empty(), "{left:?} left over in {whole:?}");
    let (head, tail) = text.as_bytes().split_at(usize::from(cut) % (text.len() + 1));
    let mut stream = Stream::new(&redactor);
    let mut output = stream.push(head).into_inner();
    output.extend(stream.push(tail).into_inner());
    output.extend(stream.finish().into_inner());
    assert_eq!(String::from_utf8_lossy(&output), whole, "cut at {cut}");
    let object = serde_json::json!({ "text": text, "list": [text] }).to_string();
    let sealed = redactor.seal_json_text(&object);
    assert!(serde_json::from_str::<serde_json::Value>(sealed.as_str()).is_ok(), "{object:?}");
    let shown = RedactedFile::new(&redactor, text);
    if let Ok(restored) = shown.restore_whole(shown.view()) {
        assert_eq!(restored, text);
    }
});
