//! Messages on the control socket: a length, then JSON, with a bound on both sides.

use std::io::{Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

/// Takes one message in, if it is not longer than that.
pub async fn receive<T: DeserializeOwned>(
    stream: &mut UnixStream,
    most: usize,
) -> std::io::Result<T> {
    let length = stream.read_u32().await? as usize;
    if length > most {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).await?;
    Ok(serde_json::from_slice(&bytes)?)
}

/// Sends one message.
pub async fn send<T: Serialize>(stream: &mut UnixStream, message: &T) -> std::io::Result<()> {
    send_behind(stream, &[], message).await
}

/// Sends one message behind a mark, in one piece.
pub async fn send_behind<T: Serialize>(
    stream: &mut UnixStream,
    mark: &[u8],
    message: &T,
) -> std::io::Result<()> {
    let bytes = [mark, &framed(message, u32::MAX as usize)?].concat();
    stream.write_all(&bytes).await
}

/// Takes one message in, on a thread that may wait.
pub fn receive_now<T: DeserializeOwned>(stream: &mut impl Read, most: usize) -> std::io::Result<T> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_be_bytes(length) as usize;
    if length > most {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}

/// Sends one message, on a thread that may wait, if it is not longer than that.
pub fn send_now<T: Serialize>(
    stream: &mut impl Write,
    message: &T,
    most: usize,
) -> std::io::Result<()> {
    stream.write_all(&framed(message, most)?)
}

/// A message as it goes over the socket.
pub fn framed<T: Serialize>(message: &T, most: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; 4];
    serde_json::to_writer(&mut bytes, message)?;
    let length = bytes.len() - 4;
    let prefix = u32::try_from(length).ok().filter(|_| length <= most);
    let prefix = prefix.ok_or(std::io::ErrorKind::InvalidData)?;
    bytes[..4].copy_from_slice(&prefix.to_be_bytes());
    Ok(bytes)
}
