//! File states as the stage stores them: base64 and octal bits.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gatewright_model::{FileMode, FileState};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A file state in its stored form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredState {
    #[serde(serialize_with = "to_base64", deserialize_with = "from_base64")]
    content: Vec<u8>,
    mode: u32,
}

fn to_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

fn from_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    STANDARD.decode(text).map_err(serde::de::Error::custom)
}

impl From<&FileState> for StoredState {
    fn from(state: &FileState) -> Self {
        Self { content: state.content.to_vec(), mode: state.mode.bits() }
    }
}

impl From<&StoredState> for FileState {
    fn from(stored: &StoredState) -> Self {
        FileState::new(stored.content.clone(), FileMode::from_bits(stored.mode))
    }
}
