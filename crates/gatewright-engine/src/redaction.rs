//! The egress guard of one workspace: its rules, its own secrets, its paths.
//!
//! Values of `.env` files at the top of the workspace and of the environment
//! are matched exactly wherever they appear.

use std::collections::BTreeMap;
use std::path::Path;

use gatewright_guards::egress::{
    Catalogue, Counts, Extension, Kind, Redacted, RedactionContext, Redactor, SecretValue,
};
use gatewright_model::RequestedPath;
use gatewright_workspace::Workspace;

use crate::config::{self, Config, ConfigError, ConfigTexts, EgressRule, WORKSPACE_FILE};
use crate::layout::Layout;
use crate::{EngineError, EngineOptions, io};

/// Counts of what was hidden, by kind.
#[derive(Debug, Clone, Default)]
pub struct Tally(Counts);

impl Tally {
    /// The counts by name.
    pub fn into_counts(self) -> BTreeMap<String, u64> {
        self.0.to_map()
    }
}

/// The redactor with the rules, values and paths of one workspace.
pub struct EgressGuard {
    redactor: Redactor,
    context: RedactionContext,
}

impl EgressGuard {
    pub(crate) fn new(
        config: &Config,
        workspace: &Workspace,
        options: &EngineOptions,
    ) -> Result<Self, EngineError> {
        let entries = workspace.read_dir(&RequestedPath::new(".")).unwrap_or_default();
        let names = entries.into_iter().map(|entry| entry.name);
        let values = dotenv_secrets(names, |name| {
            let state = workspace.read(&RequestedPath::new(name), DOTENV_LIMIT).ok().flatten();
            state.map(|state| state.content.to_vec())
        });
        Self::with(config, workspace.root(), values, options)
    }

    /// The guard of a folder that is not opened: nothing is written and no receipt is made.
    pub fn of_folder(options: &EngineOptions) -> Result<Self, EngineError> {
        let layout = Layout::locate(&options.root, &options.dirs)?;
        let texts = ConfigTexts {
            workspace: io::read_optional(&layout.workspace_config)?,
            user: io::read_optional(&layout.user_config)?,
        };
        let config = config::resolve(&texts, &layout.root)?;
        Self::with(&config, &layout.root, values_of_folder(&layout.root), options)
    }

    /// The redactor for texts of another folder, whose own secrets it knows as well; for texts of
    /// no folder at all with `None`.
    pub fn redactor_at(&self, root: Option<String>) -> Redactor {
        let mut context = RedactionContext { workspace_root: root, ..self.context.clone() };
        if let Some(root) = &context.workspace_root {
            context.exact_secrets.extend(values_of_folder(Path::new(root)));
        }
        self.redactor.with_context(context)
    }

    fn with(
        config: &Config,
        root: &Path,
        values: Vec<SecretValue>,
        options: &EngineOptions,
    ) -> Result<Self, EngineError> {
        let mut secrets = environment_secrets(&options.environment_secrets);
        secrets.extend(values);
        let context = RedactionContext {
            workspace_root: Some(root.to_string_lossy().into_owned()),
            home_dirs: options
                .home
                .iter()
                .map(|home| home.to_string_lossy().into_owned())
                .collect(),
            user_names: vec![options.user.clone()],
            exact_secrets: secrets,
        };
        let built_in = Catalogue::built_in();
        if config.egress_rules.is_empty() {
            return Ok(Self { redactor: Redactor::new(built_in, context.clone()), context });
        }
        let catalogue = built_in
            .with(extension(&config.egress_rules)?)
            .map_err(|error| bad_rule(&error.to_string()))?;
        Ok(Self { redactor: Redactor::new(&catalogue, context.clone()), context })
    }

    /// The text with everything hidden that must not go out, counted.
    pub fn text(&self, text: &str, tally: &mut Tally) -> String {
        let sealed = self.seal(text);
        tally.0.merge(sealed.counts());
        sealed.into_inner()
    }

    /// The text as something that a transport may send.
    pub fn seal(&self, text: &str) -> Redacted<String> {
        self.redactor.seal(text)
    }

    /// The redactor itself, for streams and findings.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }
}

/// The user's rules in the form of the catalogue's own files.
fn extension(rules: &[EgressRule]) -> Result<Extension, EngineError> {
    let tables: Vec<toml::Table> = rules.iter().map(rule_table).collect();
    let mut file = toml::Table::new();
    file.insert("provider".to_owned(), "user".into());
    file.insert("rule".to_owned(), tables.into());
    let text = toml::to_string(&file).map_err(|error| bad_rule(&error.to_string()))?;
    Extension::parse(&text, "egress.rules").map_err(|error| bad_rule(&error.to_string()))
}

fn rule_table(rule: &EgressRule) -> toml::Table {
    let mut table = toml::Table::new();
    let mut put = |key: &str, value: toml::Value| table.insert(key.to_owned(), value);
    put("name", rule.name.clone().into());
    put("kind", rule.kind.clone().into());
    put("tier", "proof".into());
    put("pattern", rule.regex.clone().into());
    put("boundary", "none".into());
    put("keywords", rule.keywords.clone().into());
    put("examples", rule.examples.clone().into());
    put("counter_examples", rule.counter_examples.clone().into());
    table
}

fn bad_rule(message: &str) -> EngineError {
    EngineError::Config(ConfigError::Value {
        file: format!("{WORKSPACE_FILE} or {}", crate::config::USER_FILE),
        key: "egress.rules".to_owned(),
        message: message.to_owned(),
    })
}

fn environment_secrets(variables: &[(String, String)]) -> Vec<SecretValue> {
    variables
        .iter()
        .filter(|(name, _)| names_a_secret(name))
        .map(|(name, value)| SecretValue {
            value: value.clone(),
            kind: Kind::Password,
            label: format!("environment {name}"),
        })
        .collect()
}

/// Whether the name of a variable of the environment says that its value is secret.
pub fn names_a_secret(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "SECRET",
        "TOKEN",
        "PASSWORD",
        "PASSWD",
        "API_KEY",
        "APIKEY",
        "PRIVATE_KEY",
        "CREDENTIAL",
    ];
    let upper = name.to_ascii_uppercase();
    WORDS.iter().any(|word| upper.contains(word))
}

/// The longest `.env` file that is read.
const DOTENV_LIMIT: u64 = 256 * 1024;

/// The values of the `.env*` files at the top of a folder that is not opened.
fn values_of_folder(root: &Path) -> Vec<SecretValue> {
    let names = io::names_in(root).into_iter();
    dotenv_secrets(names, |name| io::read_bytes(&root.join(name), DOTENV_LIMIT))
}

/// The values of `.env*` files among `names`, the files at the top of the workspace.
fn dotenv_secrets(
    names: impl Iterator<Item = String>,
    read: impl Fn(&str) -> Option<Vec<u8>>,
) -> Vec<SecretValue> {
    let files = names.filter(|name| {
        let is_sample = ["example", "sample", "template", "dist"].iter().any(|w| name.contains(w));
        name.starts_with(".env") && !is_sample
    });
    let mut secrets = Vec::new();
    for name in files {
        let content = read(&name).unwrap_or_default();
        let text = String::from_utf8_lossy(&content);
        secrets.extend(text.lines().filter_map(assignment).map(|(key, value)| SecretValue {
            value,
            kind: Kind::Password,
            label: format!("{name} {key}"),
        }));
    }
    secrets
}

/// `KEY=value`, with `export`, quotes and a comment behind the value taken off.
fn assignment(line: &str) -> Option<(String, String)> {
    let line = line.trim();
    let line = line.strip_prefix("export ").unwrap_or(line);
    let (key, value) = line.split_once('=').filter(|_| !line.starts_with('#'))?;
    let value = value.trim();
    let quoted = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let bare = match quoted.and_then(|quote| value[1..].split_once(quote)) {
        Some((inside, _)) => inside,
        None => value.split_once(" #").map_or(value, |(before, _)| before.trim_end()),
    };
    Some((key.trim().to_owned(), bare.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_a_line_is_what_a_shell_would_take() {
        let value = |line: &str| assignment(line).map(|(_, value)| value);
        for line in ["A=b c", "export A=\"b c\"", "A='b c' # d", "  A = b c  # d"] {
            assert_eq!(value(line).as_deref(), Some("b c"), "{line}");
        }
        assert_eq!(value("A=b#c").as_deref(), Some("b#c"));
        assert_eq!(value("A=\"b#c\" #d").as_deref(), Some("b#c"));
        assert_eq!(value("A=\"b").as_deref(), Some("\"b"));
        assert_eq!(value("# A=b"), None);
    }
}
