//! Programs that fetch files: into a named file, or by the name in the address.

use super::arguments::Arguments;
use super::programs::base_name;
use super::run::Shell;
use super::word::Value;

const CURL: &[&str] =
    &["-H", "-d", "-X", "-u", "-A", "-e", "-F", "-b", "-T", "-m", "-x", "-w", "--output-dir"];
const CURL_FILES: &[&str] = &["-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar"];
const WGET: &[&str] = &["-U", "-e", "-t", "-P", "--directory-prefix", "--header"];
const WGET_FILES: &[&str] = &["-O", "--output-document", "-o", "-a", "--output-file"];

/// Follows `curl` or `wget`.
pub fn follow(shell: &mut Shell, name: &str, words: &[Value]) {
    let is_curl = name == "curl";
    let (valued, files) = if is_curl { (CURL, CURL_FILES) } else { (WGET, WGET_FILES) };
    let arguments = Arguments::of(words, &[valued, files].concat());
    let directory = arguments.value(&["--output-dir", "-P", "--directory-prefix"]).cloned();
    let named: Vec<Value> = arguments.all_values(files).cloned().collect();
    let by_address = match is_curl {
        true => arguments.has(&["-O", "--remote-name"]),
        false => {
            arguments.value(&["-O", "--output-document"]).is_none()
                && !arguments.has(&["--spider", "--version"])
        }
    };
    shell.within(directory.as_ref(), |shell| {
        named.iter().for_each(|file| shell.write(file, None, false));
        for address in arguments.plain.iter().filter(|_| by_address) {
            let path = address.text.split(['?', '#']).next().unwrap_or_default();
            let file = base_name(path);
            let is_named = path.trim_end_matches('/').matches('/').count() > 2;
            let file = if is_named { file } else { "index.html" };
            shell.write(&Value::known(file), None, false);
        }
    });
}
