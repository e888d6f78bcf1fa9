//! Texts with random parts, in which the secrets stand between `«` and `»`.

use gatewright_guards::egress::Kind;

use crate::formats;
use crate::random::Random;

/// A text that was made of a template.
pub struct Made {
    /// With the marks.
    marked: String,
    /// Without them.
    pub text: String,
    /// What stands between them.
    pub secrets: Vec<String>,
}

/// Fills a template; `<p>` stands for a password.
pub fn made(template: &str, random: &mut Random) -> Made {
    let mut marked = template.to_owned();
    while marked.contains("<p>") {
        let password = random.password();
        marked = marked.replacen("<p>", &password, 1);
    }
    let marked = formats::value_or_text(&marked, random);
    let parts = marked.split('«').skip(1).filter_map(|part| part.split_once('»'));
    let secrets = parts.map(|(secret, _)| secret.to_owned()).collect();
    Made { text: marked.replace(['«', '»'], ""), secrets, marked }
}

impl Made {
    /// Whether what was redacted is the text with each secret, and nothing else, replaced.
    pub fn is_exact(&self, redacted: &str) -> bool {
        let mut rest = redacted;
        for (index, part) in self.marked.split('«').enumerate() {
            let kept =
                if index == 0 { part } else { part.split_once('»').map_or("", |pair| pair.1) };
            if index > 0 {
                let placeholder =
                    Kind::ALL.iter().find_map(|kind| rest.strip_prefix(kind.placeholder()));
                let Some(behind) = placeholder else { return false };
                rest = behind;
            }
            let Some(behind) = rest.strip_prefix(kept) else { return false };
            rest = behind;
        }
        rest.is_empty()
    }
}
