//! Programs that pack and unpack files.

use super::arguments::Arguments;
use super::effects::Effect;
use super::run::Shell;
use super::word::Value;

/// Follows a program that packs or unpacks; whether it is one.
pub fn follow(shell: &mut Shell, name: &str, words: &[Value]) -> bool {
    match name {
        "tar" | "bsdtar" | "gtar" => tar(shell, words),
        "unzip" => {
            let arguments = Arguments::of(words, &["-d", "-x", "-P"]);
            if !arguments.has(&["-l", "-t", "-p", "-v", "-Z"]) {
                unpacked(shell, name, arguments.value(&["-d"]));
            }
        }
        "zip" => {
            let arguments = Arguments::of(words, &["-x", "-i", "-b", "-P"]);
            arguments.plain.iter().take(1).for_each(|file| shell.write(file, None, false));
        }
        "7z" | "7za" | "7zz" => {
            let target = words.iter().find(|word| word.text.starts_with("-o"));
            let target = target.and_then(|word| word.from("-o".len()));
            match words.first().map(|word| word.text.as_str()) {
                Some("x" | "e") => unpacked(shell, name, target.as_ref()),
                Some("a" | "u" | "d") => {
                    words.iter().skip(1).take(1).for_each(|file| shell.write(file, None, false));
                }
                _ => {}
            }
        }
        "cpio" if words.iter().any(|word| word.text.contains('i')) => unpacked(shell, name, None),
        "gzip" | "gunzip" | "bzip2" | "bunzip2" | "xz" | "unxz" | "zstd" | "unzstd" => {
            let arguments = Arguments::of(words, &["-o", "-T", "-S"]);
            arguments.all_values(&["-o"]).for_each(|file| shell.write(file, None, false));
            if !arguments.has(&["-c", "-l", "-t", "--stdout", "--list", "--test"]) {
                arguments.plain.iter().for_each(|file| shell.write(file, None, false));
            }
        }
        _ => return false,
    }
    true
}

fn tar(shell: &mut Shell, words: &[Value]) {
    let mut words = words.to_vec();
    // The old spelling has no dash.
    if let Some(first) = words.first_mut()
        && first.text.chars().all(|c| c.is_ascii_alphabetic())
    {
        first.text.insert(0, '-');
    }
    let arguments = Arguments::of(&words, &["-f", "-C", "--file", "--directory", "-T", "-X"]);
    let directory = arguments.value(&["-C", "--directory"]).cloned();
    if arguments.has(&["-x", "--extract", "--get"]) {
        unpacked(shell, "tar", directory.as_ref());
    } else if arguments.has(&["-c", "-r", "-u", "-A", "--create", "--append", "--update"]) {
        let files = arguments.all_values(&["-f", "--file"]);
        files.for_each(|file| shell.write(file, None, false));
    }
}

/// Files that only the archive names, below a directory.
fn unpacked(shell: &mut Shell, name: &str, directory: Option<&Value>) {
    shell.within(directory, |shell| {
        let directory = shell.directory().to_owned();
        shell.out.push(Effect::tree(name, &directory));
    });
}
