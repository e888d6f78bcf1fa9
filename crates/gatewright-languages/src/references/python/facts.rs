//! What one Python file says: scopes with their bindings, classes, and references.

use std::collections::{HashMap, HashSet};

/// A name, kept as small as it is.
pub(crate) type Name = Box<str>;
/// A dotted path of names (`a.b.c`).
pub(crate) type Path = Vec<Name>;

/// The number of the module's own scope.
pub(crate) const MODULE: usize = 0;

/// A module as an import names it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ModulePath {
    /// The number of leading dots.
    pub(crate) level: usize,
    /// What follows them.
    pub(crate) dotted: Name,
}

/// What a name is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Binding {
    /// An imported module.
    Module(Name),
    /// A name out of a module.
    From(ModulePath, Name),
    /// A class of this file.
    Class(usize),
    /// A function of this file.
    Function(usize),
    /// What calling a class gives.
    Instance(Path),
    /// What `with` gives of what calling a class gives.
    Entered(Path),
    /// A parameter or variable with a plain annotation.
    Annotated(Path),
    /// A parameter or variable that is annotated as many objects of a class.
    Many(Path),
    /// Another name for something.
    Alias(Path),
    /// `self` or `cls` of a method.
    Receiver(usize),
    /// Something that is there, and no more is known.
    Other,
}

/// What kind of scope it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Module,
    Class(usize),
    Function,
    Comprehension,
}

/// A lexical scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) parent: Option<usize>,
    pub(crate) kind: ScopeKind,
    pub(crate) bindings: HashMap<Name, Binding>,
}

/// A base class as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Base {
    /// A dotted name.
    Path(Path),
    /// A named tuple with these fields.
    Fields(Vec<Name>),
    /// Anything else.
    Unknown,
}

/// A class of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) name: Name,
    /// The scope of its body.
    pub(crate) scope: usize,
    /// The scope in which its bases are looked up.
    pub(crate) outer: usize,
    pub(crate) bases: Vec<Base>,
    pub(crate) metaclass: Option<Path>,
    pub(crate) decorators: Vec<Option<Path>>,
    /// Attributes that methods set on their receiver, and slots.
    pub(crate) attributes: HashSet<Name>,
    /// Those that are always set to objects of one class, with what says so.
    pub(crate) held: HashMap<Name, Binding>,
    /// Why more members may exist than are written.
    pub(crate) open: Option<&'static str>,
}

/// A function of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Function {
    /// The names that can be passed by keyword, with spaces between them.
    pub(crate) keywords: String,
    /// Whether any keyword is taken, or a decorator may change what is taken.
    pub(crate) takes_any: bool,
    /// The class that it says or shows to give, where nothing is done to it.
    pub(crate) gives: Option<Path>,
    /// Whether it is an `__enter__` that gives the object itself.
    pub(crate) enters_itself: bool,
    /// Whether it is read like an attribute.
    pub(crate) is_property: bool,
}

/// What a reference is used as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Plain,
    Call,
    Class,
    /// The last attribute is assigned or deleted, not read.
    Store,
}

/// A name with its byte offset.
pub(crate) type Placed = (Name, usize);

/// What is referred to.
#[derive(Debug)]
pub(crate) enum Target {
    /// A module in an import.
    Module(ModulePath),
    /// A name in an import from a module.
    Import(ModulePath, Name),
    /// A name and attributes of it.
    Chain { path: Vec<Placed>, role: Role, keywords: Vec<Placed> },
    /// Attributes of what a call gives.
    Made { of: Made, path: Vec<Placed>, role: Role, keywords: Vec<Placed> },
}

impl Target {
    /// Every name that it says: one that is missing is among them, or a part of one.
    pub(crate) fn spelt(&self) -> impl Iterator<Item = &str> {
        let (module, name, path, keywords) = match self {
            Target::Module(module) => (Some(module), None, &[][..], &[][..]),
            Target::Import(module, name) => (Some(module), Some(name), &[][..], &[][..]),
            Target::Chain { path, keywords, .. } | Target::Made { path, keywords, .. } => {
                (None, None, path.as_slice(), keywords.as_slice())
            }
        };
        let placed = path.iter().chain(keywords).map(|(name, _)| name);
        module
            .map(|module| &module.dotted)
            .into_iter()
            .chain(name)
            .chain(placed)
            .map(|name| &**name)
    }
}

/// A call of which attributes are asked.
#[derive(Debug)]
pub(crate) enum Made {
    /// A class, or a function.
    Object(Path),
    /// `super()`, in a method of a class of the file.
    Super(usize),
    /// Another object of the class whose method it is: `cls()`.
    Own(usize),
}

/// A reference.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) target: Target,
    pub(crate) scope: usize,
    pub(crate) offset: usize,
    /// Whether the code around it expects that it may be missing.
    pub(crate) guarded: bool,
}

/// What one Python file says.
#[derive(Debug, Default)]
pub(crate) struct PyFile {
    pub(crate) scopes: Vec<Scope>,
    pub(crate) classes: Vec<Class>,
    pub(crate) functions: Vec<Function>,
    pub(crate) references: Vec<Reference>,
    /// Modules of which every public name is taken.
    pub(crate) stars: Vec<ModulePath>,
    /// The literal `__all__`.
    pub(crate) all: Option<Vec<Name>>,
    /// Why more names may exist than are written.
    pub(crate) open: Option<&'static str>,
    /// Why attributes of the module may exist that are written nowhere.
    pub(crate) hook: Option<&'static str>,
    /// Whether a `__getattr__` answers for names that are spelt in the file.
    pub(crate) hooked: bool,
    /// Names that are written in strings of a file with such a hook.
    pub(crate) spelled: HashSet<Name>,
    /// Whether the file puts modules into `sys.modules` or changes its `__path__`.
    pub(crate) makes_modules: bool,
    /// Attributes that are set on anything but a receiver.
    pub(crate) stored: HashSet<Name>,
    /// Names inside text that does not parse.
    pub(crate) loose: HashSet<Name>,
    /// Whether nesting was too deep to follow.
    pub(crate) incomplete: bool,
    /// How much of it is not of the one function whose references are here; `None` where all are.
    pub(crate) outer: Option<Counts>,
}

/// How many scopes, classes and functions there are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) scopes: usize,
    pub(crate) classes: usize,
    pub(crate) functions: usize,
    /// How often a name was bound in one of those scopes since they were counted.
    pub(crate) bound: usize,
}

impl PyFile {
    /// A file with nothing in it but its scope.
    pub(crate) fn new() -> Self {
        let mut file = Self::default();
        file.add_scope(None, ScopeKind::Module);
        file
    }

    /// What other files ask of it: neither its references nor the locals of its functions.
    pub(crate) fn for_others(mut self) -> Self {
        self.references = Vec::new();
        self.leave_scopes_of_classes();
        for scope in &mut self.scopes {
            if matches!(scope.kind, ScopeKind::Function | ScopeKind::Comprehension) {
                scope.bindings = HashMap::new();
            }
            scope.bindings.shrink_to_fit();
        }
        for function in &mut self.functions {
            if function.takes_any {
                function.keywords = String::new();
            }
            function.keywords.shrink_to_fit();
        }
        for class in &mut self.classes {
            class.attributes.shrink_to_fit();
            class.held.shrink_to_fit();
            class.bases.shrink_to_fit();
        }
        self.scopes.shrink_to_fit();
        self.functions.shrink_to_fit();
        self.classes.shrink_to_fit();
        self.stored.shrink_to_fit();
        self
    }

    /// Takes away the scopes that no class is or stands in: nobody else asks for them.
    fn leave_scopes_of_classes(&mut self) {
        let mut is_kept = vec![false; self.scopes.len()];
        let ends = self.classes.iter().flat_map(|class| [class.scope, class.outer]);
        for end in ends.chain([MODULE]) {
            let mut current = Some(end);
            while let Some(number) = current.filter(|number| !is_kept[*number]) {
                is_kept[number] = true;
                current = self.scopes[number].parent;
            }
        }
        let mut count = 0;
        let number = |is_kept: &bool| {
            count += usize::from(*is_kept);
            count.saturating_sub(1)
        };
        let numbers: Vec<usize> = is_kept.iter().map(number).collect();
        let mut kept = is_kept.iter();
        self.scopes.retain(|_| kept.next().is_some_and(|is_kept| *is_kept));
        for scope in &mut self.scopes {
            scope.parent = scope.parent.map(|parent| numbers[parent]);
        }
        for class in &mut self.classes {
            (class.scope, class.outer) = (numbers[class.scope], numbers[class.outer]);
        }
    }

    pub(crate) fn add_scope(&mut self, parent: Option<usize>, kind: ScopeKind) -> usize {
        self.scopes.push(Scope { parent, kind, bindings: HashMap::new() });
        self.scopes.len() - 1
    }

    /// Binds a name; bound to two different things, no more is known than that it is there.
    pub(crate) fn bind(&mut self, scope: usize, name: &str, binding: Binding) {
        if let Some(outer) = self.outer.as_mut().filter(|outer| scope < outer.scopes) {
            outer.bound += 1;
        }
        let bindings = &mut self.scopes[scope].bindings;
        match bindings.get_mut(name) {
            Some(known) if *known == binding => {}
            Some(known) => *known = Binding::Other,
            None => {
                bindings.insert(name.into(), binding);
            }
        }
    }

    /// The binding of a name as code in `scope` sees it, and the scope that holds it.
    pub(crate) fn lookup(&self, scope: usize, name: &str) -> Option<(usize, &Binding)> {
        let mut current = Some(scope);
        let mut left_function = false;
        while let Some(number) = current {
            let scope = &self.scopes[number];
            // The names of a class body are not seen inside its methods.
            let is_hidden = left_function && matches!(scope.kind, ScopeKind::Class(_));
            if !is_hidden && let Some(binding) = scope.bindings.get(name) {
                return Some((number, binding));
            }
            left_function |= scope.kind == ScopeKind::Function;
            current = scope.parent;
        }
        None
    }
}
