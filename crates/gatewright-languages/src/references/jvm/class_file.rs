//! Compiled classes: what they build on and which members they have.
//!
//! Of the format only the constants, the heads of fields and methods and their
//! generic signatures are read. Bytes that end too early give nothing.

use super::facts::{Class, Name};

/// Members that the compiler made for itself.
const SYNTHETIC: u16 = 0x1000;

/// One constant, as far as it is asked for.
#[derive(Debug, Clone, Copy)]
enum Constant<'a> {
    Text(&'a str),
    /// A class, by the number of its name.
    Class(u16),
    Other,
}

/// The class that bytes hold, under `name`.
pub(super) fn read(bytes: &[u8], name: &str) -> Option<Class> {
    let mut from = Bytes(bytes);
    if from.take(4)? != [0xca, 0xfe, 0xba, 0xbe] {
        return None;
    }
    from.take(4)?;
    let constants = constants(&mut from)?;
    from.take(4)?;
    let mut class = Class { name: name.into(), ..Class::default() };
    let above = from.short()?;
    let count = from.short()?;
    let bases = std::iter::once(Some(above)).chain((0..count).map(|_| from.short()));
    for base in bases.collect::<Option<Vec<u16>>>()? {
        if let Some(base) =
            class_name(&constants, base).filter(|base| &**base != "java.lang.Object")
        {
            class.bases.push(base);
        }
    }
    // Fields, then methods.
    for _ in 0..2 {
        for _ in 0..from.short()? {
            member(&mut from, &constants, &mut class)?;
        }
    }
    if is_of_kotlin(&constants) {
        for word in identifiers(&constants) {
            class.members.entry(word.into()).or_default();
        }
    }
    Some(class)
}

/// Whether the compiler of Kotlin made a class: its own names stand only in a note of it, as
/// constants among others.
fn is_of_kotlin(constants: &[Constant<'_>]) -> bool {
    constants.iter().any(|it| matches!(it, Constant::Text("Lkotlin/Metadata;")))
}

/// The names that a class spells in any way.
pub(super) fn words(bytes: &[u8]) -> Option<Vec<Name>> {
    let mut from = Bytes(bytes);
    from.take(8)?;
    let constants = constants(&mut from)?;
    Some(identifiers(&constants).map(Name::from).collect())
}

fn identifiers<'a>(constants: &[Constant<'a>]) -> impl Iterator<Item = &'a str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    constants.iter().filter_map(move |constant| match constant {
        Constant::Text(text) => Some(*text).filter(|it| !it.is_empty() && it.chars().all(is_part)),
        _ => None,
    })
}

fn member(from: &mut Bytes<'_>, constants: &[Constant<'_>], class: &mut Class) -> Option<()> {
    let flags = from.short()?;
    let name = text(constants, from.short()?)?;
    let mut spelling = text(constants, from.short()?)?;
    for _ in 0..from.short()? {
        let kind = text(constants, from.short()?)?;
        let length = usize::try_from(from.long()?).ok()?;
        let value = from.take(length)?;
        if kind == "Signature" && value.len() == 2 {
            spelling = text(constants, u16::from_be_bytes([value[0], value[1]]))?;
        }
    }
    if flags & SYNTHETIC == 0 && !name.starts_with('<') {
        let ty = given(spelling);
        let known = class.members.entry(name.into()).or_insert_with(|| ty.clone());
        // Of several methods nobody knows which one is meant.
        if *known != ty {
            *known = Name::default();
        }
    }
    Some(())
}

/// The type that a member gives: empty where it is not plain, `-` for a number.
fn given(spelling: &str) -> Name {
    let ty = spelling.rsplit_once(')').map_or(spelling, |(_, ty)| ty);
    match ty.as_bytes().first() {
        Some(b'L') => dotted(ty[1..].split([';', '<']).next().unwrap_or_default()),
        Some(b'T' | b'[' | b'V') | None => Name::default(),
        Some(_) => "-".into(),
    }
}

fn dotted(path: &str) -> Name {
    path.replace(['/', '$'], ".").into()
}

fn text<'a>(constants: &[Constant<'a>], number: u16) -> Option<&'a str> {
    match constants.get(usize::from(number))? {
        Constant::Text(text) => Some(text),
        _ => None,
    }
}

fn class_name(constants: &[Constant<'_>], number: u16) -> Option<Name> {
    match constants.get(usize::from(number))? {
        Constant::Class(name) => text(constants, *name).map(dotted),
        _ => None,
    }
}

/// The constants by their numbers; the first number is one.
fn constants<'a>(from: &mut Bytes<'a>) -> Option<Vec<Constant<'a>>> {
    let count = usize::from(from.short()?);
    let mut found = vec![Constant::Other];
    while found.len() < count {
        let tag = from.take(1)?[0];
        let constant = match tag {
            1 => {
                let length = usize::from(from.short()?);
                Constant::Text(std::str::from_utf8(from.take(length)?).unwrap_or(""))
            }
            7 => Constant::Class(from.short()?),
            _ => {
                let width = match tag {
                    8 | 16 | 19 | 20 => 2,
                    15 => 3,
                    3 | 4 | 9..=12 | 17 | 18 => 4,
                    5 | 6 => 8,
                    _ => return None,
                };
                from.take(width)?;
                Constant::Other
            }
        };
        found.push(constant);
        if matches!(tag, 5 | 6) {
            found.push(Constant::Other);
        }
    }
    Some(found)
}

/// Bytes that are read from their start, numbers with the highest byte first.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn short(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.take(2)?.try_into().ok()?))
    }

    fn long(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_gives_what_its_signature_says() {
        assert_eq!(&*given("(ILjava/lang/String;)Lshop/Desk$Leg;"), "shop.Desk.Leg");
        assert_eq!(&*given("()Ljava/util/List<Lshop/Desk;>;"), "java.util.List");
        assert_eq!(&*given("()J"), "-");
        for open in ["()TT;", "()[I", "()V", "TT;", ""] {
            assert_eq!(&*given(open), "", "{open}");
        }
    }

    #[test]
    fn bytes_of_no_class_give_nothing() {
        assert!(read(b"", "A").is_none());
        assert!(read(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0xff, 0xff, 1], "A").is_none());
    }
}
