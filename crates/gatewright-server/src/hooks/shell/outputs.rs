//! Commands whose output is known without running them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::escapes;
use super::programs::base_name;
use super::run::Shell;
use super::word::Value;

/// What a command prints; `None` where it is another command or cannot be known.
pub fn printed(
    shell: &mut Shell,
    name: &str,
    words: &[Value],
    input: Option<&str>,
) -> Option<String> {
    if !words.iter().all(Value::is_known) {
        return None;
    }
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    match (name, texts.as_slice()) {
        ("echo", _) => Some(echo(&texts)),
        ("printf", [format, values @ ..]) => printf(format, values),
        ("cat", [] | ["-"]) => input.map(str::to_owned),
        ("cat", files) if !files.iter().any(|file| file.starts_with('-')) => {
            files.iter().map(|file| shell.text(file)).collect()
        }
        ("base64", ["-d" | "-D" | "--decode"]) => {
            let bare: String = input?.split_whitespace().collect();
            String::from_utf8(STANDARD.decode(bare).ok()?).ok()
        }
        ("xxd", ["-r", "-p"] | ["-r", "-ps"] | ["-p", "-r"] | ["-rp"]) => from_hex(input?),
        ("pwd", _) => {
            Some(if shell.directory().is_empty() { "." } else { shell.directory() }.to_owned())
        }
        ("which", [program]) | ("command" | "type", ["-v" | "-p" | "-P", program]) => {
            Some((*program).to_owned())
        }
        ("git", ["rev-parse", "--show-toplevel"]) => Some(shell.tree.root()),
        ("git", ["rev-parse", "--git-dir" | "--git-common-dir" | "--absolute-git-dir"]) => {
            Some(format!("{}/.git", shell.tree.root()))
        }
        ("basename", [path]) => Some(base_name(path).to_owned()),
        ("dirname", [path]) => {
            Some(path.rsplit_once('/').map_or(".", |(directory, _)| directory).to_owned())
        }
        ("realpath", [path]) | ("readlink", ["-f" | "-m", path]) => Some((*path).to_owned()),
        _ => None,
    }
}

fn echo(words: &[&str]) -> String {
    let is_option = |word: &&&str| matches!(**word, "-n" | "-e" | "-ne" | "-en" | "-E");
    let options = words.iter().take_while(is_option).count();
    let (options, words) = words.split_at(options);
    let text = words.join(" ");
    let text = if options.iter().any(|o| o.contains('e')) { escapes::decoded(&text) } else { text };
    if options.iter().any(|option| option.contains('n')) { text } else { text + "\n" }
}

fn printf(format: &str, values: &[&str]) -> Option<String> {
    let format = escapes::decoded(format);
    let mut out = String::new();
    let mut rest = values;
    loop {
        let before = rest.len();
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            match c {
                '%' => match chars.next()? {
                    '%' => out.push('%'),
                    's' | 'b' => {
                        if let Some((value, after)) = rest.split_first() {
                            out.push_str(value);
                            rest = after;
                        }
                    }
                    _ => return None,
                },
                _ => out.push(c),
            }
        }
        if rest.is_empty() || rest.len() == before {
            return Some(out);
        }
    }
}

/// The text that hexadecimal digits stand for.
fn from_hex(digits: &str) -> Option<String> {
    let digits: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(16)).collect();
    let bytes = digits.chunks_exact(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]));
    String::from_utf8(bytes.collect::<Result<Vec<u8>, _>>().ok()?).ok()
}
