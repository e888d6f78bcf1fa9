//! Classes of Java as Kotlin sees them, by their package.

use super::super::jdk;
use super::super::resolve as java;
use super::library;
use super::resolve::{Class, DEEPEST, Lookup, PACKAGED, Resolver};

impl Resolver<'_> {
    /// A class of Java by its package.
    pub(super) fn java_class(&self, package: &str, name: &str) -> Lookup {
        if let Some(class) = jdk::class(package, name) {
            return Lookup::Found(Class::Java(java::ClassRef::Jdk(class)));
        }
        let has_java = self.has_java(package);
        if has_java {
            match self.java.qualified(&format!("{package}.{name}"), DEEPEST) {
                java::Lookup::Found(class) => return Lookup::Found(Class::Java(class)),
                java::Lookup::Unknown(reason) if reason != "class of another language" => {
                    return Lookup::Unknown(reason);
                }
                _ => {}
            }
        }
        if let Some(class) = jdk::test_class(package, name) {
            return Lookup::Found(Class::Java(java::ClassRef::Jdk(class)));
        }
        if let Some(packaged) = self.java.project.packaged(package, name) {
            return Lookup::Found(Class::Java(java::ClassRef::Source(packaged, 0)));
        }
        if self.is_packaged_value(package, name) {
            return Lookup::Unknown(PACKAGED);
        }
        let is_known = has_java
            || self.java.project.is_packaged_whole(package)
            || jdk::is_test_package(package)
            || self.packages.has_package(package)
            || library::has_package(package)
            || jdk::has_package(package);
        if is_known { Lookup::Missing } else { Lookup::Elsewhere }
    }

    /// Whether a package has a file of Java.
    fn has_java(&self, package: &str) -> bool {
        if let Some(known) = self.of_java.borrow().get(package) {
            return *known;
        }
        let has_java = self.java.has_java(package);
        self.of_java.borrow_mut().insert(package.into(), has_java);
        has_java
    }

    /// Whether what a package holds is known.
    pub(super) fn has_package(&self, package: &str) -> bool {
        !matches!(self.java_class(package, "*"), Lookup::Elsewhere)
    }
}
