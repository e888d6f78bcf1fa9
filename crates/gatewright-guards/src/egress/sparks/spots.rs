//! Spots: the places at which a view of a text may differ from it.
//!
//! Most quotes join nothing and most ampersands are no entity, which the next byte shows;
//! so many bytes are asked together, and few places are looked at.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use fearless_simd::prelude::*;
use fearless_simd::{Level, mask8x64, u8x64};

use super::masks::{BEHIND, Pass, STEP, steps_of, within};
use super::places::bits_of;

/// Calls `look` with each place of `text` at which two strings may be joined: a quote before
/// what neither begins a word nor ends a statement, or a backslash that ends a line.
pub fn joints(text: &[u8], look: impl FnMut(usize)) {
    spots_of::<Joints>(text, look);
}

/// Calls `look` with each place of `text` that may not stand for itself: an escape, an entity,
/// a terminal sequence, a character beyond ASCII.
pub fn disguises(text: &[u8], look: impl FnMut(usize)) {
    spots_of::<Disguises>(text, look);
}

/// Calls `look` with each quote of `text` that follows what a token may end with, or a brace.
pub fn closings(text: &[u8], mut look: impl FnMut(usize)) {
    spots_of::<Closings>(text, |at| look(at + 1));
}

/// True when `wanted` holds for one of the places that [`closings`] tells of.
pub fn any_closing(text: &[u8], mut wanted: impl FnMut(usize) -> bool) -> bool {
    let look = |at| match wanted(at + 1) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    look_at_spots::<Closings>(text, look).is_break()
}

/// Calls `look` with each byte of `text` that a string of JSON does not hold as it is: a quote, a
/// backslash, a control character.
pub fn string_signs(text: &[u8], look: impl FnMut(usize)) {
    spots_of::<StringSigns>(text, look);
}

fn spots_of<K: Kind>(text: &[u8], mut look: impl FnMut(usize)) {
    let _ = look_at_spots::<K>(text, |at| {
        look(at);
        ControlFlow::Continue(())
    });
}

fn look_at_spots<K: Kind>(
    text: &[u8],
    mut look: impl FnMut(usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    steps_of(Level::new(), text, &mut Spots::<K>(PhantomData), |_, steps, at| {
        for (spots, at) in steps.iter().zip((at..).step_by(STEP)) {
            // Behind the end of the text stand zeros.
            bits_of(*spots, at).take_while(|place| *place < text.len()).try_for_each(&mut look)?;
        }
        ControlFlow::Continue(())
    })
}

/// A kind of spots.
trait Kind {
    /// Which of `bytes` are spots, given the byte behind each.
    fn of<S: Simd>(simd: S, bytes: u8x64<S>, next: u8x64<S>) -> mask8x64<S>;
}

struct Joints;

impl Kind for Joints {
    #[inline(always)]
    fn of<S: Simd>(simd: S, bytes: u8x64<S>, next: u8x64<S>) -> mask8x64<S> {
        let folded = next | u8x64::splat(simd, 0x20);
        let even = next & u8x64::splat(simd, 0xfe);
        let is_word = within(simd, folded, b'a', b'z') | within(simd, next, b'0', b'9');
        // Both parentheses, colon and semicolon differ in the last bit, brackets in another.
        let is_pair = any_of(simd, even, [b'(', b':']) | any_of(simd, folded, [b'{', b'}']);
        let is_ended = is_word | is_pair | any_of(simd, next, [b'/']);
        let quote = any_of(simd, bytes, [b'"', b'\'', b'`']);
        let is_last = any_of(simd, bytes, [b'\\']) & any_of(simd, next, [b'\n', b'\r']);
        (quote & !is_ended) | is_last
    }
}

struct Disguises;

impl Kind for Disguises {
    #[inline(always)]
    fn of<S: Simd>(simd: S, bytes: u8x64<S>, next: u8x64<S>) -> mask8x64<S> {
        let is_named = within(simd, next, b'a', b'z') | any_of(simd, next, [b'#']);
        let is_digit = next.simd_ge(u8x64::splat(simd, b'0'));
        let beyond = bytes.simd_ge(u8x64::splat(simd, 0x80));
        let entity = any_of(simd, bytes, [b'&']) & is_named;
        let encoded = any_of(simd, bytes, [b'%']) & is_digit;
        any_of(simd, bytes, [b'\\', 0x1b]) | beyond | entity | encoded
    }
}

struct Closings;

impl Kind for Closings {
    #[inline(always)]
    fn of<S: Simd>(simd: S, bytes: u8x64<S>, next: u8x64<S>) -> mask8x64<S> {
        let folded = bytes | u8x64::splat(simd, 0x20);
        let is_letter = within(simd, folded, b'a', b'z');
        // The dot, the slash and the digits follow each other.
        let is_digit = within(simd, bytes, b'.', b'9');
        let is_inner = is_letter | is_digit | any_of(simd, bytes, [b'_', b'-', b'+', b'{']);
        is_inner & any_of(simd, next, [b'"', b'\'', b'`'])
    }
}

struct StringSigns;

impl Kind for StringSigns {
    #[inline(always)]
    fn of<S: Simd>(simd: S, bytes: u8x64<S>, _: u8x64<S>) -> mask8x64<S> {
        bytes.simd_lt(u8x64::splat(simd, 0x20)) | any_of(simd, bytes, [b'"', b'\\'])
    }
}

#[inline(always)]
fn any_of<S: Simd, const N: usize>(simd: S, bytes: u8x64<S>, wanted: [u8; N]) -> mask8x64<S> {
    let mut any = bytes.simd_eq(u8x64::splat(simd, wanted[0]));
    for byte in &wanted[1..] {
        any |= bytes.simd_eq(u8x64::splat(simd, *byte));
    }
    any
}

/// The pass for spots of one kind.
struct Spots<K>(PhantomData<K>);

impl<K: Kind> Pass for Spots<K> {
    type Step = u64;

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, text: &[u8], steps: &mut [u64]) {
        for (spots, step) in steps.iter_mut().zip(text.windows(STEP + BEHIND).step_by(STEP)) {
            let bytes = u8x64::from_slice(simd, &step[..STEP]);
            let next = u8x64::from_slice(simd, &step[1..=STEP]);
            *spots = K::of(simd, bytes, next).to_bitmask();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egress::detect::text::is_base64_byte;

    #[test]
    fn a_spot_is_a_byte_before_another_that_lets_it_count() {
        for first in 0..=255u8 {
            for next in 0..=255u8 {
                let text = [b'x', first, next, b'x'];
                let is_closed = next.is_ascii_alphanumeric() || b";:)]}({[/".contains(&next);
                let is_joint = matches!(first, b'"' | b'\'' | b'`') && !is_closed
                    || first == b'\\' && matches!(next, b'\n' | b'\r');
                let mut places = Vec::new();
                joints(&text, |at| places.push(at));
                assert_eq!(places.contains(&1), is_joint, "{text:?}");
                let is_disguise = matches!(first, b'\\' | 0x1b | 0x80..)
                    || first == b'&' && (next.is_ascii_lowercase() || next == b'#')
                    || first == b'%' && next >= b'0';
                let mut places = Vec::new();
                disguises(&text, |at| places.push(at));
                assert_eq!(places.contains(&1), is_disguise, "{text:?}");
                let is_inner = is_base64_byte(first) || first == b'.' || first == b'{';
                let is_closing = is_inner && matches!(next, b'"' | b'\'' | b'`');
                let mut places = Vec::new();
                closings(&text, |at| places.push(at));
                assert_eq!(places.contains(&2), is_closing, "{text:?}");
                assert_eq!(any_closing(&text, |at| at == 2), is_closing, "{text:?}");
                let mut places = Vec::new();
                string_signs(&text, |at| places.push(at));
                let is_sign = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
                let expected = (1..3).filter(|at| is_sign(text[*at])).collect::<Vec<_>>();
                assert_eq!(places, expected, "{text:?}");
            }
        }
    }
}
