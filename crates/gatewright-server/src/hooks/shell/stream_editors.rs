//! `sed` and `awk`: files that they edit in place, and files that their scripts write.

use super::arguments::Arguments;
use super::inline_code;
use super::run::Shell;
use super::word::Value;

/// Follows `sed` or `awk`.
pub fn follow(shell: &mut Shell, name: &str, words: &[Value]) {
    if name.ends_with("sed") { sed(shell, words) } else { awk(shell, words) }
}

fn sed(shell: &mut Shell, words: &[Value]) {
    let is_in_place = words.iter().any(|word| is_in_place(&word.text));
    let words: Vec<Value> =
        words.iter().filter(|word| !is_suffix_of_i(&word.text)).cloned().collect();
    let valued = ["-e", "-f", "-l", "--expression", "--file", "--line-length"];
    let mut arguments = Arguments::of(&words, &valued);
    // The suffix of BSD's `-i ''` is an empty word.
    arguments.plain.retain(|word| !word.text.is_empty());
    let given: Vec<&Value> = arguments.all_values(&["-e", "--expression"]).collect();
    let has_script = arguments.value(&["-e", "-f", "--expression", "--file"]).is_some();
    let scripts: Vec<&Value> = match has_script {
        true => given,
        false => arguments.plain.first().into_iter().collect(),
    };
    for script in &scripts {
        for file in written_by(&script.text) {
            shell.write(&Value::known(file), None, false);
        }
    }
    if is_in_place {
        let files = arguments.plain.iter().skip(usize::from(!has_script));
        files.for_each(|file| shell.write(file, None, false));
    }
}

/// `-i`, alone, with a suffix, or behind other letters.
fn is_in_place(option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(long) => long.starts_with("in-place"),
        None => {
            let letters = option.strip_prefix('-').unwrap_or_default();
            letters.split(['e', 'f']).next().unwrap_or_default().contains('i')
        }
    }
}

/// `-i` with a suffix: its letters are no options.
fn is_suffix_of_i(option: &str) -> bool {
    option.strip_prefix("-i").is_some_and(|suffix| suffix.starts_with('.'))
}

/// The files of the commands `w` and of the flag `w`.
fn written_by(script: &str) -> Vec<String> {
    let mut files = Vec::new();
    for line in script.split(['\n', ';']) {
        let Some((before, file)) = line.split_once("w ") else { continue };
        let is_command = before
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_alphanumeric() && c != '_' || c.is_ascii_digit() || c == 'g');
        let file = file.trim();
        if is_command && !file.is_empty() && !file.contains([' ', '\\']) {
            files.push(file.trim_end_matches('}').trim().to_owned());
        }
    }
    files
}

fn awk(shell: &mut Shell, words: &[Value]) {
    let valued = ["-v", "-f", "-F", "-i", "-e", "-E", "--include", "--file", "--source"];
    let arguments = Arguments::of(words, &valued);
    let has_file = arguments.value(&["-f", "-E", "--file"]).is_some();
    let named = arguments.value(&["-e", "--source"]).cloned();
    let takes_first = !has_file && named.is_none();
    let script = named.or_else(|| arguments.plain.first().filter(|_| takes_first).cloned());
    if let Some(script) = script {
        inline_code::follow_awk(shell, &script.text);
    }
    let is_in_place =
        arguments.all_values(&["-i", "--include"]).any(|value| value.text.starts_with("inplace"));
    if is_in_place {
        let files = arguments.plain.iter().skip(usize::from(takes_first));
        files.filter(|f| !f.text.contains('=')).for_each(|file| shell.write(file, None, false));
    }
}
