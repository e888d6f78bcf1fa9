//! The hand-written detectors: what a pattern alone cannot say.
//!
//! Each starts from a literal that the prefilter found, looks at the bytes
//! around it and adds what it finds. None keeps state, reads a language or
//! looks further than a bounded distance.

mod assignment;
mod cli;
mod common_passwords;
mod connection;
pub mod disguised_key;
mod header;
mod jwt;
pub mod key_lines;
mod key_surroundings;
mod line_marks;
mod literals;
pub mod name_span;
mod names;
mod netrc;
mod path;
mod path_shares;
mod path_starts;
mod path_windows;
mod path_words;
pub mod private_key;
pub mod prose;
mod putty_key;
pub mod snowflake;
pub mod tables;
pub mod text;
pub mod value;
mod value_cuts;
mod value_ends;
mod value_forms;
pub mod value_lists;
mod value_marks;
mod value_places;
mod value_sides;
mod value_span;
mod web_keys;

pub use self::connection::may_have_user;
use self::literals::LITERALS;
pub use self::path::{may_be_escaped, may_be_outside};
pub use self::path_shares::share_before;
pub use self::path_starts::is_in_brackets;
pub use self::value_forms::{
    DEFAULT_REACH, MEMBER, MEMBER_REACH, default_key, ends_with_default, is_variable, member_key,
    parameter_end,
};
pub use self::value_places::is_asked;
use super::engine::Found;
use super::redactor::RedactionContext;

/// A detector, by what it starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detector {
    /// `PRIVATE KEY` in a marker.
    Pem,
    /// A part of a marker whose other letters may be disguised.
    DisguisedPem,
    /// The first words of a PuTTY key.
    Ppk,
    /// The first words of an age identity.
    Age,
    /// A private member of a JSON Web Key.
    JwkMember,
    /// A private member of a JSON Web Key in code, whose name has no quotes.
    JwkField,
    /// The secret of a symmetric JSON Web Key.
    JwkSecret,
    /// A private element of an XML key.
    XmlKey,
    /// Key material without markers.
    BareKey,
    /// A header that only encrypted keys have.
    KeyHeader,
    /// A line that may be key material whose opening marker is missing.
    KeyLines,
    /// A run that decodes to text and may go on in the next line.
    Encoded,
    /// The sign of a service-account file.
    ServiceAccount,
    /// A JSON Web Token.
    Jwt,
    /// `://`.
    Url,
    /// `@tcp(` and its like.
    GoDsn,
    /// `thin:` and its like.
    Oracle,
    /// The long name of a database of Oracle.
    OracleName,
    /// The port in a line of a `.pgpass` file.
    PasswordFile,
    /// A word that secret names contain.
    Name,
    /// The first word of a `.netrc` entry.
    Netrc,
    /// `Basic `.
    Basic,
    /// `Bearer `.
    Bearer,
    /// A cookie header.
    Cookie,
    /// The signature of a signed URL.
    Signature,
    /// A program that takes a password.
    Program,
    /// `IDENTIFIED`.
    Identified,
    /// A call that takes a password.
    Call,
    /// A slash behind something that lets a path begin.
    Slash,
    /// A home directory of any system.
    Home,
    /// A tilde.
    Tilde,
    /// A colon behind a drive letter.
    Drive,
    /// Two backslashes.
    Network,
    /// `file://`.
    FileUrl,
    /// The scheme of a link that opens an editor.
    EditorLink,
    /// A home directory behind two slashes.
    DoubledHome,
    /// The seam of a string concatenation, which may cut a literal in two.
    Seam,
    /// A byte of a token that is written apart from the others.
    Apart,
}

impl Detector {
    /// The literals from which each detector starts, in lower case.
    pub fn literals() -> impl Iterator<Item = (String, Detector)> {
        LITERALS
            .into_iter()
            .chain(cli::programs().map(|program| (program, Detector::Program)))
            .chain(cli::calls().map(|call| (call, Detector::Call)))
            .chain(key_lines::starts().map(|start| (start, Detector::BareKey)))
            .chain(super::shadow::signs().map(|sign| (sign, Detector::Apart)))
            .map(|(literal, detector)| (literal.to_ascii_lowercase(), detector))
    }

    /// The literals that must be searched for everywhere.
    ///
    /// The others begin with a byte that is looked at anyway, or need a value
    /// that a run of letters and digits shows.
    pub fn sparks() -> impl Iterator<Item = String> {
        const PASSWORDS: [&str; 8] =
            ["pass", "pwd", "_pw", "psk", "senha", "kennwort", "contrase", "masterauth"];
        Detector::literals()
            .filter(|(literal, detector)| match detector {
                Detector::JwkMember
                | Detector::JwkField
                | Detector::JwkSecret
                | Detector::XmlKey
                | Detector::BareKey
                | Detector::Jwt
                | Detector::Url
                | Detector::Slash
                | Detector::Home
                | Detector::Tilde
                | Detector::Drive
                | Detector::Network
                | Detector::FileUrl => false,
                // Without the blank before it the same words are one of their own.
                Detector::DisguisedPem => literal.starts_with('-'),
                Detector::Name => PASSWORDS.contains(&literal.as_str()),
                _ => true,
            })
            .map(|(literal, _)| literal)
    }

    /// False when the bytes around the literal rule a finding out, which is cheap to see.
    pub fn is_promising(
        self,
        text: &[u8],
        start: usize,
        end: usize,
        context: &RedactionContext,
    ) -> bool {
        match self {
            Detector::Slash => {
                path::may_be_outside(text, end - 1, context)
                    || text[start] == b':' && context.workspace_root.is_some()
            }
            Detector::Home => {
                path::may_be_outside(text, start, context)
                    || path_shares::share_before(text, start).is_some()
            }
            Detector::Name => assignment::may_bind(text, start, end),
            Detector::Url => connection::may_have_user(text, end),
            Detector::Apart => super::shadow::is_apart(text, start),
            Detector::Tilde
            | Detector::Drive
            | Detector::Network
            | Detector::FileUrl
            | Detector::JwkMember
            | Detector::JwkField
            | Detector::JwkSecret
            | Detector::XmlKey => {
                let mut found = Vec::new();
                self.look(text, start, end, context, &mut found);
                !found.is_empty()
                    || memchr::memchr(b'\\', &text[end..(end + 4).min(text.len())]).is_some()
            }
            _ => true,
        }
    }

    /// True when a finding needs no trust in the text around it.
    pub fn is_proof(self) -> bool {
        self.is_token() || matches!(self, Detector::Pem | Detector::BareKey)
    }

    /// True when a finding is a block of lines that holds every other start of one.
    pub fn is_block(self) -> bool {
        matches!(
            self,
            Detector::Pem
                | Detector::DisguisedPem
                | Detector::Ppk
                | Detector::BareKey
                | Detector::KeyHeader
        )
    }

    /// True when a finding is one unbroken token.
    pub fn is_token(self) -> bool {
        matches!(self, Detector::Age | Detector::Jwt)
    }

    /// Looks around the literal at `start..end` of `text`.
    pub fn look(
        self,
        text: &[u8],
        start: usize,
        end: usize,
        context: &RedactionContext,
        found: &mut Vec<Found>,
    ) {
        match self {
            Detector::Pem => private_key::look_at_pem(text, start, end, found),
            Detector::DisguisedPem => disguised_key::look_at_disguised(text, start, found),
            Detector::Ppk => private_key::look_at_ppk(text, start, found),
            Detector::Age => web_keys::look_at_age(text, start, end, found),
            Detector::JwkMember => web_keys::look_at_jwk_member(text, end, found),
            Detector::JwkField => web_keys::look_at_jwk_field(text, end, found),
            Detector::JwkSecret => web_keys::look_at_jwk_secret(text, end, found),
            Detector::XmlKey => web_keys::look_at_xml_element(text, end, found),
            Detector::BareKey => key_lines::look_at_bare(text, start, end, found),
            Detector::KeyHeader => key_lines::look_at_header(text, start, found),
            Detector::ServiceAccount
            | Detector::Netrc
            | Detector::Seam
            | Detector::Apart
            | Detector::KeyLines
            | Detector::Encoded => {}
            Detector::Jwt => jwt::look(text, start, found),
            Detector::Url => connection::look_at_url(text, start, end, found),
            Detector::GoDsn => connection::look_at_go_dsn(text, start, found),
            Detector::Oracle if text[start..].starts_with(b":1521") => {
                connection::look_at_listener(text, start, found);
            }
            Detector::Oracle => connection::look_at_oracle(text, end, found),
            Detector::OracleName => connection::look_at_login(text, start, found),
            Detector::PasswordFile => connection::look_at_password_file(text, start, found),
            Detector::Name => assignment::look(text, start, end, found),
            Detector::Basic => header::look_at_basic(text, start, end, found),
            Detector::Bearer => header::look_at_bearer(text, start, end, found),
            Detector::Cookie => header::look_at_cookies(text, end, found),
            Detector::Signature => header::look_at_signature(text, start, end, found),
            Detector::Program => cli::look_at_program(text, start, end, found),
            Detector::Identified => cli::look_at_identified(text, end, found),
            Detector::Call => cli::look_at_call(text, start, end, found),
            Detector::Slash => {
                path::look_at_unix(text, end - 1, context, found);
                if text[start] == b':' {
                    path_windows::look_at_drive(text, start, context, found);
                }
            }
            Detector::Home => path::look_at_home(text, start, context, found),
            Detector::Tilde => path::look_at_tilde(text, tilde_of(text, start, end), found),
            Detector::Drive => path_windows::look_at_drive(text, start, context, found),
            Detector::Network => path_windows::look_at_network(text, start, found),
            Detector::FileUrl => path::look_at_file_url(text, start, end, context, found),
            Detector::EditorLink => path::look_at_editor_link(text, end, context, found),
            Detector::DoubledHome => path::look_at_unix(text, start + 1, context, found),
        }
    }
}

fn tilde_of(text: &[u8], start: usize, end: usize) -> usize {
    if text[start] == b'~' { start } else { end - 1 }
}
