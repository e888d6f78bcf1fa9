//! Lines that define a name, and lines that only use it, for every language.

use super::first;
use crate::syntax::LanguageId;

fn line_of(language: LanguageId, text: &str) -> Option<usize> {
    let offset = first(language, text.as_bytes(), "Name")?;
    Some(text[..offset].matches('\n').count() + 1)
}

#[test]
fn lines_that_define_a_name_are_known() {
    let cases = [
        (LanguageId::Python, "class Name(Base):\n"),
        (LanguageId::Python, "    async def Name(self):\n"),
        (LanguageId::Python, "Name = 3\n"),
        (LanguageId::Python, "Name: int = 3\n"),
        (LanguageId::Rust, "pub(crate) const fn Name<T>(x: T) {}\n"),
        (LanguageId::Rust, "macro_rules! Name {\n"),
        (LanguageId::Go, "func (s *Server) Name(x int) error {\n"),
        (LanguageId::Go, "type Name struct {\n"),
        (LanguageId::TypeScript, "export default async function Name() {\n"),
        (LanguageId::TypeScript, "  private async Name(x: number): Promise<void> {\n"),
        (LanguageId::JavaScript, "export const Name = () => 3;\n"),
        (LanguageId::Java, "    public static <T> List<T> Name(int x) {\n"),
        (LanguageId::Java, "public final class Name {\n"),
        (LanguageId::Kotlin, "fun String.Name(): Int = 3\n"),
        (LanguageId::Kotlin, "data class Name(val x: Int)\n"),
        (LanguageId::C, "static inline char *Name(int x)\n"),
        (LanguageId::C, "struct Name {\n"),
        (LanguageId::C, "#define Name 3\n"),
        (LanguageId::Cpp, "std::vector<int> Name(int x) {\n"),
        (LanguageId::CSharp, "    public async Task<int> Name(int x)\n"),
        (LanguageId::Ruby, "  def self.Name(x)\n"),
        (LanguageId::Ruby, "module Name\n"),
    ];
    for (language, text) in cases {
        assert_eq!(line_of(language, text), Some(1), "{language:?}: {text}");
    }
}

#[test]
fn lines_that_use_or_mention_a_name_define_nothing() {
    let cases = [
        (LanguageId::Python, "# class Name\n"),
        (LanguageId::Python, "    Name = 3\n"),
        (LanguageId::Python, "x = Name(3)\n"),
        (LanguageId::Python, "from a import Name\n"),
        (LanguageId::Rust, "/// fn Name\nlet x = Name::new();\n"),
        (LanguageId::Go, "\treturn Name(3)\n"),
        (LanguageId::TypeScript, "  Name(3);\n"),
        (LanguageId::TypeScript, "  Name(function () {\n"),
        (LanguageId::TypeScript, "  Name(x => {\n"),
        (LanguageId::Java, "        return Name(3);\n"),
        (LanguageId::Java, "        Thing x = new Name(3);\n"),
        (LanguageId::Java, "     * the class Name\n"),
        (LanguageId::Kotlin, "    val x = Name(3)\n"),
        (LanguageId::C, "    struct Name x;\n"),
        (LanguageId::C, "    x = Name(3);\n"),
        (LanguageId::CSharp, "        await Name(3);\n"),
        (LanguageId::Ruby, "  x = Name.new\n"),
        (LanguageId::JavaScript, "const x = \"class Name\";\n"),
        (LanguageId::JavaScript, "class OtherName {}\nclass Name2 {}\n"),
    ];
    for (language, text) in cases {
        assert_eq!(line_of(language, text), None, "{language:?}: {text}");
    }
}

#[test]
fn the_first_definition_counts_wherever_the_uses_are() {
    assert_eq!(line_of(LanguageId::Python, "Name()\n\n\ndef Name():\n    pass\n"), Some(4));
    assert_eq!(line_of(LanguageId::Python, "def \u{e4}Name():\n"), None);
    assert_eq!(line_of(LanguageId::Go, ""), None);
}
