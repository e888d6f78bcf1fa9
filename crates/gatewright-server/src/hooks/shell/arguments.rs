//! Arguments of a program, sorted into options, their values, and the rest.

use super::word::Value;

/// Arguments, sorted.
#[derive(Debug, Default)]
pub struct Arguments {
    /// The options, as they are written.
    pub options: Vec<String>,
    /// The letters of the short options.
    pub letters: String,
    /// Options with what they are given.
    pub values: Vec<(String, Value)>,
    /// Everything else.
    pub plain: Vec<Value>,
}

impl Arguments {
    /// Sorts words; the options in `valued` take a value.
    pub fn of(words: &[Value], valued: &[&str]) -> Self {
        let mut arguments = Self::default();
        let mut rest = words;
        while !rest.is_empty() {
            let after = arguments.take_option(rest, valued);
            match after {
                Some((after, true)) => rest = after,
                Some((after, false)) => {
                    arguments.plain.extend(after.iter().cloned());
                    break;
                }
                None => {
                    arguments.plain.push(rest[0].clone());
                    rest = &rest[1..];
                }
            }
        }
        arguments
    }

    /// Sorts the options before the first other word; that word and the ones behind it.
    pub fn leading<'a>(words: &'a [Value], valued: &[&str]) -> (Self, &'a [Value]) {
        let mut arguments = Self::default();
        let mut rest = words;
        while let Some((after, goes_on)) = arguments.take_option(rest, valued) {
            rest = after;
            if !goes_on {
                break;
            }
        }
        (arguments, rest)
    }

    /// Takes an option off the front. `None` where there is none; whether more may follow.
    fn take_option<'a>(
        &mut self,
        words: &'a [Value],
        valued: &[&str],
    ) -> Option<(&'a [Value], bool)> {
        let (first, rest) = words.split_first()?;
        let text = first.text.as_str();
        if text == "--" {
            return Some((rest, false));
        }
        if text.len() < 2 || !text.starts_with('-') {
            return None;
        }
        self.options.push(text.to_owned());
        if valued.contains(&text) {
            let (value, after) = match rest.split_first() {
                Some((value, after)) => (value.clone(), after),
                None => return Some((rest, true)),
            };
            self.values.push((text.to_owned(), value));
            return Some((after, true));
        }
        if let Some((name, value)) = text.split_once('=')
            && valued.contains(&name)
        {
            let value = first.from(text.len() - value.len()).unwrap_or_default();
            self.values.push((name.to_owned(), value));
            return Some((rest, true));
        }
        if text.starts_with("--") {
            return Some((rest, true));
        }
        Some((self.take_letters(first, rest, valued), true))
    }

    /// Short options in one word; the last of them may take a value.
    fn take_letters<'a>(
        &mut self,
        first: &Value,
        rest: &'a [Value],
        valued: &[&str],
    ) -> &'a [Value] {
        for (at, letter) in first.text.char_indices().skip(1) {
            let name = format!("-{letter}");
            if !valued.contains(&name.as_str()) {
                self.letters.push(letter);
                continue;
            }
            let attached = first.from(at + letter.len_utf8()).filter(|v| !v.text.is_empty());
            let (value, after) = match (attached, rest.split_first()) {
                (Some(value), _) => (Some(value), rest),
                (None, Some((value, after))) => (Some(value.clone()), after),
                (None, None) => (None, rest),
            };
            self.values.extend(value.map(|value| (name, value)));
            return after;
        }
        rest
    }

    /// Whether one of these options is there.
    pub fn has(&self, options: &[&str]) -> bool {
        let is_letter = |option: &str| {
            let mut chars = option.chars().skip(1);
            matches!((chars.next(), chars.next()), (Some(c), None) if self.letters.contains(c))
        };
        options.iter().any(|option| {
            is_letter(option)
                || self.options.iter().any(|own| {
                    own == option || own.strip_prefix(option).is_some_and(|r| r.starts_with('='))
                })
        })
    }

    /// What the first of these options is given.
    pub fn value(&self, options: &[&str]) -> Option<&Value> {
        self.all_values(options).next()
    }

    /// What these options are given.
    pub fn all_values(&self, options: &[&str]) -> impl Iterator<Item = &Value> {
        self.values.iter().filter(|(name, _)| options.contains(&name.as_str())).map(|(_, v)| v)
    }
}
